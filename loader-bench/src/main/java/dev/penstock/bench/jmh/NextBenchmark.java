package dev.penstock.bench.jmh;

import dev.penstock.FakeBatches;
import dev.penstock.data.Batch;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The hand-off of a batch that is there: lend, give back. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Thread)
public class NextBenchmark {
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

    /** Takes one. */
    @Benchmark
    public Batch next() {
        return Objects.requireNonNull(batches).next();
    }

    /** Frees them. */
    @TearDown
    public void close() {
        Objects.requireNonNull(fakes).close();
    }
}
