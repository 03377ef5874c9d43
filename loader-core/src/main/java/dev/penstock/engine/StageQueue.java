package dev.penstock.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bounded queue before a stage: first in, first out, no garbage for each element. Thread-safe.
 *
 * <p>A worker that is told to stop leaves {@link #take} with null; whoever told it calls {@link #wake()} afterwards, for
 * this worker and for the element that it may have been woken for. {@link #close} makes every take return null and every
 * put fail at once.
 */
final class StageQueue<T> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    /** Guarded by lock: a ring of elements, {@code size} of them from {@code head}. */
    private final @Nullable Object[] ring;
    /** Guarded by lock. */
    private int head;
    /** Guarded by lock. */
    private int size;
    /** Guarded by lock. */
    private boolean closed;

    StageQueue(int capacity) {
        ring = new @Nullable Object[capacity];
    }

    int capacity() {
        return ring.length;
    }

    int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for room; false when the queue is closed, the element is then still the caller's. */
    boolean put(T element) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (size == ring.length && !closed) {
                notFull.await();
            }
            if (closed) {
                return false;
            }
            add(element);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for an element; null when closed or when {@code worker} is to stop. */
    @Nullable
    T take(Worker worker) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (size == 0 && !closed && !worker.stopped()) {
                notEmpty.await();
            }
            if (closed || worker.stopped()) { // an element's signal that came to this one is made good by wake()
                return null;
            }
            return remove();
        } finally {
            lock.unlock();
        }
    }

    /** Puts an element into a queue that is known to have room; nobody takes it when the queue is closed. */
    void putNow(T element) {
        lock.lock();
        try {
            if (size == ring.length) {
                throw new IllegalStateException("a queue of " + ring.length + " that can never be full is full");
            }
            add(element);
        } finally {
            lock.unlock();
        }
    }

    /** Lets waiting workers look again whether they are to stop. */
    void wake() {
        lock.lock();
        try {
            notEmpty.signalAll();
            notFull.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            notEmpty.signalAll();
            notFull.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void add(T element) {
        ring[(head + size) % ring.length] = element;
        size++;
        notEmpty.signal();
    }

    @SuppressWarnings("unchecked")
    private T remove() {
        Object element = ring[head];
        ring[head] = null;
        head = (head + 1) % ring.length;
        size--;
        notFull.signal();
        return (T) java.util.Objects.requireNonNull(element);
    }
}
