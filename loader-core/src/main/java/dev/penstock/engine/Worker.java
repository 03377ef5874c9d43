package dev.penstock.engine;

import org.jspecify.annotations.Nullable;

/**
 * What a worker thread shows of itself: whether it is to stop, and what it is doing since when. The thread writes,
 * others read (diagnosis of stalls).
 */
final class Worker {
    private final String name;

    /** Set once by the pool; read by the worker before each wait, which the pool ends with a wake. */
    private volatile boolean stopped;

    /** The piece under work, for messages; written by the worker only. */
    private volatile @Nullable Object current;

    /** {@link System#nanoTime()} when {@link #current} was set; written before it. */
    private volatile long since;

    /** Guarded by this: the piece that the deadline counts for, or null. */
    private @Nullable Piece timed;

    /** Guarded by this for writing: taken off its piece by the deadline; it leaves when it returns, if it does. */
    private volatile boolean givenUp;

    /** The piece that the deadline watch saw last; its thread only. */
    private @Nullable Piece seen;

    Worker(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean stopped() {
        return stopped;
    }

    void stop() {
        stopped = true;
    }

    /** From here on the deadline counts. */
    synchronized void startTimed(Piece piece) {
        timed = piece;
    }

    /** The deadline counts no more; false when the piece was given up, and is not this worker's any longer. */
    synchronized boolean endTimed() {
        timed = null;
        return !givenUp;
    }

    /** Whether it was taken off its piece. */
    boolean givenUp() {
        return givenUp;
    }

    /** Deadline watch only: counts {@code nanos} for the piece under work; whether that was too much. */
    boolean isLate(long nanos, long deadlineNanos) {
        Piece piece;
        synchronized (this) {
            piece = timed;
        }
        if (piece != null && piece == seen) {
            piece.workedNanos += nanos;
        }
        seen = piece;
        return piece != null && piece.workedNanos > deadlineNanos;
    }

    /**
     * Deadline watch only: takes the worker off the piece that was found late, unless it has just finished it.
     *
     * @param before done while the worker can't go on with the piece
     * @return the piece, or null when it is done
     */
    synchronized @Nullable Piece giveUp(java.util.function.Consumer<Piece> before) {
        Piece piece = timed;
        if (piece == null || piece != seen) {
            return null;
        }
        before.accept(piece);
        givenUp = true;
        stopped = true;
        return piece;
    }

    void begin(Object work) {
        since = System.nanoTime();
        current = work;
    }

    void end() {
        current = null;
    }

    /** {@code decode-1: front, drive-7.mp4, busy for 3.2 s}, or idle. */
    String describe() {
        Object work = current;
        return work == null
                ? name + ": idle"
                : String.format(
                        java.util.Locale.ROOT,
                        "%s: %s%s, for %.1f s",
                        name,
                        givenUp ? "given up, " : "",
                        work,
                        (System.nanoTime() - since) / 1e9);
    }
}
