package dev.penstock.roofline;

import dev.penstock.data.Batch;
import dev.penstock.probe.Awaited;
import dev.penstock.probe.StageStats;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * One measured stretch of steady training: some batches, one after another.
 *
 * @param batches taken
 * @param nanos of all of them
 * @param waitNanos of these, blocked for a batch
 * @param steps each whole step, its wait included
 * @param processCpu share of the machine's cores that the process used, 0 to 1
 * @param machineCpu share that was used by anyone, 0 to 1
 * @param stages the stages' counters of the stretch
 * @param awaited what the awaited batches were doing
 */
@SuppressWarnings("ArrayRecordComponent") // thousands of steps, of this package only, never compared
record Stretch(
        int batches,
        long nanos,
        long waitNanos,
        long[] steps,
        double processCpu,
        double machineCpu,
        List<StageStats> stages,
        Awaited awaited) {

    /** How long a stretch goes on: at least {@code leastNanos} and {@code leastBatches}, at most {@code mostBatches}. */
    record Length(long leastNanos, int leastBatches, int mostBatches) {}

    Stretch {
        stages = List.copyOf(stages);
    }

    double batchesPerSecond() {
        return nanos == 0 ? 0 : batches * 1e9 / nanos;
    }

    double waitShare() {
        return nanos == 0 ? 0 : (double) waitNanos / nanos;
    }

    /** Takes {@code skip} batches, then measures. */
    static Stretch measure(Pipeline pipeline, TrainerStep step, int skip, Length length, LongSupplier clock)
            throws Exception {
        for (int i = 0; i < skip; i++) {
            step.step(pipeline.next());
        }
        CpuMeter cpu = new CpuMeter();
        Pipeline.Counters before = pipeline.counters();
        cpu.start();
        long[] steps = new long[64];
        int taken = 0;
        long waited = 0;
        long start = clock.getAsLong();
        long at = start;
        while (taken < length.mostBatches() && (taken < length.leastBatches() || at - start < length.leastNanos())) {
            Batch batch = pipeline.next();
            waited += clock.getAsLong() - at;
            step.step(batch);
            long end = clock.getAsLong();
            if (taken == steps.length) {
                steps = Arrays.copyOf(steps, 2 * taken);
            }
            steps[taken++] = end - at;
            at = end;
        }
        double process = cpu.processShare();
        double machine = cpu.machineShare();
        Pipeline.Counters counted = pipeline.counters().since(before);
        return new Stretch(
                taken,
                at - start,
                waited,
                Arrays.copyOf(steps, taken),
                process,
                machine,
                counted.stages(),
                counted.awaited());
    }
}
