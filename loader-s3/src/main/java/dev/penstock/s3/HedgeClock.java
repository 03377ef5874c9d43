package dev.penstock.s3;

import java.time.Duration;
import java.util.Arrays;

/**
 * Says after how long without a first byte a second, equal request is worth it, and whether the budget allows it.
 *
 * <p>The delay is a percentile of the last 256 times to first byte, and never under {@link #floor}; nothing is hedged
 * before 32 were seen. The budget is a share of all requests. Thread-safe.
 */
final class HedgeClock {
    private static final int SAMPLES = 256;
    private static final int LEAST_SAMPLES = 32;
    private static final int REFRESH = 16;

    private final double percentile;
    private final double budget;
    private final long floor;
    /** Guarded by this. */
    private final long[] samples = new long[SAMPLES];
    /** Guarded by this; first bytes ever seen. */
    private long seen;
    /** Guarded by this. */
    private long requests;
    /** Guarded by this. */
    private long hedges;
    /** Guarded by this; nanoseconds. */
    private long delay = Long.MAX_VALUE;

    /**
     * @param percentile in (0, 1): of times to first byte, the one after which to hedge
     * @param budget hedges per request, at most
     */
    HedgeClock(double percentile, double budget, Duration floor) {
        this.percentile = percentile;
        this.budget = budget;
        this.floor = floor.toNanos();
    }

    /** Notes a request that is no hedge. */
    synchronized void sent() {
        requests++;
    }

    /** Notes a time to first byte. */
    synchronized void firstByte(long nanos) {
        samples[(int) (seen++ % SAMPLES)] = nanos;
        if (seen >= LEAST_SAMPLES && seen % REFRESH == 0) {
            long[] sorted = Arrays.copyOf(samples, (int) Math.min(seen, SAMPLES));
            Arrays.sort(sorted);
            delay = Math.max(floor, sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * percentile))]);
        }
    }

    /** Nanoseconds to wait for a first byte before hedging; {@link Long#MAX_VALUE} for never. */
    synchronized long delayNanos() {
        return delay;
    }

    /** Takes one hedge from the budget, if one is left. */
    synchronized boolean take() {
        if (hedges + 1 > requests * budget) {
            return false;
        }
        hedges++;
        return true;
    }
}
