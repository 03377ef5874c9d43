package dev.penstock.s3;

import java.time.Instant;

/**
 * What this process did with a {@link DiskCache} since it was opened. Immutable.
 *
 * @param from when the cache was opened
 * @param to when this was taken
 * @param hits chunks found in the folder, right
 * @param misses chunks fetched from the store
 * @param bytesHit payload bytes of the hits
 * @param bytesFetched bytes fetched from the store, whole chunks
 * @param bytesStored payload bytes written into the folder
 * @param evictions chunks removed to keep the limit
 * @param damaged chunks found damaged, removed and fetched again
 * @param storeFailures chunks that could not be written (disk full, no permission) and were read uncached
 * @param missedAgain chunks fetched though this process had seen them before: evicted in between, mostly
 * @param workingSetBytes estimate of the distinct bytes asked for so far, whole chunks
 * @param folderBytes size of the folder when it was last looked at
 * @param limitBytes the limit
 */
public record CacheMetrics(
        Instant from,
        Instant to,
        long hits,
        long misses,
        long bytesHit,
        long bytesFetched,
        long bytesStored,
        long evictions,
        long damaged,
        long storeFailures,
        long missedAgain,
        long workingSetBytes,
        long folderBytes,
        long limitBytes) {

    /** Whether more distinct bytes were asked for than the folder may hold, so that chunks are fetched again and again. */
    public boolean limitTooSmall() {
        return workingSetBytes > limitBytes;
    }

    /** Hits per lookup; NaN before the first. */
    public double hitRate() {
        return hits + misses == 0 ? Double.NaN : (double) hits / (hits + misses);
    }
}
