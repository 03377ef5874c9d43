package dev.penstock.probe;

import java.util.Locale;

/**
 * One decision of the tuning on line, with its evidence. Immutable.
 *
 * @param number from 1
 * @param action what was decided
 * @param read read workers from here on
 * @param decode decode workers from here on
 * @param batchMillis the measured time of a batch, wait and step, that the decision stands on
 * @param waitShare share of that time that the trainer waited, 0 to 1
 * @param evidence why, with figures
 */
public record TuningStep(
        int number, Action action, int read, int decode, double batchMillis, double waitShare, String evidence) {

    /** The kinds of decision. */
    public enum Action {
        /** One more worker is tried. */
        TRY,
        /** The trial is kept: batches come faster by more than the noise. */
        KEEP,
        /** The trial is taken back. */
        STEP_BACK,
        /** The search is over. */
        STOP
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d. %s: read %d, decode %d (%s)",
                number,
                action.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                read,
                decode,
                evidence);
    }
}
