package dev.penstock.engine;

import dev.penstock.probe.Awaited;
import dev.penstock.probe.WaitSummary;
import org.HdrHistogram.Histogram;

/**
 * The trainer's waits of one epoch. Written by the trainer's thread, read by any; guarded by its monitor.
 */
final class WaitLedger {
    /** Waits are told apart up to one hour, with three digits. */
    private static final long LONGEST = 3_600_000_000_000L;

    private final Histogram steady = new Histogram(1, LONGEST, 3);
    private final Histogram tail = new Histogram(1, LONGEST, 3);
    private long first;
    private long batches;
    private long samples;
    private long waitNanos;
    private long stepNanos;
    private long steadyNanos;
    private long tailNanos;
    private long startedAt;
    private long lastAt;
    private final long[] awaited = new long[5];

    /** Starts anew at {@code now}. */
    synchronized void reset(long now) {
        steady.reset();
        tail.reset();
        first = batches = samples = waitNanos = stepNanos = steadyNanos = tailNanos = 0;
        java.util.Arrays.fill(awaited, 0);
        startedAt = now;
        lastAt = now;
    }

    /**
     * One delivery: the trainer asked at {@code from} and had the batch at {@code to}.
     *
     * @param inTail whether the batch belongs to the epoch's tail
     * @return the time between the previous delivery and {@code from}; 0 for the first
     */
    synchronized long delivered(BatchJob job, long from, long to, boolean inTail) {
        long wait = to - from;
        long step = batches == 0 ? 0 : from - lastAt;
        if (batches == 0) {
            first = wait;
            startedAt = from;
        } else if (inTail) {
            tail.recordValue(Math.min(wait, LONGEST));
            tailNanos += wait;
        } else {
            steady.recordValue(Math.min(wait, LONGEST));
            steadyNanos += wait;
        }
        batches++;
        samples += job.slab.rows();
        waitNanos += wait;
        stepNanos += step;
        lastAt = to;
        cut(job, from, to);
        return step;
    }

    /** Cuts the wait at the instants when the batch was started, read, decoded and collated. */
    private void cut(BatchJob job, long from, long to) {
        long at = cut(0, from, job.startedAt, to);
        at = cut(1, at, job.readAt, to);
        at = cut(2, at, job.decodedAt, to);
        at = cut(3, at, job.collatedAt, to);
        cut(4, at, to, to);
    }

    /** Gives {@code part} the time up to {@code end}; returns where the next part starts. */
    private long cut(int part, long from, long end, long to) {
        long until = Math.min(Math.max(end, from), to);
        awaited[part] += until - from;
        return until;
    }

    synchronized long batches() {
        return batches;
    }

    synchronized long samples() {
        return samples;
    }

    synchronized long firstNanos() {
        return first;
    }

    synchronized long waitNanos() {
        return waitNanos;
    }

    synchronized long stepNanos() {
        return stepNanos;
    }

    synchronized long wallNanos() {
        return lastAt - startedAt;
    }

    synchronized Awaited awaited() {
        return new Awaited(awaited[0], awaited[1], awaited[2], awaited[3], awaited[4]);
    }

    synchronized WaitSummary steady() {
        return summary(steady, steadyNanos);
    }

    synchronized WaitSummary tail() {
        return summary(tail, tailNanos);
    }

    private static WaitSummary summary(Histogram histogram, long total) {
        return histogram.getTotalCount() == 0
                ? WaitSummary.NONE
                : new WaitSummary(
                        histogram.getTotalCount(),
                        total,
                        histogram.getValueAtPercentile(50),
                        histogram.getValueAtPercentile(99),
                        histogram.getMaxValue());
    }
}
