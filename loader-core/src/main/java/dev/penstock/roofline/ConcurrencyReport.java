package dev.penstock.roofline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Throughput against the number of threads of one stage.
 *
 * @param stage decode or read
 * @param points in order of threads
 * @param locks on which workers waited inside plug-in code at the largest number of threads, the longest first
 * @param lockShare share of the stage's busy time at that number that those waits make
 */
public record ConcurrencyReport(String stage, List<Point> points, List<LockWait> locks, double lockShare) {

    /**
     * One number of threads.
     *
     * @param threads of the stage
     * @param drained batches a second without a trainer: the data roofline
     * @param training batches a second with the trainer
     * @param waitShare share of the time that the trainer waited
     * @param processCpu share of the cores that this process used while drained
     * @param machineCpu share of the cores that anyone used while drained
     * @param serviceSeconds seconds of one thread for one batch in this stage while drained
     */
    public record Point(
            int threads,
            double drained,
            double training,
            double waitShare,
            double processCpu,
            double machineCpu,
            double serviceSeconds) {}

    /** What stands in the way of more throughput. */
    public enum Limit {
        /** Nothing yet: it still rises at the largest number of threads. */
        NONE,
        /** Another stage: this one's threads idle. */
        ELSEWHERE,
        /** A lock inside the plug-in. */
        LOCK,
        /** All cores are busy. */
        CORES,
        /** A limit outside this JVM and its CPU: memory, disk or network. */
        BANDWIDTH
    }

    /** More than this between two points is a gain, not noise. */
    public static final double GAIN = 0.10;

    private static final double BUSY_CORES = 0.85;
    private static final double ALL_CORES = 0.95;
    private static final double HALF = 0.5;
    private static final double LOCKED = 0.20;

    public ConcurrencyReport {
        points = List.copyOf(points);
        locks = List.copyOf(locks);
    }

    /** The law fitted to the drained throughput; null without a point. */
    public @Nullable UslFit fit() {
        return points.isEmpty()
                ? null
                : UslFit.of(points.stream()
                        .map(point -> new UslFit.Point(point.threads(), point.drained()))
                        .toList());
    }

    /** Whether more threads stop helping before the largest number measured. */
    public boolean hasPlateau() {
        UslFit fit = fit();
        return fit != null && fit.hasPlateau(GAIN);
    }

    /** The least number of threads that gives all there is, within {@link #GAIN}; 0 without a point. */
    public int enough() {
        UslFit fit = fit();
        return fit == null ? 0 : fit.plateau(GAIN);
    }

    /** Whether throughput at the largest number of threads lies below the best. */
    public boolean fallsPastPeak() {
        UslFit fit = fit();
        return fit != null && fit.fallsPastPeak(GAIN);
    }

    /** The highest data roofline measured. */
    public double best() {
        return points.stream().mapToDouble(Point::drained).max().orElse(0);
    }

    /** The point of {@code threads} threads, or null. */
    public @Nullable Point at(int threads) {
        return points.stream()
                .filter(point -> point.threads() == threads)
                .findFirst()
                .orElse(null);
    }

    /** Whether the machine is full and this process has less than half of it: the figures are the neighbours' too. */
    public boolean othersHoldTheCores() {
        return points.stream().anyMatch(p -> p.machineCpu() > BUSY_CORES && p.processCpu() < p.machineCpu() / 2);
    }

    /** Why throughput stops rising. */
    public Limit limit() {
        if (points.isEmpty()) {
            return Limit.NONE;
        }
        Point last = points.get(points.size() - 1);
        if (!hasPlateau() && !fallsPastPeak()) {
            // On a machine that others use too, more threads still win cores from them: no capacity to count on.
            return last.processCpu() > HALF && last.machineCpu() > ALL_CORES ? Limit.CORES : Limit.NONE;
        }
        double capacity = last.serviceSeconds() > 0 ? last.threads() / last.serviceSeconds() : Double.POSITIVE_INFINITY;
        if (capacity > 1.5 * last.drained()) {
            return Limit.ELSEWHERE;
        }
        if (lockShare > LOCKED) {
            return Limit.LOCK;
        }
        return last.machineCpu() > BUSY_CORES || last.processCpu() > BUSY_CORES ? Limit.CORES : Limit.BANDWIDTH;
    }
}
