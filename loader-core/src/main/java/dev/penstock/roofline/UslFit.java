package dev.penstock.roofline;

import java.util.List;

/**
 * The Universal Scalability Law fitted to measured throughputs: {@code X(n) = λ n / (1 + σ (n − 1) + κ n (n − 1))}.
 *
 * <p>Source: Neil J. Gunther, "Guerrilla Capacity Planning" (Springer 2007), chapter 4 and the later three-parameter
 * form. λ is the throughput of one thread, σ contention (the serial share: a lock, one disk), κ coherency (the cost of
 * threads talking to each other, or of more threads than cores: it makes throughput fall past a peak).
 *
 * <p>Method: {@code n / X} is linear in {@code 1/λ, σ/λ, κ/λ}; least squares on it, each point weighted by
 * {@code (X/n)²} so that relative errors of X count alike, with all three held at or above 0 by trying every set of
 * active bounds. With measurements at one n only λ is fitted, at two λ and σ or λ and κ, whichever is closer.
 *
 * @param lambda throughput of one thread
 * @param sigma contention, at least 0
 * @param kappa coherency, at least 0
 * @param error root mean square of the relative residuals
 * @param points what was fitted, in order of n
 */
public record UslFit(double lambda, double sigma, double kappa, double error, List<Point> points) {

    /** A throughput measured with n threads. */
    public record Point(int n, double throughput) {}

    public UslFit {
        points = List.copyOf(points);
    }

    /**
     * Fits.
     *
     * @throws IllegalArgumentException without a point, or with one whose n or throughput is not above 0
     */
    public static UslFit of(List<Point> measured) {
        if (measured.isEmpty()) {
            throw new IllegalArgumentException("no point to fit; measure at least one concurrency");
        }
        for (Point point : measured) {
            if (point.n() < 1 || !(point.throughput() > 0) || Double.isInfinite(point.throughput())) {
                throw new IllegalArgumentException(
                        point + " can't be fitted; n must be at least 1, throughput above 0");
            }
        }
        List<Point> points = measured.stream()
                .sorted(java.util.Comparator.comparingInt(Point::n))
                .toList();
        int distinct = (int) points.stream().mapToInt(Point::n).distinct().count();
        UslFit best = null;
        for (int active = 0; active < 4; active++) {
            if (Integer.bitCount(active) >= distinct) {
                continue;
            }
            UslFit fit = solve(points, (active & 1) != 0, (active & 2) != 0);
            if (fit != null && (best == null || fit.error < best.error - 1e-9)) {
                best = fit;
            }
        }
        return java.util.Objects.requireNonNull(best, "the fit of λ alone always exists");
    }

    /** Throughput that the law gives for n threads. */
    public double at(double n) {
        return lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
    }

    /** The n of the highest throughput; infinite when more threads never hurt. */
    public double peak() {
        return kappa == 0 ? Double.POSITIVE_INFINITY : Math.max(1, Math.sqrt(Math.max(0, 1 - sigma) / kappa));
    }

    /** The highest throughput that any n gives; infinite for a perfectly scaling pipeline. */
    public double ceiling() {
        if (kappa == 0) {
            return sigma == 0 ? Double.POSITIVE_INFINITY : lambda / Math.min(1, sigma);
        }
        return at(peak());
    }

    /**
     * The least measured n from which no larger measured n is better by {@code gain} (0.1: ten percent); the largest
     * measured n when throughput still rises there.
     */
    public int plateau(double gain) {
        for (Point point : points) {
            double here = mean(point.n());
            boolean better = points.stream()
                    .filter(other -> other.n() > point.n())
                    .anyMatch(other -> mean(other.n()) > here * (1 + gain));
            if (!better) {
                return point.n();
            }
        }
        throw new AssertionError("the last point has no successor");
    }

    /** Whether throughput stops rising before the largest measured n. */
    public boolean hasPlateau(double gain) {
        return plateau(gain) < points.get(points.size() - 1).n();
    }

    /** Whether throughput at the largest measured n lies below the best by more than {@code loss} (0.1: ten percent). */
    public boolean fallsPastPeak(double loss) {
        double best =
                points.stream().mapToDouble(point -> mean(point.n())).max().orElseThrow();
        return mean(points.get(points.size() - 1).n()) < best * (1 - loss);
    }

    private double mean(int n) {
        return points.stream()
                .filter(point -> point.n() == n)
                .mapToDouble(Point::throughput)
                .average()
                .orElseThrow();
    }

    /** Weighted least squares of n/X on the chosen columns of (1, n−1, n(n−1)); null when a coefficient is negative. */
    private static @org.jspecify.annotations.Nullable UslFit solve(
            List<Point> points, boolean contention, boolean coherency) {
        int columns = 1 + (contention ? 1 : 0) + (coherency ? 1 : 0);
        double[][] normal = new double[columns][columns + 1];
        for (Point point : points) {
            double[] row = row(point.n(), contention, coherency);
            double y = point.n() / point.throughput();
            double weight = 1 / (y * y);
            for (int i = 0; i < columns; i++) {
                for (int j = 0; j < columns; j++) {
                    normal[i][j] += weight * row[i] * row[j];
                }
                normal[i][columns] += weight * row[i] * y;
            }
        }
        double[] solution = eliminate(normal);
        if (solution == null || !(solution[0] > 0)) {
            return null;
        }
        double b = contention ? solution[1] : 0;
        double c = coherency ? solution[columns - 1] : 0;
        if (b < 0 || c < 0) {
            return null;
        }
        UslFit fit = new UslFit(1 / solution[0], b / solution[0], c / solution[0], 0, points);
        double squares = points.stream()
                .mapToDouble(point -> Math.pow(fit.at(point.n()) / point.throughput() - 1, 2))
                .sum();
        return new UslFit(fit.lambda, fit.sigma, fit.kappa, Math.sqrt(squares / points.size()), points);
    }

    private static double[] row(int n, boolean contention, boolean coherency) {
        double quadratic = (double) n * (n - 1);
        if (contention && coherency) {
            return new double[] {1, n - 1, quadratic};
        }
        return contention ? new double[] {1, n - 1} : coherency ? new double[] {1, quadratic} : new double[] {1};
    }

    /** Gauss-Jordan with partial pivoting on at most three unknowns; null when singular. */
    private static double @org.jspecify.annotations.Nullable [] eliminate(double[][] m) {
        int size = m.length;
        for (int column = 0; column < size; column++) {
            int pivot = column;
            for (int i = column + 1; i < size; i++) {
                if (Math.abs(m[i][column]) > Math.abs(m[pivot][column])) {
                    pivot = i;
                }
            }
            if (Math.abs(m[pivot][column]) < 1e-12) {
                return null;
            }
            double[] swap = m[pivot];
            m[pivot] = m[column];
            m[column] = swap;
            for (int i = 0; i < size; i++) {
                if (i != column) {
                    double factor = m[i][column] / m[column][column];
                    for (int j = column; j <= size; j++) {
                        m[i][j] -= factor * m[column][j];
                    }
                }
            }
        }
        double[] solution = new double[size];
        for (int i = 0; i < size; i++) {
            solution[i] = m[i][size] / m[i][i];
        }
        return solution;
    }
}
