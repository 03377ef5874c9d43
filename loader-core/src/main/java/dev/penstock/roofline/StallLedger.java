package dev.penstock.roofline;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a training step's time is lost to, from four runs of the same steps.
 *
 * <ul>
 *   <li>A: the trainer on replayed batches, the loader off: <em>compute</em>
 *   <li>B: the same, while the loader runs at the real pace and its output is dropped: B − A is <em>contention</em>, what
 *       the loader's own CPU use costs the step. It hides from a timer around {@code next()}.
 *   <li>C: the loader for real, data warm: C − B is <em>preparation</em>
 *   <li>D: the same, data cold: D − C is <em>fetch</em>
 * </ul>
 *
 * <p>Each run is measured in rounds, best in turn (A B C D A B C D …) so that drift of the machine hits all alike. A
 * run's figure is the median over its rounds of the mean step (wait included). Means within a round, because a median
 * would not see a stall at every tenth step; medians over rounds, because a neighbour on the machine may spoil one. The
 * intervals are percentile bootstrap intervals (rounds drawn with replacement, then steps within each), from a fixed
 * seed. The parts are differences, so they add up to the total exactly; a negative part is noise, or a step that
 * overlaps, and is shown as it is.
 *
 * @param parts each part of a step, in order
 * @param total the whole step of the last run
 * @param confidence the intervals' confidence, 0 to 1
 */
public record StallLedger(Map<Part, Interval> parts, Interval total, double confidence) {

    /** The parts of a step. */
    public enum Part {
        /** The step on batches that are there already, the loader off. */
        COMPUTE,
        /** Slow-down of the step by the loader's CPU use. */
        CONTENTION,
        /** Wait for decode and collate. */
        PREPARATION,
        /** Wait for bytes from a cold store. */
        FETCH
    }

    /** An estimate with its interval, in nanoseconds a step. */
    public record Interval(double estimate, double low, double high) {
        /** Whether the interval leaves no doubt that the value is above 0. */
        public boolean isPositive() {
            return low > 0;
        }
    }

    private static final int RESAMPLES = 2_000;
    private static final double CONFIDENCE = 0.95;

    public StallLedger {
        Map<Part, Interval> ordered = new EnumMap<>(Part.class);
        ordered.putAll(parts);
        parts = java.util.Collections.unmodifiableMap(ordered);
    }

    /**
     * The ledger of the runs that were made: A alone, A and B, A to C, or all four; a part without its run is absent.
     *
     * @param runs for each of A, B, C, D its rounds, for each round its steps in nanoseconds, waits included
     * @param seed of the bootstrap
     * @throws IllegalArgumentException without a run, or with a round without steps
     */
    public static StallLedger of(List<List<long[]>> runs, long seed) {
        if (runs.isEmpty() || runs.size() > Part.values().length) {
            throw new IllegalArgumentException("the ledger takes 1 to 4 runs, got " + runs.size());
        }
        for (List<long[]> rounds : runs) {
            if (rounds.isEmpty() || rounds.stream().anyMatch(round -> round.length == 0)) {
                throw new IllegalArgumentException("every run needs a round, and every round a step");
            }
        }
        SplittableRandom random = new SplittableRandom(seed);
        double[] estimates = new double[runs.size()];
        double[][] resampled = new double[runs.size()][RESAMPLES];
        for (int run = 0; run < runs.size(); run++) {
            estimates[run] = statistic(runs.get(run));
            for (int i = 0; i < RESAMPLES; i++) {
                resampled[run][i] = resample(runs.get(run), random);
            }
        }
        Map<Part, Interval> parts = new EnumMap<>(Part.class);
        for (int run = 0; run < runs.size(); run++) {
            double[] differences = resampled[run].clone();
            for (int i = 0; run > 0 && i < RESAMPLES; i++) {
                differences[i] -= resampled[run - 1][i];
            }
            double estimate = run == 0 ? estimates[0] : estimates[run] - estimates[run - 1];
            parts.put(Part.values()[run], interval(estimate, differences));
        }
        int last = runs.size() - 1;
        return new StallLedger(parts, interval(estimates[last], resampled[last]), CONFIDENCE);
    }

    /** A part, or nothing where its run was not made. */
    public Interval part(Part part) {
        return parts.getOrDefault(part, new Interval(0, 0, 0));
    }

    /** The step without any stall ÷ the whole step: 1 when no time is lost to data. */
    public double efficiency() {
        Interval compute = parts.get(Part.COMPUTE);
        return compute == null || total.estimate() == 0 ? 1 : compute.estimate() / total.estimate();
    }

    /** A few aligned lines for a terminal. */
    public String text() {
        StringBuilder out = new StringBuilder();
        parts.forEach((part, value) -> line(out, part.name().toLowerCase(Locale.ROOT), value));
        line(out, "whole step", total);
        return out.toString();
    }

    private void line(StringBuilder out, String name, Interval value) {
        out.append(String.format(
                Locale.ROOT,
                "%-12s %9.3f ms  (%.3f to %.3f)  %5.1f %%%n",
                name,
                value.estimate() / 1e6,
                value.low() / 1e6,
                value.high() / 1e6,
                100 * value.estimate() / total.estimate()));
    }

    private static double statistic(List<long[]> rounds) {
        return median(rounds.stream()
                .mapToDouble(round -> Arrays.stream(round).average().orElseThrow())
                .toArray());
    }

    private static double resample(List<long[]> rounds, SplittableRandom random) {
        double[] means = new double[rounds.size()];
        for (int i = 0; i < means.length; i++) {
            long[] round = rounds.get(random.nextInt(rounds.size()));
            double sum = 0;
            for (int j = 0; j < round.length; j++) {
                sum += round[random.nextInt(round.length)];
            }
            means[i] = sum / round.length;
        }
        return median(means);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }

    private static Interval interval(double estimate, double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int cut = (int) Math.floor((1 - CONFIDENCE) / 2 * sorted.length);
        return new Interval(
                estimate, Math.min(estimate, sorted[cut]), Math.max(estimate, sorted[sorted.length - 1 - cut]));
    }
}
