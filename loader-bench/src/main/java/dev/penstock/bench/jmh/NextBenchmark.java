package dev.penstock.bench.jmh;

import dev.penstock.FakeBatches;
import dev.penstock.Loader;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episodes;
import dev.penstock.view.Anchors;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What {@code next()} costs a trainer whose batch is there. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class NextBenchmark {
    /** A whole loader over small windows of real clips, left alone until its queue of finished batches is full. */
    @State(Scope.Thread)
    public static class Ready {
        private static final int PREFETCH = 4;

        private @Nullable Loader loader;
        private @Nullable Iterator<Batch> batches;

        /** Opens the loader. */
        @Setup
        public void open() throws IOException {
            View view = View.builder()
                    .video(BenchClips.CAMERA, Window.frames(1), Size.of(32, 32))
                    .anchors(Anchors.everyFrames(1))
                    .build();
            loader = Loader.builder(Episodes.of("bench", BenchClips.of("lo", 1).episodes()), view)
                    .batchSize(2)
                    .prefetch(PREFETCH)
                    .build();
            batches = loader.iterator();
        }

        /** Waits, outside the measured time, until the batches are there. */
        @Setup(Level.Invocation)
        public void await() {
            Loader present = Objects.requireNonNull(loader);
            if (!Objects.requireNonNull(batches).hasNext()) {
                batches = present.iterator();
                batches.next(); // the first of an epoch may have to wait
            }
            while (present.dataWait().readyDepth() < PREFETCH) {
                Thread.onSpinWait();
            }
        }

        /** Closes the loader. */
        @TearDown
        public void close() {
            Objects.requireNonNull(loader).close();
        }
    }

    /** Fake batches: no queue, no worker. */
    @State(Scope.Thread)
    public static class Fake {
        private @Nullable FakeBatches fakes;
        private @Nullable Iterator<Batch> batches;

        /** Makes the batches. */
        @Setup
        public void open() {
            View view = View.builder()
                    .video("front", Window.frames(16), Size.of(64, 64))
                    .build();
            fakes = FakeBatches.synthetic(view, 8);
            batches = fakes.iterator();
        }

        /** Frees them. */
        @TearDown
        public void close() {
            Objects.requireNonNull(fakes).close();
        }
    }

    /** The hand-off alone: lend, take back. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    public Batch handOff(Fake fake) {
        return Objects.requireNonNull(fake.batches).next();
    }

    /** A whole {@code next()} of a real loader, hand-off, waits, counters and the return of the old batch included. */
    @Benchmark
    public Batch ready(Ready ready) {
        return Objects.requireNonNull(ready.batches).next();
    }
}
