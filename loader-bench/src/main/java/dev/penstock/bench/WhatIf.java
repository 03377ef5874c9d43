package dev.penstock.bench;

import dev.penstock.roofline.Change;
import dev.penstock.roofline.PipelineReplay;
import dev.penstock.roofline.Prediction;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A predicted gain beside the one that was measured after the change was made. Immutable.
 *
 * @param change what was changed
 * @param predicted batches a second, as a multiple of before
 * @param error relative, as stated before the change was made
 * @param measured the same multiple, measured
 */
record WhatIf(String change, double predicted, double error, InTurn measured) {
    /** Predictions should come this close. */
    static final double WANTED = 0.15;

    /** What {@code replay} says of {@code change}; the error is the model's, and the trial's where there was one. */
    static WhatIf of(PipelineReplay replay, Change change, @Nullable PipelineReplay trial, InTurn measured) {
        Prediction prediction = replay.predict(change);
        double error = Math.hypot(prediction.relativeError(), trial == null ? 0 : trial.error());
        return new WhatIf(change.label(), 1 + prediction.gain(), error, measured);
    }

    /** How far the prediction was off, relative to what was measured. */
    double off() {
        return predicted / measured.gain() - 1;
    }

    /** One aligned line. */
    String text() {
        return String.format(
                Locale.ROOT,
                "  %-26s %5.2fx ± %2.0f %%   %5.2fx (%.2f to %.2f)  %+5.1f %%  %s",
                change,
                predicted,
                100 * error,
                measured.gain(),
                measured.low(),
                measured.high(),
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
