package dev.penstock.s3;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Estimates how many distinct bytes were asked for, and says when they are more than the cache may hold.
 *
 * <p>Linear counting (Whang, Vander-Zanden, Taylor, 1990): each chunk sets one of 2²² bits; with b bits set of m the
 * distinct chunks are about {@code −m·ln(1 − b/m)}. Half a megabyte, good to a percent for millions of chunks.
 * Thread-safe.
 */
final class WorkingSet {
    private static final Logger LOG = LoggerFactory.getLogger(WorkingSet.class);
    private static final int BITS = 1 << 22;

    private final long limit;
    private final AtomicLongArray words = new AtomicLongArray(BITS / 64);
    private final AtomicLong set = new AtomicLong();
    private final AtomicLong setBytes = new AtomicLong();
    /** The size at which it is said next: the limit, then twice it, and so on. */
    private final AtomicLong sayAt;

    WorkingSet(long limit) {
        this.limit = limit;
        this.sayAt = new AtomicLong(limit);
    }

    /** Notes that a chunk was asked for; whether it had been before. */
    boolean seen(long hash, int bytes) {
        int bit = (int) (hash ^ (hash >>> 32)) & (BITS - 1);
        long mask = 1L << (bit & 63);
        if ((words.getAndAccumulate(bit >> 6, mask, (a, b) -> a | b) & mask) != 0) {
            return true;
        }
        set.incrementAndGet();
        setBytes.addAndGet(bytes);
        say();
        return false;
    }

    /** Estimate of the distinct bytes. */
    long bytes() {
        long bits = set.get();
        if (bits == 0) {
            return 0;
        }
        double chunks = -BITS * Math.log(1 - Math.min(bits, BITS - 1) / (double) BITS);
        return Math.round(chunks * ((double) setBytes.get() / bits));
    }

    private void say() {
        long at = sayAt.get();
        long now = bytes();
        if (now > at && sayAt.compareAndSet(at, Math.max(2 * at, now + 1))) {
            LOG.warn(
                    "{} MiB of distinct data were read through a disk cache limited to {} MiB: what does not fit is"
                            + " fetched again in every epoch; raise the cache's size over the working set",
                    now >> 20,
                    limit >> 20);
        }
    }
}
