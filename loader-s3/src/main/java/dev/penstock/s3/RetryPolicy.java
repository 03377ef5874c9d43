package dev.penstock.s3;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * When to try a request again. Immutable.
 *
 * <p>The wait before attempt n+1 is drawn from the upper half of {@code min(longestWait, firstWait · 2ⁿ⁻¹)}, so that
 * clients which failed together do not come back together. Only failures that may pass are tried again: throttling,
 * server errors, connections refused or cut, time-outs, and bodies of the wrong length or digest.
 *
 * @param attempts most attempts of one request, the first included
 * @param firstWait wait after the first failure, before jitter
 * @param longestWait upper limit of the wait
 * @param attemptTimeout time that one attempt may take, from its send to its last byte
 * @param totalTimeout time that all attempts and waits of one request may take together; time in the store's own queue
 *     is not counted
 */
public record RetryPolicy(
        int attempts, Duration firstWait, Duration longestWait, Duration attemptTimeout, Duration totalTimeout) {

    /** Twenty attempts within two minutes, 100 ms to 10 s apart, 30 s each: rides out an outage of a minute. */
    public static final RetryPolicy STANDARD = new RetryPolicy(
            20, Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(120));

    /** @throws IllegalArgumentException naming every wrong value */
    public RetryPolicy {
        List<String> wrong = new ArrayList<>();
        if (attempts < 1) {
            wrong.add("attempts was " + attempts + ", must be at least 1");
        }
        checkPositive("firstWait", firstWait, wrong);
        checkPositive("longestWait", longestWait, wrong);
        checkPositive("attemptTimeout", attemptTimeout, wrong);
        checkPositive("totalTimeout", totalTimeout, wrong);
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", wrong));
        }
    }

    /** The same with another number of attempts. */
    public RetryPolicy withAttempts(int most) {
        return new RetryPolicy(most, firstWait, longestWait, attemptTimeout, totalTimeout);
    }

    /** The same with other waits. */
    public RetryPolicy withWaits(Duration first, Duration longest) {
        return new RetryPolicy(attempts, first, longest, attemptTimeout, totalTimeout);
    }

    /** The same with other time limits. */
    public RetryPolicy withTimeouts(Duration attempt, Duration total) {
        return new RetryPolicy(attempts, firstWait, longestWait, attempt, total);
    }

    /**
     * The same for as long as this: so much time for all attempts of one request together, and at least as many attempts
     * as fit into it when a server refuses at once.
     */
    public RetryPolicy lasting(Duration total) {
        double growing = Math.log((double) longestWait.toNanos() / firstWait.toNanos()) / Math.log(2);
        double fit = 2.0 * total.toNanos() / longestWait.toNanos() + Math.max(0, growing) + 1;
        return new RetryPolicy((int) Math.max(attempts, Math.ceil(fit)), firstWait, longestWait, attemptTimeout, total);
    }

    /**
     * Nanoseconds to wait after a number of failures.
     *
     * @param failures at least 1
     * @param jitter in [0, 1)
     */
    long waitNanos(int failures, double jitter) {
        double full = (double) firstWait.toNanos() * Math.pow(2, Math.min(failures - 1, 40));
        double capped = Math.min(full, (double) longestWait.toNanos());
        return (long) (capped * (0.5 + 0.5 * jitter));
    }

    private static void checkPositive(String name, Duration value, List<String> wrong) {
        if (value.isZero() || value.isNegative()) {
            wrong.add(name + " was " + value + ", must be more than zero");
        }
    }
}
