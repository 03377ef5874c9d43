package dev.penstock.probe;

/**
 * Hears of each piece of work as a stage finishes it. Off unless the loader is given one. Called on the worker threads,
 * several at a time: be thread-safe, and return within a microsecond or hand over. A probe that throws is switched off
 * with one warning; loading goes on.
 */
public interface WorkProbe {

    /** The stages that work, in the order of the flow. */
    enum Stage {
        /** Bytes into leased memory. */
        READ,
        /** Bytes into pixels. */
        DECODE,
        /** Truth into the batch. */
        COLLATE;

        /** The stage's name in a {@link StageStats}. */
        public String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Hears nothing. */
    WorkProbe NONE = (stage, epoch, batch, piece, startNanos, nanos, cpuNanos, bytes) -> {};

    /**
     * One piece is done.
     *
     * @param stage where
     * @param epoch from 0
     * @param batch position in the epoch, from 0
     * @param piece which piece of the batch; the same number in read and decode; -1 for the truth piece and for collate
     * @param startNanos when it began, by {@link System#nanoTime()}
     * @param nanos how long it took, without waiting for work or for room
     * @param cpuNanos of these, CPU time of the worker; -1 where the JVM can't tell
     * @param bytes bytes read, or written
     */
    void worked(Stage stage, int epoch, long batch, int piece, long startNanos, long nanos, long cpuNanos, long bytes);
}
