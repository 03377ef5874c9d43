package dev.penstock.roofline;

import dev.penstock.probe.ServiceTimes;
import dev.penstock.probe.ServiceTimes.BatchTimes;

/**
 * Runs recorded service times through a model of the pipeline, as measured or with one change, and says what the trainer
 * would get.
 *
 * <p>The model: batches open in plan order as slabs come free; their pieces queue for the read threads, then for the
 * decode threads, first come first served; the last piece sends the batch to collate; finished batches are handed over
 * in order; the trainer gives its slab back when it asks for the next batch. Every piece takes its recorded time: the
 * part that was no CPU time passes on its own, the CPU part shares the cores with whatever else runs, tasks of other
 * processes among it ({@link Cores}). Recorded batches are repeated in order as often as needed.
 *
 * <p>Where the recorded run had saturated the cores, the off-CPU time of decode and collate was mostly spent waiting for
 * one, and counting that as the piece's own would count it twice: there it is left out.
 *
 * <p>What the unchanged replay still gets wrong is taken out before a change is replayed, by one factor on the times of
 * read, decode and collate.
 *
 * <p>{@link #error()} is what the model gets wrong on the unchanged run before that, together with the standard error of
 * the measured throughput over fifths of the run. It leaves out what the recording can't show: a lock whose queue grows
 * with the threads (the {@link ConcurrencySweep} shows that), a store that throttles. Immutable.
 */
public final class PipelineReplay {
    private static final double SATURATED = 0.8;
    private static final double MOST_FIT = 2;
    private static final double CLOSE = 0.99;
    private static final int HALVINGS = 8;

    private final ServiceTimes times;
    private final PipelineSettings settings;
    private final double trainerCpuShare;
    private final Cores cores;

    /** The factor on off-CPU time of decode and collate. */
    private final double offCpu;

    private final double fit;
    private final ReplayRun.Outcome base;
    private final double error;

    private PipelineReplay(ServiceTimes times, PipelineSettings settings, double trainerCpuShare, Cores cores) {
        this.times = times;
        this.settings = settings;
        this.trainerCpuShare = trainerCpuShare;
        this.cores = cores;
        this.offCpu = saturated() ? 0 : 1;
        ReplayRun.Outcome unfitted = run(Change.NONE, 1);
        this.error = Math.hypot(unfitted.batchesPerSecond() / times.measuredBatchesPerSecond() - 1, spread());
        this.fit = fit(unfitted.batchesPerSecond());
        this.base = fit == 1 ? unfitted : run(Change.NONE, fit);
    }

    /**
     * A replay of a run.
     *
     * @param times of at least 10 batches
     * @param settings under which they were recorded
     * @param trainerCpuShare of the trainer's step, the share that is CPU time of this machine: 0 for an accelerator, 1
     *     for a trainer that computes on one core
     */
    public static PipelineReplay of(ServiceTimes times, PipelineSettings settings, double trainerCpuShare) {
        return of(times, settings, trainerCpuShare, Cores.alone(settings.cores()));
    }

    /**
     * A replay of a run on a machine whose cores were not all this process's.
     *
     * @param cores what they gave; it is taken to stay so
     */
    public static PipelineReplay of(
            ServiceTimes times, PipelineSettings settings, double trainerCpuShare, Cores cores) {
        if (times.batches().size() < 10 || !(times.measuredBatchesPerSecond() > 0)) {
            throw new IllegalArgumentException("a replay needs at least 10 recorded batches, got "
                    + times.batches().size() + "; record a longer run");
        }
        return new PipelineReplay(times, settings, trainerCpuShare, cores);
    }

    /** A replay of another recording under the same settings, on the same cores. */
    public PipelineReplay with(ServiceTimes other) {
        return of(other, settings, trainerCpuShare, cores);
    }

    /** Relative error of the model on the unchanged run: 0.05 is five percent. */
    public double error() {
        return error;
    }

    /** The settings that were measured. */
    public PipelineSettings settings() {
        return settings;
    }

    /** What was recorded. */
    public ServiceTimes times() {
        return times;
    }

    /** What {@code change} would bring. */
    public Prediction predict(Change change) {
        ReplayRun.Outcome changed = run(change, fit);
        double gain = changed.batchesPerSecond() * change.batchFactor() / base.batchesPerSecond();
        double batches = times.measuredBatchesPerSecond() * gain / change.batchFactor();
        return new Prediction(
                change,
                batches,
                batches * change.batchFactor() * times.batchSize(),
                changed.waitShare(),
                gain - 1,
                error * Math.max(1, gain));
    }

    private ReplayRun.Outcome run(Change change, double slower) {
        return new ReplayRun(times, change.applyTo(settings), cores, change, trainerCpuShare, offCpu, slower).run();
    }

    /**
     * The factor on the times of read, decode and collate with which the unchanged replay makes what was measured: else a
     * model that is too slow by a fifth would promise a trainer more than its own step allows.
     */
    private double fit(double unfitted) {
        double measured = times.measuredBatchesPerSecond();
        double low = 1 / MOST_FIT;
        double high = MOST_FIT;
        double fastest = run(Change.NONE, low).batchesPerSecond();
        double slowest = run(Change.NONE, high).batchesPerSecond();
        // Where the trainer's step or something else that is not scaled decides, the least change that comes close.
        double target = Math.max(slowest / CLOSE, Math.min(measured, CLOSE * fastest));
        if (unfitted >= CLOSE * target && CLOSE * unfitted <= target) {
            return 1;
        }
        for (int i = 0; i < HALVINGS; i++) {
            double middle = Math.sqrt(low * high);
            if (run(Change.NONE, middle).batchesPerSecond() >= target) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean saturated() {
        double cpu = 0;
        for (BatchTimes batch : times.batches()) {
            cpu += batch.stepNanos() * trainerCpuShare + batch.collate().cpuOrAllNanos();
            cpu += batch.pieces().stream()
                    .mapToLong(piece ->
                            piece.read().cpuOrAllNanos() + piece.decode().cpuOrAllNanos())
                    .sum();
        }
        double perBatch = cpu / times.batches().size() / 1e9;
        return perBatch * times.measuredBatchesPerSecond() > SATURATED * cores.left();
    }

    /** Standard error of the throughput, from the rates of five consecutive fifths. */
    private double spread() {
        int parts = 5;
        int each = times.batches().size() / parts;
        double sum = 0;
        double squares = 0;
        for (int part = 0; part < parts; part++) {
            double nanos = 0;
            for (int i = part * each; i < (part + 1) * each; i++) {
                nanos += times.batches().get(i).stepNanos()
                        + times.batches().get(i).waitNanos();
            }
            double rate = nanos == 0 ? 0 : each / nanos;
            sum += rate;
            squares += rate * rate;
        }
        double mean = sum / parts;
        double variance = Math.max(0, squares / parts - mean * mean) * parts / (parts - 1);
        return mean == 0 ? 0 : Math.sqrt(variance / parts) / mean;
    }
}
