package dev.penstock.s3;

import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** A store's running counts. Thread-safe: every field is an adder of its own, so a snapshot is near, not exact. */
final class S3Counters {
    final LongAdder requests = new LongAdder();
    final LongAdder reads = new LongAdder();
    final LongAdder bytesFetched = new LongAdder();
    final LongAdder bytesUsed = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final LongAdder hedges = new LongAdder();
    final LongAdder hedgesWon = new LongAdder();
    final LongAdder throttles = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAdder queueNanos = new LongAdder();
    final LongAdder firstByteNanos = new LongAdder();
    final LongAdder transferNanos = new LongAdder();

    private final Instant start = Instant.now();
    /** Filled in the constructor, never changed after. */
    private final Map<FailureKind, LongAdder> retries = new EnumMap<>(FailureKind.class);

    S3Counters() {
        for (FailureKind kind : FailureKind.values()) {
            if (kind.retryable()) {
                retries.put(kind, new LongAdder());
            }
        }
    }

    void retried(FailureKind kind) {
        LongAdder count = retries.get(kind);
        if (count != null) {
            count.increment();
        }
    }

    S3Metrics snapshot(AdaptiveGate gate) {
        Map<String, Long> byReason = new TreeMap<>();
        retries.forEach((kind, count) -> byReason.put(kind.name().toLowerCase(Locale.ROOT), count.sum()));
        return new S3Metrics(
                start,
                Instant.now(),
                requests.sum(),
                reads.sum(),
                bytesFetched.sum(),
                bytesUsed.sum(),
                bytesWritten.sum(),
                byReason.values().stream().mapToLong(Long::longValue).sum(),
                byReason,
                hedges.sum(),
                hedgesWon.sum(),
                throttles.sum(),
                failures.sum(),
                queueNanos.sum(),
                firstByteNanos.sum(),
                transferNanos.sum(),
                gate.running(),
                gate.waiting(),
                gate.limit());
    }
}
