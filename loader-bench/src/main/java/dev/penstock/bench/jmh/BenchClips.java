package dev.penstock.bench.jmh;

import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.decode.Clip;
import dev.penstock.decode.Episode;
import dev.penstock.decode.VideoFrame;
import dev.penstock.decode.VideoReader;
import dev.penstock.decode.ffmpeg.ClipCodec;
import dev.penstock.decode.ffmpeg.ClipEncoder;
import dev.penstock.decode.ffmpeg.EncoderSettings;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    /** The camera of {@link #episodes}. */
    static final String CAMERA = "video";

    private static final int FRAMES = 16;
    private static final int OWN_WINDOWS = 400;
    private static final int FRAME_RATE = 30;
    private static final int EXACT_KEY_FRAMES = 30;

    /** Clips of {@code set} (hi, lo, log8, or exact: lo at 224×224) and windows at {@code stride}. */
    static BenchClips of(String set, int stride) throws IOException {
        if (set.equals("exact")) {
            return of("lo", stride).at(Size.of(224, 224));
        }
        Path folder =
                Path.of(System.getProperty("penstock.shared", "../shared/data")).resolve("bench");
        return Files.isDirectory(folder) ? shared(folder, set, stride) : own(set, stride);
    }

    /** An episode for each clip. */
    List<Episode> episodes() {
        return clips.stream()
                .map(clip -> Episode.of(clip.getFileName().toString(), Map.of(CAMERA, Clip.of(clip.toUri()))))
                .toList();
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

    /** The same windows of clips that were resized and encoded once more, key frames every 30. */
    private BenchClips at(Size size) throws IOException {
        Path folder = Files.createDirectories(
                Path.of(System.getProperty("java.io.tmpdir")).resolve("penstock-bench-" + size));
        List<Path> smaller = new ArrayList<>();
        for (Path clip : clips) {
            Path file = folder.resolve(clip.getFileName());
            if (!Files.exists(file)) {
                encode(clip, file, size);
            }
            smaller.add(file);
        }
        return new BenchClips(smaller, windows);
    }

    private static void encode(Path clip, Path file, Size size) throws IOException {
        EncoderSettings settings =
                EncoderSettings.of(ClipCodec.H264, size, FRAME_RATE).keyFrameDistance(EXACT_KEY_FRAMES);
        try (VideoReader reader = VideoReader.builder(clip.toAbsolutePath().toUri())
                        .size(size)
                        .open();
                ClipEncoder encoder = new ClipEncoder(file, settings)) {
            long frame = 0;
            for (VideoFrame picture : reader.all()) {
                try (picture) {
                    encoder.write(frame++, picture.pixels(), 0, Layout.THWC);
                }
            }
            encoder.finish();
        }
    }

    /** Windows side by side through every clip, as one reads a whole clip. */
    List<int[]> inOrder() throws IOException {
        List<int[]> all = new ArrayList<>();
        for (int clip = 0; clip < clips.size(); clip++) {
            try (VideoReader reader = VideoReader.open(clips.get(clip))) {
                for (int first = 0; first + FRAMES <= reader.frameCount(); first += FRAMES) {
                    all.add(new int[] {clip, first});
                }
            }
        }
        return all;
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
                hi ? 200 : set.equals("lo") ? 30 : 8,
                0);
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
