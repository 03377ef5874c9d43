package dev.penstock.probe;

import java.util.List;

/**
 * Off-heap bytes of one loader.
 *
 * @param budget the cap that the loader keeps to
 * @param used held at the end of the interval
 * @param highWater the most that was ever held
 * @param batches of {@code used}: batch memory
 * @param readAhead of {@code used}: bytes read and not yet decoded, and their pool
 * @param decoders of {@code used}: what decoders may hold as scratch (counted at its stated bound)
 * @param batchesHighWater the most that batch memory ever was
 * @param readAheadHighWater the most that read-ahead ever was
 * @param retained batches that the trainer keeps with {@code retain()}
 * @param retainedHighWater the most batches that it ever kept
 * @param oldestRetained the oldest of them by name; a batch that stays in here was never closed
 */
public record MemoryUse(
        long budget,
        long used,
        long highWater,
        long batches,
        long readAhead,
        long decoders,
        long batchesHighWater,
        long readAheadHighWater,
        int retained,
        int retainedHighWater,
        List<String> oldestRetained) {

    public MemoryUse {
        oldestRetained = List.copyOf(oldestRetained);
    }
}
