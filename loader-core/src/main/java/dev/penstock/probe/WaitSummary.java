package dev.penstock.probe;

/**
 * A distribution of waits. All in nanoseconds.
 *
 * @param count how many
 * @param total their sum
 * @param p50 median
 * @param p99 99th percentile
 * @param max longest
 */
public record WaitSummary(long count, long total, long p50, long p99, long max) {

    /** No wait at all. */
    public static final WaitSummary NONE = new WaitSummary(0, 0, 0, 0, 0);

    /** Mean in nanoseconds; 0 for none. */
    public double mean() {
        return count == 0 ? 0 : (double) total / count;
    }
}
