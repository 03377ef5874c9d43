package dev.penstock.roofline;

/**
 * What limits training, and what limits the data whether or not it limits training.
 *
 * @param trainerBound whether the trainer is the lower ceiling: it hardly waits
 * @param cause what holds the data's ceiling where it is
 */
public record Diagnosis(boolean trainerBound, Cause cause) {

    /** What can hold the data's ceiling down. */
    public enum Cause {
        /** Bytes. */
        READ,
        /** Pixels; more threads help. */
        DECODE,
        /** Truth. */
        COLLATE,
        /** A lock inside a plug-in. */
        LOCK,
        /** All cores are busy. */
        CORES,
        /** Memory, disk or network bandwidth. */
        BANDWIDTH,
        /** Capacity is enough on average, and uneven work runs the prefetch dry. */
        GAPS,
        /** The loader's own CPU use slows the step down. */
        CONTENTION
    }
}
