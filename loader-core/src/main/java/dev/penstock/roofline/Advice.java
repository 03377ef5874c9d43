package dev.penstock.roofline;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One step to take next. Immutable.
 *
 * @param kind which row of the table it came from
 * @param observation what was measured
 * @param interpretation what it means
 * @param nextStep a command or a line of code
 * @param evidence the figures behind it
 * @param gain relative gain in samples a second that is expected, with its error; null where the advice is to stop
 */
public record Advice(
        Kind kind,
        String observation,
        String interpretation,
        String nextStep,
        String evidence,
        @Nullable Gain gain) {

    /** The rows of the decision table, in the order in which they are tried. */
    public enum Kind {
        /** The accelerator's ceiling is not reached at this batch: raise the batch before touching the loader. */
        GROW_BATCH,
        /** The memory wall is found: lock the largest batch, then look at the wait. */
        LOCK_BATCH,
        /** The loader takes the trainer's cores. */
        FEWER_THREADS,
        /** Waits come from gaps, not from too little capacity. */
        DEEPER_PREFETCH,
        /** Batches start late: memory for them is short. */
        MORE_MEMORY,
        /** Bytes come too slowly, and more requests at once help. */
        RAISE_READ,
        /** Bytes come too slowly, and more requests at once do not help. */
        BRING_DATA_CLOSER,
        /** Pixels come too slowly, and more threads help. */
        RAISE_DECODE,
        /** Workers queue for a lock inside a plug-in. */
        RELIEVE_LOCK,
        /** Each sample costs too much decoding: move the work into ETL. */
        MATERIALIZE,
        /** Truth costs more than pixels now. */
        MOVE_TRUTH_TO_ARROW,
        /** The loader keeps up: look at the accelerator side. */
        STOP
    }

    /**
     * An expected gain.
     *
     * @param expected 0.25 is a quarter more samples a second
     * @param error of it
     */
    public record Gain(double expected, double error) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%+.0f %% ± %.0f %%", 100 * expected, 100 * error);
        }
    }

    /** A few lines for a terminal. */
    public String text() {
        return kind + (gain == null ? "" : "  (" + gain + ")") + "\n  seen:     " + observation + "\n  means:    "
                + interpretation + "\n  do:       " + nextStep + "\n  evidence: " + evidence + "\n";
    }

    @Override
    public String toString() {
        return text();
    }
}
