package dev.penstock.s3;

import dev.penstock.spi.StoreStats;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a store has done between two instants. Immutable.
 *
 * @param from start of the interval: the store's making, or the earlier snapshot's end
 * @param to end of the interval
 * @param requests attempts sent, hedges included
 * @param reads ranges asked of blobs that came back whole
 * @param bytesFetched body bytes that arrived, those of failed and lost attempts included
 * @param bytesUsed bytes handed to readers
 * @param bytesWritten bytes of objects stored
 * @param retries attempts after a failure
 * @param retriesByReason the same by reason: throttled, server, connect, timeout, cut, length, moved, digest
 * @param hedges second requests sent because the first gave no byte in time
 * @param hedgesWon hedges that came back first
 * @param throttles answers that told to slow down
 * @param failures requests given up
 * @param queueNanos time that requests waited in the store's own queue before they were sent, summed
 * @param firstByteNanos time from send to the answer's head, summed over ranged reads
 * @param transferNanos time from the answer's head to its last byte, summed over ranged reads
 * @param running requests under way at the end
 * @param waiting requests queued at the end
 * @param limit how many may run at the end; under the configured concurrency after throttling
 */
public record S3Metrics(
        Instant from,
        Instant to,
        long requests,
        long reads,
        long bytesFetched,
        long bytesUsed,
        long bytesWritten,
        long retries,
        Map<String, Long> retriesByReason,
        long hedges,
        long hedgesWon,
        long throttles,
        long failures,
        long queueNanos,
        long firstByteNanos,
        long transferNanos,
        int running,
        int waiting,
        int limit) {

    /** Copies the map. */
    public S3Metrics {
        retriesByReason = Map.copyOf(retriesByReason);
    }

    /** Bytes fetched per byte used; NaN before the first read. */
    public double overfetch() {
        return bytesUsed == 0 ? Double.NaN : (double) bytesFetched / bytesUsed;
    }

    /** The same as the core's reports take it. */
    StoreStats stats(String store) {
        return new StoreStats(
                store,
                requests,
                bytesFetched,
                bytesUsed,
                retriesByReason,
                hedges,
                throttles,
                failures,
                0,
                0,
                queueNanos,
                firstByteNanos,
                transferNanos);
    }

    /** What happened after {@code earlier}, a snapshot of the same store. */
    public S3Metrics since(S3Metrics earlier) {
        Map<String, Long> byReason = new TreeMap<>(retriesByReason);
        earlier.retriesByReason.forEach((reason, count) -> byReason.merge(reason, -count, Long::sum));
        return new S3Metrics(
                earlier.to,
                to,
                requests - earlier.requests,
                reads - earlier.reads,
                bytesFetched - earlier.bytesFetched,
                bytesUsed - earlier.bytesUsed,
                bytesWritten - earlier.bytesWritten,
                retries - earlier.retries,
                byReason,
                hedges - earlier.hedges,
                hedgesWon - earlier.hedgesWon,
                throttles - earlier.throttles,
                failures - earlier.failures,
                queueNanos - earlier.queueNanos,
                firstByteNanos - earlier.firstByteNanos,
                transferNanos - earlier.transferNanos,
                running,
                waiting,
                limit);
    }
}
