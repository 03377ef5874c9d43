package dev.penstock.probe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts into a Micrometer registry. Give it to a loader as probe, as work probe, or both. Thread-safe.
 *
 * <p>Meters, by Micrometer's naming conventions (a Prometheus registry shows {@code penstock_data_wait_seconds_sum} and
 * so on): timer {@code penstock.data.wait}, timer {@code penstock.step}, counter {@code penstock.batches}; as work probe
 * timer {@code penstock.work} and counter {@code penstock.work.bytes} (unit bytes), both tagged {@code stage}. Needs
 * {@code micrometer-core} on the class path, which this library does not bring.
 */
public final class MicrometerProbe implements DataWaitProbe, WorkProbe {
    private final Timer wait;
    private final Timer step;
    private final Counter batches;
    private final Map<Stage, Timer> work = new EnumMap<>(Stage.class);
    private final Map<Stage, Counter> bytes = new EnumMap<>(Stage.class);

    /** Counts into {@code registry}, every meter with {@code tags} (the dataset's name or the rank, say). */
    public MicrometerProbe(MeterRegistry registry, Tags tags) {
        wait = Timer.builder("penstock.data.wait")
                .description("Time that the trainer was blocked in next()")
                .tags(tags)
                .register(registry);
        step = Timer.builder("penstock.step")
                .description("Time between a delivery and the following next()")
                .tags(tags)
                .register(registry);
        batches = Counter.builder("penstock.batches")
                .description("Batches delivered")
                .tags(tags)
                .register(registry);
        for (Stage stage : Stage.values()) {
            Tags staged = tags.and("stage", stage.label());
            work.put(
                    stage,
                    Timer.builder("penstock.work")
                            .description("Time of one piece of work")
                            .tags(staged)
                            .register(registry));
            bytes.put(
                    stage,
                    Counter.builder("penstock.work.bytes")
                            .description("Bytes read or written")
                            .baseUnit("bytes")
                            .tags(staged)
                            .register(registry));
        }
    }

    @Override
    public void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {
        wait.record(waitNanos, TimeUnit.NANOSECONDS);
        if (betweenNanos > 0) {
            step.record(betweenNanos, TimeUnit.NANOSECONDS);
        }
        batches.increment();
    }

    @Override
    public void worked(
            Stage stage, int epoch, long batch, int piece, long startNanos, long nanos, long cpuNanos, long count) {
        Timer timer = work.get(stage);
        Counter counter = bytes.get(stage);
        if (timer != null && counter != null) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
            counter.increment((double) count);
        }
    }
}
