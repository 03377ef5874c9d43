package dev.penstock.engine;

import dev.penstock.probe.MemoryUse;

/**
 * Counts the off-heap bytes of one loader against its cap. Thread-safe.
 *
 * <p>What the settings need for certain (batch memory, decoder scratch, the smallest read-ahead) is checked once when
 * the loader is built. While it runs only read-ahead and the values of ragged columns vary: read-ahead waits for room
 * ({@link ReadBuffers}), ragged values may grow past the plan and are counted so that read-ahead gives way.
 */
final class MemoryBudget {
    /** What a byte is for. */
    enum Use {
        BATCHES(0),
        READ_AHEAD(1),
        DECODERS(2);

        private final int index;

        Use(int index) {
            this.index = index;
        }
    }

    private final long cap;
    /** Guarded by this: bytes by use. */
    private final long[] used = new long[3];
    /** Guarded by this: the most of each use. */
    private final long[] most = new long[3];
    /** Guarded by this. */
    private long highWater;

    MemoryBudget(long cap) {
        this.cap = cap;
    }

    long cap() {
        return cap;
    }

    /** Counts bytes that are taken in any case. */
    synchronized void add(Use use, long bytes) {
        used[use.index] += bytes;
        most[use.index] = Math.max(most[use.index], used[use.index]);
        highWater = Math.max(highWater, total());
    }

    /** Counts bytes only if they fit under the cap. */
    synchronized boolean tryAdd(Use use, long bytes) {
        if (total() + bytes > cap) {
            return false;
        }
        add(use, bytes);
        return true;
    }

    /** Whether {@code bytes} more stay under the cap. */
    synchronized boolean fits(long bytes) {
        return total() + bytes <= cap;
    }

    synchronized void remove(Use use, long bytes) {
        used[use.index] -= bytes;
    }

    synchronized MemoryUse snapshot(KeptBatches kept) {
        return new MemoryUse(
                cap,
                total(),
                highWater,
                used[Use.BATCHES.index],
                used[Use.READ_AHEAD.index],
                used[Use.DECODERS.index],
                most[Use.BATCHES.index],
                most[Use.READ_AHEAD.index],
                kept.count(),
                kept.highWater(),
                kept.names());
    }

    private long total() {
        return used[0] + used[1] + used[2];
    }
}
