package dev.penstock.engine;

import dev.penstock.probe.WorkProbe;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a probe of every piece of work that ends; costs nothing while nobody asks. A probe that throws is switched off,
 * and loading goes on. Thread-safe.
 */
final class WorkMeter {
    private static final Logger LOG = LoggerFactory.getLogger(WorkMeter.class);

    private final Settings settings;
    /** Replaced by {@link #tell}, or by NONE when it throws. */
    private volatile WorkProbe probe;

    WorkMeter(Settings settings) {
        this.settings = settings;
        probe = settings.work();
    }

    /** Tells {@code other} of every piece of work that ends from now on, and nobody else. */
    void tell(WorkProbe other) {
        probe = other;
    }

    /** CPU time of this thread, for {@link #worked}; 0, at no cost, while nobody asks. */
    long cpuNow() {
        return probe == WorkProbe.NONE ? 0 : WorkerPool.currentCpuNanos();
    }

    /** A worker did a piece of work. */
    void worked(WorkProbe.Stage stage, BatchJob job, int piece, long start, long startCpu, long bytes) {
        WorkProbe told = probe;
        if (told == WorkProbe.NONE) {
            return;
        }
        long cpu = WorkerPool.currentCpuNanos();
        try {
            told.worked(
                    stage,
                    job.epoch,
                    settings.numberOf(job),
                    piece,
                    start,
                    settings.clock().getAsLong() - start,
                    cpu < 0 || startCpu <= 0 ? -1 : cpu - startCpu,
                    bytes);
        } catch (RuntimeException | LinkageError e) {
            probe = WorkProbe.NONE;
            LOG.warn("work probe {} threw and is switched off; loading goes on", told, e);
        }
    }
}
