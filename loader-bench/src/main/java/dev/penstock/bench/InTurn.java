package dev.penstock.bench;

import dev.penstock.Loader;
import dev.penstock.roofline.Change;
import dev.penstock.roofline.PipelineReplay;
import dev.penstock.roofline.Prediction;
import dev.penstock.roofline.Recording;
import java.io.IOException;
import java.util.Arrays;

/**
 * Predicts a change and measures it while the machine's speed drifts: in each round the side before the change, the trial
 * that the change is predicted from, and the side after it take their turns, before and after over the very same batches.
 * A round's prediction and its gain lie beside one another; the figures are the medians over the rounds. One use, one
 * thread.
 */
final class InTurn {
    private static final int LEAST_BATCHES = 12;

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

    /** A loader at the beginning of its first epoch, closed by the caller. */
    interface Side {
        Loader open() throws IOException;
    }

    /**
     * A change whose effect on each piece of work is known.
     *
     * @param seconds of one turn before the change, about; both sides take as many batches as that gives
     * @param rounds an odd number
     */
    static WhatIf known(Change change, Side before, Side after, SimulatedStep step, double seconds, int rounds)
            throws Exception {
        InTurn turns = new InTurn(step, rounds);
        int batches = turns.batches(before, seconds);
        for (int i = 0; i < rounds; i++) {
            Recording was = turns.record(before, batches);
            turns.note(was.replay(0).predict(change), 0, was, turns.record(after, batches));
        }
        return turns.whatIf(change.label());
    }

    /** A change whose effect is what a trial shows; {@code trial} has other data than the two sides. */
    static WhatIf asInTrial(
            String label, Side before, Side trial, Side after, SimulatedStep step, double seconds, int rounds)
            throws Exception {
        InTurn turns = new InTurn(step, rounds);
        int batches = turns.batches(before, seconds);
        for (int i = 0; i < rounds; i++) {
            Recording was = turns.record(before, batches);
            PipelineReplay replay = was.replay(0);
            Recording tried = turns.record(trial, batches);
            Change change = Change.asInTrial(label, was.times(), tried.times());
            turns.note(replay.predict(change), tried.replay(0).error(), was, turns.record(after, batches));
        }
        return turns.whatIf(label);
    }

    private int batches(Side side, double seconds) throws Exception {
        double rate = record(side, LEAST_BATCHES).batchesPerSecond();
        return (int) Math.max(LEAST_BATCHES, Math.round(seconds * rate));
    }

    private Recording record(Side side, int batches) throws Exception {
        try (Loader loader = side.open()) {
            return Recording.of(loader, step, loader.batchesInMemory(), batches);
        }
    }

    private void note(Prediction prediction, double trialError, Recording was, Recording is) {
        predicted[round] = 1 + prediction.gain();
        errors[round] = Math.hypot(prediction.relativeError(), trialError);
        gains[round] = is.batchesPerSecond() / was.batchesPerSecond();
        round++;
    }

    private WhatIf whatIf(String label) {
        double[] sorted = gains.clone();
        Arrays.sort(sorted);
        return new WhatIf(
                label, median(predicted), median(errors), median(gains), sorted[0], sorted[sorted.length - 1]);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
