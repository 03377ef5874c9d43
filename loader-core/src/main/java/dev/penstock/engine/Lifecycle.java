package dev.penstock.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a pipeline lives: its threads, its first failure, its end. Thread-safe.
 *
 * <p>Memory is freed by whoever is last: the closer, or a worker thread that outlived the close deadline (stuck in a
 * source that ignores interrupts), since freeing under a thread that still writes would crash the JVM.
 */
final class Lifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private final Runnable onFailure;
    private final Runnable release;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by lock: threads that have not ended. */
    private int threads;
    /** Guarded by lock: memory and source were let go. */
    private boolean released;
    /** Guarded by lock for writing; read without it. */
    private volatile boolean closed;
    /** The first failure of a whole stage; written once under lock, read without it. */
    private volatile @Nullable Throwable failure;

    /**
     * @param onFailure called, perhaps more than once, when a stage broke
     * @param release lets go of memory and source; called once, when closed and no thread is left
     */
    Lifecycle(Runnable onFailure, Runnable release) {
        this.onFailure = onFailure;
        this.release = release;
    }

    boolean isClosed() {
        return closed;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    /** A stage broke. */
    void fail(Throwable why) {
        lock.lock();
        try {
            if (failure == null) {
                failure = why;
            } else if (failure != why) {
                LOG.debug("a further failure after the first", why);
            }
        } finally {
            lock.unlock();
        }
        onFailure.run();
    }

    void threadStarted() {
        lock.lock();
        try {
            threads++;
        } finally {
            lock.unlock();
        }
    }

    void threadEnded() {
        lock.lock();
        try {
            threads--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        releaseIfLast();
    }

    /** The pipeline ends; whoever pauses goes on. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits {@code nanos}; ends early when the pipeline closes. */
    void pause(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether all threads end within {@code nanos}. An interrupt is kept for later: closing comes first. */
    boolean awaitThreads(long nanos) {
        boolean interrupted = false;
        lock.lock();
        try {
            long left = nanos;
            while (threads > 0 && left > 0) {
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return threads == 0;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits as {@link #awaitThreads}, calls {@code urge} after half of the time; whether all ended. */
    boolean awaitThreads(long nanos, Runnable urge) {
        if (awaitThreads(nanos / 2)) {
            return true;
        }
        urge.run();
        return awaitThreads(Math.max(TimeUnit.MILLISECONDS.toNanos(1), nanos / 2));
    }

    /** Frees everything when the pipeline is closed and no thread is left. */
    void releaseIfLast() {
        lock.lock();
        try {
            if (closed && threads == 0 && !released) {
                released = true; // under the lock, so that close() does not return before all is let go
                release.run();
            }
        } finally {
            lock.unlock();
        }
    }
}
