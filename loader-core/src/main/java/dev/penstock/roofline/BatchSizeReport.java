package dev.penstock.roofline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The accelerator's ceiling against the batch size, measured with fake batches.
 *
 * @param points what was measured, in order of size, without those that did not fit
 * @param largestFit the largest size that fitted
 * @param smallestMiss the smallest size that did not fit, or 0 when none was met
 */
public record BatchSizeReport(List<Point> points, int largestFit, int smallestMiss) {

    /**
     * One size.
     *
     * @param size samples a batch
     * @param stepSeconds median step
     * @param spread of the step: half the distance between its quartiles ÷ its median
     */
    public record Point(int size, double stepSeconds, double spread) {
        /** Samples a second. */
        public double samplesPerSecond() {
            return size / stepSeconds;
        }
    }

    public BatchSizeReport {
        points = List.copyOf(points);
    }

    /** Whether a size was met that memory does not hold. */
    public boolean hitMemory() {
        return smallestMiss > 0;
    }

    /** The size of most samples a second; 0 without a point. */
    public int best() {
        return points.stream()
                .max(java.util.Comparator.comparingDouble(Point::samplesPerSecond))
                .map(Point::size)
                .orElse(0);
    }

    /** Samples a second at the best size; 0 without a point. */
    public double samplesPerSecondAtBest() {
        return points.stream().mapToDouble(Point::samplesPerSecond).max().orElse(0);
    }

    /** The point of {@code size}, or null. */
    public @Nullable Point at(int size) {
        return points.stream().filter(point -> point.size() == size).findFirst().orElse(null);
    }

    /**
     * Seconds of a step that do not depend on the batch, and seconds that each sample adds: least squares of
     * {@code t(b) = fixed + b · each} with relative weights, both at least 0.
     */
    public Line line() {
        double w = 0;
        double x = 0;
        double y = 0;
        double xx = 0;
        double xy = 0;
        for (Point point : points) {
            double weight = 1 / (point.stepSeconds() * point.stepSeconds());
            w += weight;
            x += weight * point.size();
            y += weight * point.stepSeconds();
            xx += weight * point.size() * point.size();
            xy += weight * point.size() * point.stepSeconds();
        }
        double determinant = w * xx - x * x;
        double each = Math.abs(determinant) < 1e-12 ? 0 : (w * xy - x * y) / determinant;
        if (each <= 0 || points.size() < 2) {
            return new Line(w == 0 ? 0 : y / w, 0);
        }
        double fixed = (y - each * x) / w;
        return fixed < 0 ? new Line(0, xy / xx) : new Line(fixed, each);
    }

    /** The batch at which the samples' own cost equals the fixed cost: from here on compute dominates. */
    public double knee() {
        Line line = line();
        return line.each() == 0 ? Double.POSITIVE_INFINITY : line.fixed() / line.each();
    }

    /** Relative gain in samples a second from {@code size} to the best size; 0 when {@code size} was not measured. */
    public double gainOver(int size) {
        Point now = at(size);
        Point then = at(best());
        return now == null || then == null ? 0 : then.samplesPerSecond() / now.samplesPerSecond() - 1;
    }

    /** A straight line in seconds. */
    public record Line(double fixed, double each) {}
}
