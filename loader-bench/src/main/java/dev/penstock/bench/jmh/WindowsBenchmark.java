package dev.penstock.bench.jmh;

import dev.penstock.bench.jmh.WindowReaders.WindowReader;
import dev.penstock.view.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Windows of 16 frames from a seeded list, one operation each: {@code score × 16} is frames a second. Run with
 * {@code -t 1} and {@code -t 2}.
 */
@BenchmarkMode(Mode.Throughput)
@Fork(1)
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 3, time = 2)
@State(Scope.Benchmark)
public class WindowsBenchmark {
    static final int FRAMES = 16;

    /** Contender. */
    @Param({"penstock-chw", "penstock-hwc", "penstock-hwc-all-packets", "bare", "grabber"})
    public String reader = "";

    /** Clips. */
    @Param({"hi", "lo", "log8"})
    public String clips = "";

    /** Frames from one to the next. */
    @Param({"1", "4"})
    public int stride;

    private @Nullable BenchClips input;
    private final AtomicInteger nextThread = new AtomicInteger();

    /** Reads the list. */
    @Setup
    public void read() throws IOException {
        input = BenchClips.of(clips, stride);
    }

    /** One thread's readers: one decoder of ours for all clips, or one of the others' for each clip. */
    @State(Scope.Thread)
    public static class Readers {
        private final List<WindowReader> readers = new ArrayList<>();
        private WindowReaders.@Nullable Penstock own;
        private List<int[]> windows = List.of();
        private int at;

        /** Opens the clips. */
        @Setup
        public void open(WindowsBenchmark benchmark) throws IOException {
            BenchClips input = java.util.Objects.requireNonNull(benchmark.input);
            windows = input.windows();
            at = benchmark.nextThread.getAndIncrement() * windows.size() / 2;
            switch (benchmark.reader) {
                case "penstock-chw" -> own = new WindowReaders.Penstock(Layout.TCHW, true);
                case "penstock-hwc" -> own = new WindowReaders.Penstock(Layout.THWC, true);
                case "penstock-hwc-all-packets" -> own = new WindowReaders.Penstock(Layout.THWC, false);
                default -> own = null;
            }
            for (Path clip : input.clips()) {
                readers.add(
                        own != null
                                ? own.open(clip)
                                : benchmark.reader.equals("bare")
                                        ? new WindowReaders.Bare(clip)
                                        : new WindowReaders.Grabber(clip));
            }
        }

        int next(int stride) throws IOException {
            int[] window = windows.get(at++ % windows.size());
            return readers.get(window[0]).read(window[1], stride, FRAMES);
        }

        /** Closes them. */
        @TearDown(Level.Trial)
        public void close() throws IOException {
            for (WindowReader reader : readers) {
                reader.close();
            }
            if (own != null) {
                own.close();
            }
        }
    }

    /** One window. */
    @Benchmark
    public int window(Readers readers) throws IOException {
        return readers.next(stride);
    }
}
