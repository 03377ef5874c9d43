package dev.penstock.probe;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each epoch's report at info, and each wait above a threshold at debug. */
public final class LoggingProbe implements DataWaitProbe {
    private static final Logger LOG = LoggerFactory.getLogger("dev.penstock.datawait");

    private final long thresholdNanos;

    /** Logs waits of at least {@code thresholdNanos} nanoseconds. */
    public LoggingProbe(long thresholdNanos) {
        this.thresholdNanos = thresholdNanos;
    }

    @Override
    public void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {
        if (waitNanos >= thresholdNanos && LOG.isDebugEnabled()) {
            LOG.debug("epoch {} batch {}: waited {}", epoch, batch, ReportText.time(waitNanos));
        }
    }

    @Override
    public void tuned(TuningStep step) {
        LOG.info("autotune {}", step);
    }

    @Override
    public void epochEnded(DataWaitReport report) {
        LOG.info("{}", report.text().stripTrailing());
    }
}
