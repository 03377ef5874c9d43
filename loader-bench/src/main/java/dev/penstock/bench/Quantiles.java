package dev.penstock.bench;

import java.util.Arrays;

/** Quantiles of a handful of measured figures. */
public final class Quantiles {
    private Quantiles() {}

    /** The middle value, between the two middle ones of an even number. */
    public static double median(double[] values) {
        return of(values, 0.5);
    }

    /**
     * The value below which a share of all lies, linear between neighbours.
     *
     * @param values at least one, in any order; left as they are
     * @param share from 0, the least, to 1, the greatest
     */
    public static double of(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double place = share * (sorted.length - 1);
        int low = (int) place;
        int high = Math.min(sorted.length - 1, low + 1);
        return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
    }
}
