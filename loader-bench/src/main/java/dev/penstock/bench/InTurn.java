package dev.penstock.bench;

import dev.penstock.Loader;
import dev.penstock.roofline.Change;
import dev.penstock.roofline.PipelineReplay;
import dev.penstock.roofline.Prediction;
import dev.penstock.roofline.Recording;

/**
 * Predicts a change and measures it while the machine's speed drifts: in each round the side before the change, the trial
 * that the change is predicted from, and the side after it take their turns, before and after over the very same batches.
 * A round's prediction and its gain lie beside one another; the figures are the medians over the rounds. One use, one
 * thread.
 */
final class InTurn {
    /** Of a trial, whose batches are cheap and say what all others will cost. */
    private static final int LEAST_TRIED = 24;

    private final SimulatedStep step;
    private final double[] predicted;
    private final double[] errors;
    private final double[] gains;
    private int round;

    private InTurn(SimulatedStep step, int rounds) {
        this.step = step;
        predicted = new double[rounds];
        errors = new double[rounds];
        gains = new double[rounds];
    }

    /**
     * A change whose effect on each piece of work is known.
     *
     * @param before a fresh loader; the caller's
     * @param after a fresh loader of the same seed, so that the same samples come; the caller's
     * @param batches of each turn, at least 10
     * @param rounds an odd number
     */
    static WhatIf known(Change change, Loader before, Loader after, SimulatedStep step, int batches, int rounds)
            throws Exception {
        InTurn turns = new InTurn(step, rounds);
        for (int i = 0; i < rounds; i++) {
            Recording was = turns.record(before, batches);
            turns.note(was.replay(0).predict(change), 0, was, turns.record(after, batches));
        }
        return turns.whatIf(change.label());
    }

    /** A change whose effect is what a trial shows; {@code trial} has other data than the two sides. */
    static WhatIf asInTrial(
            String label, Loader before, Loader trial, Loader after, SimulatedStep step, int batches, int rounds)
            throws Exception {
        InTurn turns = new InTurn(step, rounds);
        for (int i = 0; i < rounds; i++) {
            Recording was = turns.record(before, batches);
            PipelineReplay replay = was.replay(0);
            Recording tried = turns.record(trial, Math.max(LEAST_TRIED, batches));
            Change change = Change.asInTrial(label, was.times(), tried.times());
            double trialError = replay.with(tried.times()).error();
            turns.note(replay.predict(change), trialError, was, turns.record(after, batches));
        }
        return turns.whatIf(label);
    }

    /** The loader's next epoch, up to so many batches. Sides that take equal turns meet the same epochs. */
    private Recording record(Loader loader, int batches) throws Exception {
        return Recording.of(loader, step, loader.batchesInMemory(), batches);
    }

    private void note(Prediction prediction, double trialError, Recording was, Recording is) {
        predicted[round] = 1 + prediction.gain();
        errors[round] = Math.hypot(prediction.relativeError(), trialError);
        gains[round] = is.batchesPerSecond() / was.batchesPerSecond();
        round++;
    }

    private WhatIf whatIf(String label) {
        return new WhatIf(
                label,
                Quantiles.median(predicted),
                Quantiles.median(errors),
                Quantiles.median(gains),
                Quantiles.of(gains, 0),
                Quantiles.of(gains, 1));
    }
}
