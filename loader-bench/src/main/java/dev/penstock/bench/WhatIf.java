package dev.penstock.bench;

import dev.penstock.roofline.Change;
import dev.penstock.roofline.PipelineReplay;
import dev.penstock.roofline.Prediction;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A prediction beside what was measured after the change was made. Immutable.
 *
 * @param change what was changed
 * @param predicted batches a second
 * @param error relative, as stated before the change was made
 * @param measured batches a second
 */
record WhatIf(String change, double predicted, double error, double measured) {
    /** Predictions should come this close. */
    static final double WANTED = 0.15;

    /** What {@code replay} says of {@code change}; the error is the model's, and the trial's where there was one. */
    static WhatIf of(PipelineReplay replay, Change change, @Nullable PipelineReplay trial, double measured) {
        Prediction prediction = replay.predict(change);
        double error = Math.hypot(prediction.relativeError(), trial == null ? 0 : trial.error());
        return new WhatIf(change.label(), prediction.batchesPerSecond(), error, measured);
    }

    /** How far the prediction was off, relative to what was measured. */
    double off() {
        return predicted / measured - 1;
    }

    /** One aligned line. */
    String text() {
        return String.format(
                Locale.ROOT,
                "  %-30s %7.1f ± %4.1f %%   %9.1f   %+6.1f %%   %s",
                change,
                predicted,
                100 * error,
                measured,
                100 * off(),
                verdict());
    }

    private String verdict() {
        double off = Math.abs(off());
        if (off <= WANTED) {
            return error > WANTED ? "close, though the model promised only its stated error" : "within 15 %";
        }
        return off <= error
                ? "off by more than 15 %, within the error it stated: this run was too noisy to predict from"
                : "off by more than 15 % and than the error it stated";
    }
}
