package dev.penstock.decode.truth;

import dev.penstock.view.Column;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record, or the two, that stand for an instant. Reused; one thread.
 *
 * <p>Instants and times within a microsecond count as equal: truth is often written with six decimals.
 */
final class RecordPick {
    /** Half a microsecond of rounding on either side. */
    static final double SLACK = 1e-6;

    private int first;
    private int second;
    private double weight;

    // The last question: columns of one instant mostly ask the same.
    private @Nullable TruthTable lastTable;
    private Column.@Nullable Pick lastPick;
    private double lastTolerance;
    private double lastInstant;
    private boolean lastFound;

    /**
     * Whether the table has a value for {@code instant}. NEAREST, PREVIOUS: the record is within the tolerance. LINEAR: it
     * is between two records, the nearer one within the tolerance, or at a record's own time.
     */
    boolean find(TruthTable table, Column.Pick pick, double tolerance, double instant) {
        if (table == lastTable && pick == lastPick && tolerance == lastTolerance && instant == lastInstant) {
            return lastFound;
        }
        lastTable = table;
        lastPick = pick;
        lastTolerance = tolerance;
        lastInstant = instant;
        lastFound = search(table, pick, tolerance, instant);
        return lastFound;
    }

    private boolean search(TruthTable table, Column.Pick pick, double tolerance, double instant) {
        second = -1;
        weight = 0;
        if (table.constant()) {
            first = 0;
            return true;
        }
        if (!Double.isFinite(instant)) {
            return false;
        }
        return switch (pick) {
            case NEAREST -> nearest(table, tolerance, instant);
            case PREVIOUS -> previous(table, tolerance, instant);
            case LINEAR -> between(table, tolerance, instant);
        };
    }

    /** The record, or the earlier one of two. */
    int first() {
        return first;
    }

    /** The later one of two, or -1. */
    int second() {
        return second;
    }

    /** How much of the value comes from {@link #second()}, 0 to 1. */
    double weight() {
        return weight;
    }

    private boolean nearest(TruthTable table, double tolerance, double instant) {
        int after = firstAtOrAfter(table, instant);
        int before = after - 1;
        boolean takeBefore = after == table.records()
                || (before >= 0 && instant - table.timeOf(before) <= table.timeOf(after) - instant);
        first = takeBefore ? firstAtOrAfter(table, table.timeOf(before)) : after;
        return Math.abs(table.timeOf(first) - instant) <= tolerance + SLACK;
    }

    private boolean previous(TruthTable table, double tolerance, double instant) {
        first = firstAtOrAfter(table, Math.nextUp(instant + SLACK)) - 1;
        return first >= 0 && instant - table.timeOf(first) <= tolerance + SLACK;
    }

    private boolean between(TruthTable table, double tolerance, double instant) {
        int after = firstAtOrAfter(table, instant);
        int before = after - 1;
        if (after < table.records() && table.timeOf(after) - instant <= SLACK) {
            first = after;
            return true;
        }
        if (before >= 0 && instant - table.timeOf(before) <= SLACK) {
            first = firstAtOrAfter(table, table.timeOf(before));
            return true;
        }
        if (before < 0 || after == table.records()) {
            return false;
        }
        double early = table.timeOf(before);
        double late = table.timeOf(after);
        first = before;
        second = after;
        weight = (instant - early) / (late - early);
        return Math.min(instant - early, late - instant) <= tolerance + SLACK;
    }

    /** The first record whose time is at or after {@code instant}, or the number of records. */
    private static int firstAtOrAfter(TruthTable table, double instant) {
        int low = 0;
        int high = table.records();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (table.timeOf(middle) < instant) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Why {@link #find} said no. */
    static String why(TruthTable table, Column.Pick pick, double tolerance, double instant) {
        int after = firstAtOrAfter(table, instant);
        String before = after > 0 ? seconds(table.timeOf(after - 1)) : "none";
        String behind = after < table.records() ? seconds(table.timeOf(after)) : "none";
        String rule = switch (pick) {
            case NEAREST -> "the nearest record within ";
            case PREVIOUS -> "a record at or before it, within ";
            case LINEAR -> "a record on either side, the nearer one within ";
        };
        return "no truth for " + seconds(instant) + ": the records around it are at " + before + " and " + behind
                + "; needed is " + rule + seconds(tolerance) + " (raise the tolerance, or anchor at the truth)";
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.6f s", value);
    }
}
