package dev.penstock.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Holds finished batches until it is their turn: any worker puts, one consumer takes in order of sequence number.
 * Thread-safe.
 *
 * <p>The ring is as large as the most batches that can be under way, which the number of slabs bounds, so a put never
 * waits.
 */
final class OrderGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    /** Guarded by lock: finished jobs by sequence modulo length. */
    private final @Nullable BatchJob[] ring;
    /** Guarded by lock: the sequence that the consumer takes next. */
    private long next;
    /** Guarded by lock: finished jobs held. */
    private int held;
    /** Guarded by lock: set once, by close or by a failure of the whole pipeline. */
    private boolean ended;

    OrderGate(int capacity) {
        ring = new @Nullable BatchJob[capacity];
    }

    /** Takes in a finished job; false when it is older than the consumer's position or the gate has ended. */
    boolean put(BatchJob job) {
        lock.lock();
        try {
            if (ended || job.sequence < next) {
                return false;
            }
            int slot = (int) (job.sequence % ring.length);
            if (job.sequence >= next + ring.length || ring[slot] != null) {
                throw new IllegalStateException(job + " (sequence " + job.sequence + ") came to a gate at " + next
                        + " that holds " + ring.length);
            }
            ring[slot] = job;
            held++;
            if (job.sequence == next) {
                arrived.signal();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The next job if it is there; null otherwise. Does not wait. */
    @Nullable
    BatchJob poll() {
        lock.lock();
        try {
            return remove();
        } finally {
            lock.unlock();
        }
    }

    /** Waits at most {@code nanos} for the next job; null when it did not come or the gate ended. */
    @Nullable
    BatchJob take(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            BatchJob job = remove();
            while (job == null && !ended && left > 0) {
                left = arrived.awaitNanos(left);
                job = remove();
            }
            return job;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Moves the consumer to {@code sequence}; gives every older job held to {@code dropped}. Jobs from {@code sequence}
     * on stay: workers may finish some before the consumer comes here.
     */
    void skipTo(long sequence, java.util.function.Consumer<BatchJob> dropped) {
        lock.lock();
        try {
            for (int i = 0; i < ring.length; i++) {
                BatchJob job = ring[i];
                if (job != null && job.sequence < sequence) {
                    ring[i] = null;
                    held--;
                    dropped.accept(job);
                }
            }
            next = sequence;
        } finally {
            lock.unlock();
        }
    }

    /** Every waiting and later take returns null once nothing more is held in order. */
    void end() {
        lock.lock();
        try {
            ended = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    int held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /** Guarded by lock. */
    private @Nullable BatchJob remove() {
        int slot = (int) (next % ring.length);
        BatchJob job = ring[slot];
        if (job == null || ended) {
            return null;
        }
        ring[slot] = null;
        held--;
        next++;
        return job;
    }
}
