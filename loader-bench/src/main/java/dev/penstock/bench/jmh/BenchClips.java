package dev.penstock.bench.jmh;

import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.view.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The clips and the seeded windows of the benchmarks: those of the folder that the property {@code penstock.shared}
 * names (default {@code ../shared/data}), or scenes of our own where it is absent.
 *
 * @param clips files, in order of name
 * @param windows clip and first frame of each
 */
record BenchClips(List<Path> clips, List<int[]> windows) {
    private static final int FRAMES = 16;
    private static final int OWN_WINDOWS = 400;

    /** Clips of {@code set} (hi, lo or log8) and windows at {@code stride}. */
    static BenchClips of(String set, int stride) throws IOException {
        Path folder =
                Path.of(System.getProperty("penstock.shared", "../shared/data")).resolve("bench");
        return Files.isDirectory(folder) ? shared(folder, set, stride) : own(set, stride);
    }

    private static BenchClips shared(Path folder, String set, int stride) throws IOException {
        List<Path> clips;
        try (Stream<Path> files = Files.list(folder)) {
            clips = files.filter(f -> f.getFileName().toString().startsWith(set + "_"))
                    .sorted()
                    .toList();
        }
        JsonNode list = new JsonMapper()
                .readTree(folder.resolve("windows.json").toFile())
                .get("stride" + stride);
        List<int[]> windows = new ArrayList<>();
        for (JsonNode window : list) {
            // the list was made for eight clips of each kind; fewer are here
            windows.add(new int[] {
                window.get(0).intValue() % clips.size(), window.get(1).intValue()
            });
        }
        return new BenchClips(clips, windows);
    }

    private static BenchClips own(String set, int stride) throws IOException {
        boolean hi = set.equals("hi");
        DemoSettings settings = new DemoSettings(
                7,
                2,
                8,
                25,
                hi ? Size.of(1280, 720) : Size.of(320, 180),
                DemoSettings.STANDARD.codec(),
                hi ? 200 : set.equals("lo") ? 30 : 8);
        Path folder = Path.of(System.getProperty("java.io.tmpdir")).resolve("penstock-bench-" + set);
        try {
            DemoDataset.make(folder, settings, (done, total) -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the benchmark's clips were made", e);
        }
        List<Path> clips;
        try (Stream<Path> files = Files.list(folder.resolve("clips"))) {
            clips = files.filter(f -> f.toString().endsWith(".mp4")).sorted().toList();
        }
        SplittableRandom random = new SplittableRandom(20_260_101);
        List<int[]> windows = new ArrayList<>();
        for (int i = 0; i < OWN_WINDOWS; i++) {
            windows.add(
                    new int[] {random.nextInt(clips.size()), random.nextInt(settings.frames() - (FRAMES - 1) * stride)
                    });
        }
        return new BenchClips(clips, windows);
    }
}
