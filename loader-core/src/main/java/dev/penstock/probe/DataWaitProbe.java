package dev.penstock.probe;

/**
 * Hears of the trainer's waits as they happen. Called on the trainer's thread inside {@code next()}: return within a
 * microsecond or hand over. A probe that throws is switched off with one warning; training goes on.
 */
public interface DataWaitProbe {

    /** Hears nothing. */
    DataWaitProbe NONE = new DataWaitProbe() {};

    /** An iterator was made for {@code epoch} of {@code batches} batches. */
    default void epochStarted(int epoch, long batches) {}

    /**
     * One batch was delivered.
     *
     * @param epoch from 0
     * @param batch position in the epoch, from 0
     * @param waitNanos time blocked for this batch
     * @param betweenNanos time between the previous delivery and this call: the trainer's step; 0 for the first
     */
    default void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {}

    /** Tuning on line decided something. */
    default void tuned(TuningStep step) {}

    /** The epoch came to its end or was left; {@code report} covers it. */
    default void epochEnded(DataWaitReport report) {}
}
