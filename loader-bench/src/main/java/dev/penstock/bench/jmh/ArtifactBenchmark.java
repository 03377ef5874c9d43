package dev.penstock.bench.jmh;

import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.arrow.artifact.ArtifactCodec;
import dev.penstock.arrow.artifact.Materializer;
import dev.penstock.data.Batch;
import dev.penstock.decode.ClipSweep;
import dev.penstock.decode.Episode;
import dev.penstock.decode.EpisodeSweep;
import dev.penstock.decode.Episodes;
import dev.penstock.decode.ffmpeg.PictureTransform;
import dev.penstock.view.Anchors;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What moving the boundary brings: windows of 16 frames at 224×224 from large clips with key frames far apart, and from
 * the artifact that they were materialized into. {@code window} decodes one window on one thread; {@code batch} takes a
 * batch of 8 windows from a loader with two decode threads. The artifact is made on first use, in the temporary folder.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "--add-opens=java.base/java.nio=ALL-UNNAMED")
@Warmup(iterations = 1, time = 3)
@Measurement(iterations = 5, time = 2)
@State(Scope.Benchmark)
public class ArtifactBenchmark {
    private static final int FRAMES = 16;
    private static final int BATCH = 8;
    private static final Size SIZE = Size.of(224, 224);

    /** The clips as they are, or what they were materialized into. */
    @Param({"source", "H264", "MJPEG", "RAW"})
    public String data = "";

    private final SplittableRandom random = new SplittableRandom(7);
    private final PictureTransform transform = PictureTransform.of(SIZE, Layout.TCHW);
    private final List<EpisodeSweep> sweeps = new ArrayList<>();
    private final List<ClipSweep> clips = new ArrayList<>();
    private final List<ClipSweep.Reader> readers = new ArrayList<>();
    private @Nullable Loader loader;
    private @Nullable Iterator<Batch> batches;

    /** Makes the artifact where it is not there, and opens what is measured. */
    @Setup
    public void open() throws IOException, InterruptedException {
        Episodes episodes = episodes();
        for (Episode episode : episodes.episodes()) {
            EpisodeSweep sweep = EpisodeSweep.open(episodes, episode, List.of("video"), "video");
            ClipSweep clip = Objects.requireNonNull(sweep.clips().get("video"));
            sweeps.add(sweep);
            clips.add(clip);
            readers.add(clip.reader());
        }
        loader = Loader.builder(episodes, view())
                .batchSize(BATCH)
                .shuffle(Shuffle.full(7))
                .decodeConcurrency(2)
                .readConcurrency(1)
                .build();
    }

    private Episodes episodes() throws IOException, InterruptedException {
        Episodes source = Episodes.of("bench", BenchClips.of("hi", 1).episodes());
        if (data.equals("source")) {
            return source;
        }
        Path target = Path.of(System.getProperty("java.io.tmpdir")).resolve("penstock-bench-artifact-" + data);
        Materializer.of(source, view()).codec(ArtifactCodec.valueOf(data)).to(target);
        return Episodes.open(target);
    }

    private static View view() {
        return View.builder()
                .video(VideoColumn.of(BenchClips.CAMERA, Window.frames(FRAMES), SIZE)
                        .layout(Layout.TCHW))
                .anchors(Anchors.everyFrames(1))
                .build();
    }

    /** One window, decoded and scaled. */
    @Benchmark
    public int window() throws IOException {
        int clip = random.nextInt(clips.size());
        int start = random.nextInt(clips.get(clip).frames() - FRAMES + 1);
        readers.get(clip)
                .read(transform, IntStream.range(start, start + FRAMES).toArray(), (frame, pixels, offset) -> {});
        return start;
    }

    /** One batch. */
    @Benchmark
    public int batch() {
        Iterator<Batch> present = batches;
        if (present == null || !present.hasNext()) {
            present = Objects.requireNonNull(loader).iterator();
            batches = present;
        }
        return present.next().size();
    }

    /** Closes what was opened. */
    @TearDown
    public void close() {
        Objects.requireNonNull(loader).close();
        readers.forEach(ClipSweep.Reader::close);
        sweeps.forEach(EpisodeSweep::close);
    }
}
