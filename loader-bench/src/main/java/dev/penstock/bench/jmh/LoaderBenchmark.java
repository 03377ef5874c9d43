package dev.penstock.bench.jmh;

import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episode;
import dev.penstock.decode.Episodes;
import dev.penstock.view.Anchors;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The whole loader: one operation takes one batch of 8 windows × 16 frames at 224×224. Compare with
 * {@link WindowsBenchmark} {@code bare} (a batch is eight of its windows); {@code -prof gc} shows the heap that a batch
 * costs, all threads together.
 */
@BenchmarkMode(Mode.Throughput)
@Fork(1)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@State(Scope.Benchmark)
public class LoaderBenchmark {
    private static final int BATCH = 8;

    /** Clips. */
    @Param({"lo", "hi"})
    public String clips = "";

    /** Layout of the frames. */
    @Param({"TCHW", "THWC"})
    public Layout layout = Layout.TCHW;

    /** Decode threads. */
    @Param({"1", "2"})
    public int decode;

    private @Nullable Loader loader;
    private @Nullable Iterator<Batch> batches;

    /** Opens the loader. */
    @Setup
    public void open() throws IOException {
        loader = builder(BenchClips.of(clips, 1).episodes(), layout)
                .shuffle(Shuffle.full(7))
                .decodeConcurrency(decode)
                .build();
        batches = loader.iterator();
    }

    /** A loader of batches of windows from {@code episodes}, opened anew. */
    static Loader.Builder builder(List<Episode> episodes, Layout layout) {
        View view = View.builder()
                .video(VideoColumn.of(BenchClips.CAMERA, Window.frames(WindowsBenchmark.FRAMES), Size.of(224, 224))
                        .layout(layout))
                .anchors(Anchors.everyFrames(1))
                .build();
        return Loader.builder(Episodes.of("bench", episodes), view)
                .batchSize(BATCH)
                .readConcurrency(1);
    }

    /** Takes one batch. */
    @Benchmark
    public int batch() {
        Iterator<Batch> present = Objects.requireNonNull(batches);
        if (!present.hasNext()) {
            present = Objects.requireNonNull(loader).iterator();
            batches = present;
        }
        return present.next().size();
    }

    /** Closes the loader. */
    @TearDown
    public void close() {
        Objects.requireNonNull(loader).close();
    }
}
