package dev.penstock.probe;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes everything on to another probe, and switches it off with one warning when it throws: training goes on. */
public final class GuardedProbe implements DataWaitProbe {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedProbe.class);

    /** Written by the trainer's thread only. */
    private DataWaitProbe probe;

    private GuardedProbe(DataWaitProbe probe) {
        this.probe = probe;
    }

    /** Guards {@code probe}; one that does nothing needs no guard. */
    public static DataWaitProbe of(DataWaitProbe probe) {
        return probe == NONE || probe instanceof GuardedProbe ? probe : new GuardedProbe(probe);
    }

    @Override
    public void epochStarted(int epoch, long batches) {
        try {
            probe.epochStarted(epoch, batches);
        } catch (RuntimeException | LinkageError e) {
            switchOff(e);
        }
    }

    @Override
    public void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {
        try {
            probe.delivered(epoch, batch, waitNanos, betweenNanos);
        } catch (RuntimeException | LinkageError e) {
            switchOff(e);
        }
    }

    @Override
    public void tuned(TuningStep step) {
        try {
            probe.tuned(step);
        } catch (RuntimeException | LinkageError e) {
            switchOff(e);
        }
    }

    @Override
    public void epochEnded(DataWaitReport report) {
        try {
            probe.epochEnded(report);
        } catch (RuntimeException | LinkageError e) {
            switchOff(e);
        }
    }

    private void switchOff(Throwable e) {
        LOG.warn("probe {} threw and is switched off; training goes on", probe, e);
        probe = NONE;
    }
}
