package dev.penstock.engine;

import dev.penstock.probe.DataWaitProbe;
import dev.penstock.probe.MemoryUse;
import dev.penstock.probe.StageStats;
import dev.penstock.probe.TuningStep;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the running pipeline for an {@link Autotuner} and turns its decisions into workers. Fed by the trainer's
 * thread; one addition a batch, and one snapshot an interval.
 */
final class LiveTuning {
    private static final Logger LOG = LoggerFactory.getLogger(LiveTuning.class);
    private static final int LEAST_BATCHES = 8;
    private static final long LEAST_NANOS = 400_000_000;

    private final Autotuner tuner;
    private final Pipeline pipeline;
    private final long bytesPerDecoder;
    private final DataWaitProbe probe;
    /** Guarded by this. */
    private final List<TuningStep> steps = new ArrayList<>();

    // The rest belongs to the trainer's thread.
    private long batches;
    private long waitNanos;
    private long stepNanos;
    private List<StageStats> stagesAtStart = List.of();

    LiveTuning(Autotuner tuner, Pipeline pipeline, long bytesPerDecoder, DataWaitProbe probe) {
        this.tuner = tuner;
        this.pipeline = pipeline;
        this.bytesPerDecoder = bytesPerDecoder;
        this.probe = probe;
    }

    /** One batch was delivered, not the first of its epoch: filling the pipe says nothing of the setting. */
    void delivered(long wait, long step) {
        if (tuner.stopped()) {
            return;
        }
        if (stagesAtStart.isEmpty()) {
            stagesAtStart = pipeline.stages();
            return;
        }
        batches++;
        waitNanos += wait;
        stepNanos += step;
        if (batches >= LEAST_BATCHES && waitNanos + stepNanos >= LEAST_NANOS) {
            decide(tuner.next(interval()));
        }
    }

    synchronized List<TuningStep> steps() {
        return List.copyOf(steps);
    }

    private Autotuner.Interval interval() {
        List<StageStats> now = pipeline.stages();
        StageStats read = StageCounters.between(stagesAtStart.get(0), now.get(0));
        StageStats decode = StageCounters.between(stagesAtStart.get(1), now.get(1));
        StageStats collate = StageCounters.between(stagesAtStart.get(2), now.get(2));
        long cpu = Math.max(0, read.cpuNanos()) + Math.max(0, decode.cpuNanos()) + Math.max(0, collate.cpuNanos());
        double cores = (double) (waitNanos + stepNanos) * Runtime.getRuntime().availableProcessors();
        MemoryUse memory = pipeline.memory();
        Autotuner.Interval interval = new Autotuner.Interval(
                batches,
                waitNanos,
                stepNanos,
                read.capacity(),
                decode.capacity(),
                cpu / cores,
                memory.budget() - memory.used(),
                bytesPerDecoder);
        stagesAtStart = now;
        batches = 0;
        waitNanos = 0;
        stepNanos = 0;
        return interval;
    }

    private void decide(List<TuningStep> decided) {
        if (decided.isEmpty()) {
            return;
        }
        synchronized (this) {
            steps.addAll(decided);
        }
        pipeline.setReadConcurrency(tuner.read());
        pipeline.setDecodeConcurrency(tuner.decode());
        for (TuningStep step : decided) {
            LOG.debug("autotune {}", step);
            probe.tuned(step);
        }
    }
}
