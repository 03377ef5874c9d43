package dev.penstock.probe;

/**
 * One stage between two instants. Nanoseconds and bytes.
 *
 * @param stage read, decode or collate
 * @param threads worker threads at the end of the interval
 * @param items pieces of work finished
 * @param batches batches whose work was finished here
 * @param busyNanos time that workers spent working, summed over threads
 * @param cpuNanos CPU time of the workers, summed over threads; -1 where the JVM can't tell
 * @param takeWaitNanos time that workers waited for work, summed
 * @param putWaitNanos time that workers waited to hand work on (queue full, no free batch or no memory), summed
 * @param queueDepth pieces waiting before the stage at the end of the interval
 * @param queueCapacity the most that may wait there
 * @param bytes bytes read, pixels written or truth bytes written
 */
public record StageStats(
        String stage,
        int threads,
        long items,
        long batches,
        long busyNanos,
        long cpuNanos,
        long takeWaitNanos,
        long putWaitNanos,
        int queueDepth,
        int queueCapacity,
        long bytes) {

    /** Mean service time of one batch in seconds of one thread; NaN before the first batch. */
    public double serviceSeconds() {
        return batches == 0 ? Double.NaN : busyNanos / 1e9 / batches;
    }

    /** Batches a second that the stage could do with its threads: threads ÷ mean service time. */
    public double capacity() {
        double service = serviceSeconds();
        return service > 0 ? threads / service : Double.POSITIVE_INFINITY;
    }
}
