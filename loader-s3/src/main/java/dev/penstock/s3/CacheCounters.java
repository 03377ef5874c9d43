package dev.penstock.s3;

import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;

/** A cache's running counts. Thread-safe: every field is an adder of its own. */
final class CacheCounters {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder bytesUsed = new LongAdder();
    final LongAdder bytesHit = new LongAdder();
    final LongAdder bytesFetched = new LongAdder();
    final LongAdder bytesStored = new LongAdder();
    final LongAdder evictions = new LongAdder();
    final LongAdder damaged = new LongAdder();
    final LongAdder storeFailures = new LongAdder();
    final LongAdder missedAgain = new LongAdder();

    private final Instant start = Instant.now();

    CacheMetrics snapshot(long workingSet, long folder, long limit) {
        return new CacheMetrics(
                start,
                Instant.now(),
                hits.sum(),
                misses.sum(),
                bytesHit.sum(),
                bytesFetched.sum(),
                bytesStored.sum(),
                evictions.sum(),
                damaged.sum(),
                storeFailures.sum(),
                missedAgain.sum(),
                workingSet,
                folder,
                limit);
    }
}
