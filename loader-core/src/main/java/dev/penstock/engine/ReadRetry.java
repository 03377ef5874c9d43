package dev.penstock.engine;

/**
 * How often a read that may succeed later is tried, and how long it waits in between.
 *
 * @param attempts tries in all, at least 1
 * @param firstPauseNanos before the second try; doubled for each further one, jittered between half and whole
 */
public record ReadRetry(int attempts, long firstPauseNanos) {
    /** Four tries: 50, 100 and 200 ms in between. */
    public static final ReadRetry DEFAULT = new ReadRetry(4, 50_000_000);
}
