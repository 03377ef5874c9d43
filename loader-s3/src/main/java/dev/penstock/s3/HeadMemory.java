package dev.penstock.s3;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers sizes and etags of objects for a while, so that opening a clip for every window costs no request.
 *
 * <p>A stale entry can't give wrong bytes, because every read demands the etag; it gives an error, and is forgotten.
 * Bounded; the longest unused goes first. Thread-safe.
 */
final class HeadMemory {
    private static final int MOST = 65_536;

    private record Kept(ObjectHead head, long until) {}

    private final long nanos;
    private final Ticker ticker;
    /** Guarded by itself. */
    private final LinkedHashMap<S3Location, Kept> entries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<S3Location, Kept> eldest) {
            return size() > MOST;
        }
    };

    HeadMemory(long nanos, Ticker ticker) {
        this.nanos = nanos;
        this.ticker = ticker;
    }

    @Nullable
    ObjectHead get(S3Location location) {
        synchronized (entries) {
            Kept entry = entries.get(location);
            return entry != null && entry.until - ticker.nanoTime() > 0 ? entry.head : null;
        }
    }

    void put(S3Location location, ObjectHead head) {
        if (nanos > 0) {
            synchronized (entries) {
                entries.put(location, new Kept(head, ticker.nanoTime() + nanos));
            }
        }
    }

    void forget(S3Location location) {
        synchronized (entries) {
            entries.remove(location);
        }
    }
}
