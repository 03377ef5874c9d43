package dev.penstock.roofline;

import dev.penstock.Loader;
import dev.penstock.probe.ServiceRecorder;
import dev.penstock.probe.ServiceTimes;

/**
 * Some steady training, recorded piece by piece: what a {@link PipelineReplay} and {@link Change#asInTrial} are made of.
 *
 * <p>To compare two ways of loading on a machine whose speed drifts, record them in turn, over the same batches and
 * several times, and compare recordings that lie beside one another. Immutable.
 */
public final class Recording {
    private static final int KEEP = 2_000;
    private static final long CORE_TURN = 12_000_000;

    private final ServiceTimes times;
    private final PipelineSettings settings;
    private final Stretch stretch;

    private Recording(ServiceTimes times, PipelineSettings settings, Stretch stretch) {
        this.times = times;
        this.settings = settings;
        this.stretch = stretch;
    }

    /**
     * Trains on a loader's next batches, epoch after epoch, and records the last {@code batches} of them. Runs on the
     * calling thread and takes the loader for itself; it is idle afterwards.
     *
     * @param skip batches before the recorded ones: at least those that {@link Loader#batchesInMemory} may hold already
     * @param batches to record, 2 to 2,000; a replay needs 10
     * @throws Exception what the step threw
     */
    public static Recording of(Loader loader, TrainerStep step, int skip, int batches) throws Exception {
        LoaderPipeline pipeline = new LoaderPipeline(loader);
        try {
            return of(pipeline, step, skip, step, new Stretch.Length(0, batches, batches));
        } finally {
            pipeline.idle();
        }
    }

    /** Records {@code recorded} after {@code skip} batches of {@code step}. */
    static Recording of(
            LoaderPipeline pipeline, TrainerStep step, int skip, TrainerStep recorded, Stretch.Length length)
            throws Exception {
        ServiceRecorder recorder = new ServiceRecorder(pipeline.batchSize(), KEEP);
        pipeline.record(recorder);
        try {
            for (int i = 0; i < skip; i++) {
                step.step(pipeline.next());
            }
            recorder.clear();
            Stretch stretch = Stretch.measure(pipeline, recorded, 0, length, System::nanoTime);
            return new Recording(recorder.times(), pipeline.settings(), stretch);
        } finally {
            pipeline.record(null);
        }
    }

    /** What each piece of work took. */
    public ServiceTimes times() {
        return times;
    }

    /** What the trainer got. */
    public double batchesPerSecond() {
        return stretch.batchesPerSecond();
    }

    Stretch stretch() {
        return stretch;
    }

    /**
     * A replay of this recording. Takes an eighth of a second for a look at how much all cores do together, while nothing
     * else of this process may run: idle loaders, no training.
     *
     * @param trainerCpuShare of the trainer's step, the share that is CPU time of this machine: 0 for an accelerator, 1
     *     for a trainer that computes on one core
     * @throws IllegalArgumentException for fewer than 10 batches
     */
    public PipelineReplay replay(double trainerCpuShare) throws InterruptedException {
        double scale = CoreScale.measure(CpuMeter.cores(), CORE_TURN);
        Cores cores = Cores.seen(CpuMeter.cores(), scale, othersCores());
        return PipelineReplay.of(times, settings, trainerCpuShare, cores);
    }

    /** Cores' worth of CPU time that other processes used; 0 where nobody can tell. */
    private double othersCores() {
        double share = stretch.machineCpu() - stretch.processCpu();
        return Double.isFinite(share) ? Math.max(0, share) * CpuMeter.cores() : 0;
    }
}
