package dev.penstock.probe;

/**
 * Off-heap bytes of one loader.
 *
 * @param budget the cap that the loader keeps to
 * @param used held at the end of the interval
 * @param highWater the most that was ever held
 * @param batches of {@code used}: batch memory
 * @param readAhead of {@code used}: bytes read and not yet decoded, and their pool
 * @param decoders of {@code used}: what decoders may hold as scratch (counted at its stated bound)
 * @param retained batches that the trainer keeps with {@code retain()}
 */
public record MemoryUse(
        long budget, long used, long highWater, long batches, long readAhead, long decoders, int retained) {}
