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
                        java.util.Locale.ROOT, "%s: %s, for %.1f s", name, work, (System.nanoTime() - since) / 1e9);
    }
}
