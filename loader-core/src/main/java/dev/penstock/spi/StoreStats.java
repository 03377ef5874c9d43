package dev.penstock.spi;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a {@link BlobStore} has done since it was made, or between two instants: counts that only grow, bytes and
 * nanoseconds. Immutable. A store that has no such thing (no cache, no hedges) leaves it at zero.
 *
 * @param store the store's name: its scheme
 * @param requests sent to the server, with those that failed and those that were sent to overtake a slow one
 * @param bytesFetched body bytes that came over the network
 * @param bytesUsed bytes handed to readers
 * @param retriesByReason requests sent again after a failure, by the reason in a word; reasons that never came are left
 *     out
 * @param hedges second requests, sent to overtake a slow first one
 * @param throttles answers that told to slow down
 * @param failures requests given up
 * @param cacheHits pieces found in a cache
 * @param cacheMisses pieces that a cache did not have
 * @param queueNanos time that requests waited in the store's own queue, summed
 * @param firstByteNanos time from sending to the head of the answer, summed
 * @param transferNanos time from the head to the last byte, summed
 */
public record StoreStats(
        String store,
        long requests,
        long bytesFetched,
        long bytesUsed,
        Map<String, Long> retriesByReason,
        long hedges,
        long throttles,
        long failures,
        long cacheHits,
        long cacheMisses,
        long queueNanos,
        long firstByteNanos,
        long transferNanos) {

    public StoreStats {
        Map<String, Long> seen = new TreeMap<>();
        retriesByReason.forEach((reason, count) -> {
            if (count != 0) {
                seen.put(reason, count);
            }
        });
        retriesByReason = java.util.Collections.unmodifiableMap(seen);
    }

    /** Nothing done. */
    public static StoreStats none(String store) {
        return new StoreStats(store, 0, 0, 0, Map.of(), 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Requests sent again after a failure. */
    public long retries() {
        return retriesByReason.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether anything was asked of the store or its cache. */
    public boolean used() {
        return requests + cacheHits + cacheMisses > 0;
    }

    /** What was done after {@code earlier}, a snapshot of the same store. */
    public StoreStats since(StoreStats earlier) {
        Map<String, Long> retries = new TreeMap<>(retriesByReason);
        earlier.retriesByReason.forEach((reason, count) -> retries.merge(reason, -count, Long::sum));
        return new StoreStats(
                store,
                requests - earlier.requests,
                bytesFetched - earlier.bytesFetched,
                bytesUsed - earlier.bytesUsed,
                retries,
                hedges - earlier.hedges,
                throttles - earlier.throttles,
                failures - earlier.failures,
                cacheHits - earlier.cacheHits,
                cacheMisses - earlier.cacheMisses,
                queueNanos - earlier.queueNanos,
                firstByteNanos - earlier.firstByteNanos,
                transferNanos - earlier.transferNanos);
    }
}
