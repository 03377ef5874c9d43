package dev.penstock.arrow.artifact;

import dev.penstock.decode.Clip;
import dev.penstock.decode.ClipSweep;
import dev.penstock.decode.DecodeSettings;
import dev.penstock.decode.Episode;
import dev.penstock.decode.EpisodeSweep;
import dev.penstock.decode.Episodes;
import dev.penstock.decode.ffmpeg.PictureTransform;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Layout;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.Window;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Measures on one episode what materializing a dataset will take and bring. Used once, by one thread. */
final class DryRun {
    private static final int MOST_WINDOWS = 24;
    private static final long MOST_NANOS = 4_000_000_000L;
    /** Of a window by seconds, whose frames depend on the clip. */
    private static final int USUAL_WINDOW = 16;

    private final MaterializeSettings settings;
    private final EpisodeWriter writer;

    private DryRun(MaterializeSettings settings) {
        this.settings = settings;
        this.writer = new EpisodeWriter(settings.rules(), settings.encoding(), new ByteGate(settings.memory()));
    }

    static MaterializePlan of(MaterializeSettings settings) throws IOException, InterruptedException {
        return new DryRun(settings).plan();
    }

    private MaterializePlan plan() throws IOException, InterruptedException {
        MaterializeTally tally = new MaterializeTally(settings);
        List<EpisodePlan> plans = EpisodePlan.all(settings, settings.key(), writer);
        plans.forEach(tally::plan);
        tally.checkBad();
        List<EpisodePlan> good =
                plans.stream().filter(plan -> plan.bad() == null).toList();
        EpisodePlan shortest = good.stream()
                .min(Comparator.comparingLong(EpisodePlan::allFrames))
                .orElseThrow(() -> new DatasetException(settings.dataset().name() + " has no episode to write"));
        Path folder = Files.createTempDirectory("penstock-dry-run-");
        try {
            return measure(good, shortest, folder, tally);
        } finally {
            Durable.delete(folder);
        }
    }

    private MaterializePlan measure(List<EpisodePlan> good, EpisodePlan shortest, Path folder, MaterializeTally tally)
            throws IOException, InterruptedException {
        try (EpisodeSweep source = MaterializeRun.open(settings, shortest.episode())) {
            long start = System.nanoTime();
            EpisodePart part = writer.write(
                    source, shortest.fingerprint(), folder, shortest.folder(), Integer.MAX_VALUE, () -> {});
            Trial trial = Trial.of(part, (System.nanoTime() - start) / 1e9);
            long frames = good.stream().mapToLong(EpisodePlan::allFrames).sum();
            int cores = Runtime.getRuntime().availableProcessors();
            int atOnce = Math.max(1, Math.min(Math.min(settings.threads(), cores), good.size()));
            double[] millis = windows(source, part, folder);
            Map<String, String> bad = new LinkedHashMap<>();
            tally.badList().forEach(one -> bad.put(one.id(), one.reason()));
            return new MaterializePlan(
                    good.size(),
                    bad,
                    frames,
                    good.stream().mapToLong(EpisodePlan::samples).sum(),
                    sourceBytes(good),
                    trial.bytes(good),
                    trial.seconds() / trial.frames() * frames / atOnce,
                    shortest.episode().id(),
                    millis[0],
                    millis[1]);
        }
    }

    /** Mean milliseconds of a window from the source and from what was written: the same windows, turn by turn. */
    private double[] windows(EpisodeSweep source, EpisodePart part, Path folder) throws IOException {
        VideoColumn video = settings.view().videos().get(0);
        EpisodePart.ClipPart clip =
                java.util.Objects.requireNonNull(part.cameras().get(video.camera()));
        Clip made = new Clip(
                folder.resolve(clip.clip()).toUri(),
                clip.from(),
                null,
                null,
                folder.resolve(clip.index()).toUri());
        Episode episode = Episode.of("dry run", Map.of(video.camera(), made));
        Episodes alone = Episodes.of("dry run", List.of(episode))
                .with(DecodeSettings.DEFAULT.indexes(DecodeSettings.Indexes.IN_MEMORY));
        PictureTransform transform = rule(video).transform(Layout.TCHW);
        ClipSweep before = java.util.Objects.requireNonNull(source.clips().get(video.camera()));
        try (EpisodeSweep artifact = EpisodeSweep.open(alone, episode, List.of(video.camera()), video.camera())) {
            ClipSweep after = java.util.Objects.requireNonNull(artifact.clips().get(video.camera()));
            return turns(before, after, transform, offsets(video.window(), before.frames()));
        }
    }

    private PictureRule rule(VideoColumn video) {
        return java.util.Objects.requireNonNull(settings.rules().get(video.camera()));
    }

    private static int[] offsets(Window window, int frames) {
        int[] offsets = window.byTime()
                ? IntStream.range(0, USUAL_WINDOW).toArray()
                : window.frames().stream().mapToInt(Integer::intValue).toArray();
        int first = offsets[0];
        return IntStream.of(offsets)
                .map(offset -> offset - first)
                .filter(offset -> offset < frames)
                .toArray();
    }

    private static double[] turns(ClipSweep before, ClipSweep after, PictureTransform transform, int[] offsets)
            throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        int last = before.frames() - 1 - offsets[offsets.length - 1];
        long[] nanos = new long[2];
        int count = 0;
        try (ClipSweep.Reader source = before.reader();
                ClipSweep.Reader artifact = after.reader()) {
            // The first turn opens decoders and is not counted.
            for (int turn = 0; turn <= MOST_WINDOWS && nanos[0] + nanos[1] < MOST_NANOS; turn++) {
                int start = random.nextInt(last + 1);
                int[] frames =
                        IntStream.of(offsets).map(offset -> start + offset).toArray();
                long from = System.nanoTime();
                source.read(transform, frames, (frame, pixels, offset) -> {});
                long middle = System.nanoTime();
                artifact.read(transform, frames, (frame, pixels, offset) -> {});
                if (turn > 0) {
                    nanos[0] += middle - from;
                    nanos[1] += System.nanoTime() - middle;
                    count++;
                }
            }
        }
        return new double[] {nanos[0] / 1e6 / Math.max(1, count), nanos[1] / 1e6 / Math.max(1, count)};
    }

    private long sourceBytes(List<EpisodePlan> plans) throws IOException {
        Set<URI> seen = new HashSet<>();
        long bytes = 0;
        for (EpisodePlan plan : plans) {
            for (String camera : settings.rules().keySet()) {
                Clip clip = plan.episode().cameras().get(camera);
                if (clip != null && seen.add(clip.uri())) {
                    try (var blob = dev.penstock.spi.BlobStores.of(clip.uri()).open(clip.uri())) {
                        bytes += blob.size();
                    }
                }
            }
        }
        return bytes;
    }
}
