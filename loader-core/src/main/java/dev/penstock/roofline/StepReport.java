package dev.penstock.roofline;

import dev.penstock.probe.WaitSummary;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Where the steps' time went. Nanoseconds; immutable. The parts follow one another: first step, warm-up, steady state,
 * tail; the figures to act on are the steady state's.
 *
 * @param first the first step: pipeline fill, class loading, kernel compilation
 * @param warmup the following steps, as many as were declared warm-up
 * @param steady the steady state
 * @param tail the last steps, as many as were declared tail
 * @param wallNanos wall-clock from the making of the iterator to the end of the loop; what it has beyond
 *     {@link #summedNanos()} happened before the first and after the last step
 */
public record StepReport(Part first, Part warmup, Part steady, Part tail, long wallNanos) {

    /**
     * Some consecutive steps.
     *
     * @param steps how many
     * @param nanos time of each phase, summed; together the part's whole time
     * @param step the whole steps, as a distribution
     * @param gcNanos stop-the-world pauses that fell into these steps; they lie inside the phases, not beside them
     */
    public record Part(long steps, Map<Phase, Long> nanos, WaitSummary step, long gcNanos) {
        public Part {
            nanos = Map.copyOf(nanos);
        }

        /** The part's whole time. */
        public long totalNanos() {
            return nanos.values().stream().mapToLong(Long::longValue).sum();
        }

        /** Share of each phase, 0 to 1; together 1, or all 0 for a part without steps. */
        public Map<Phase, Double> shares() {
            Map<Phase, Double> shares = new EnumMap<>(Phase.class);
            long total = totalNanos();
            for (Phase phase : Phase.values()) {
                shares.put(phase, total == 0 ? 0 : (double) nanos.getOrDefault(phase, 0L) / total);
            }
            return shares;
        }

        /** Mean time of a step; 0 without steps. */
        public double meanNanos() {
            return steps == 0 ? 0 : (double) totalNanos() / steps;
        }
    }

    /** The sum of all phases of all parts. */
    public long summedNanos() {
        return first.totalNanos() + warmup.totalNanos() + steady.totalNanos() + tail.totalNanos();
    }

    /** A few aligned lines for a terminal. */
    public String text() {
        StringBuilder out = new StringBuilder();
        out.append(String.format(Locale.ROOT, "%-8s %6s %11s", "steps", "count", "mean ms"));
        for (Phase phase : Phase.values()) {
            out.append(String.format(Locale.ROOT, " %15s", phase.label()));
        }
        out.append(String.format(Locale.ROOT, " %10s%n", "GC ms"));
        line(out, "first", first);
        line(out, "warm-up", warmup);
        line(out, "steady", steady);
        line(out, "tail", tail);
        out.append(String.format(
                Locale.ROOT, "sum of phases %.3f s, wall-clock %.3f s%n", summedNanos() / 1e9, wallNanos / 1e9));
        return out.toString();
    }

    private static void line(StringBuilder out, String name, Part part) {
        if (part.steps() == 0) {
            return;
        }
        out.append(String.format(Locale.ROOT, "%-8s %6d %11.3f", name, part.steps(), part.meanNanos() / 1e6));
        part.shares().forEach((phase, share) -> out.append(String.format(Locale.ROOT, " %13.1f %%", 100 * share)));
        out.append(String.format(Locale.ROOT, " %10.1f%n", part.gcNanos() / 1e6));
    }

    @Override
    public String toString() {
        return text();
    }
}
