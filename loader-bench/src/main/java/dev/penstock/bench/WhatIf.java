package dev.penstock.bench;

import java.util.Locale;

/**
 * A predicted gain beside the measured one, both in batches a second as a multiple of before. Immutable.
 *
 * @param change what was changed
 * @param predicted from what was recorded on the side before the change, and on a trial where there was one
 * @param error relative, as the prediction states it: the model's, and the trial's
 * @param measured the gain on the side after it
 * @param low lowest of the rounds' measured gains
 * @param high highest of them
 */
record WhatIf(String change, double predicted, double error, double measured, double low, double high) {
    /** Predictions should come this close. */
    static final double WANTED = 0.15;

    /** How far the prediction was off, relative to what was measured. */
    double off() {
        return predicted / measured - 1;
    }

    /** One aligned line. */
    String text() {
        return String.format(
                Locale.ROOT,
                "  %-26s %5.2fx ± %2.0f %%   %5.2fx (%.2f to %.2f)  %+5.1f %%  %s",
                change,
                predicted,
                100 * error,
                measured,
                low,
                high,
                100 * off(),
                verdict());
    }

    private String verdict() {
        double off = Math.abs(off());
        if (off <= WANTED) {
            return "within 15 %";
        }
        return off <= error
                ? "within the error it stated, which was too large to act on"
                : "off by more than it stated";
    }
}
