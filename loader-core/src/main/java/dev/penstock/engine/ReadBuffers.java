package dev.penstock.engine;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leases off-heap memory for bytes read ahead, within the budget. Thread-safe.
 *
 * <p>A lease waits until its bytes fit under the budget; waiters are served in the order in which they came, so a large
 * one is not starved. One lease is always granted when none is out, whatever the budget says, so a piece of work that
 * is larger than the room left for read-ahead still goes on, alone. Buffers given back are kept for the next lease of
 * their size class and freed when another class needs the room.
 */
final class ReadBuffers {
    /** Smallest size class; classes then grow by quarter powers of two, so at most a fifth of a lease is slack. */
    private static final int SMALLEST = 64 << 10;

    private static final Comparator<Lease> BY_SIZE = Comparator.comparingInt(l -> l.region.bytes());

    private final MemoryBudget budget;
    /** Guarded by this: free buffers, smallest first. */
    private final List<Lease> free = new ArrayList<>();
    /** Guarded by this: waiting tickets, first come first. */
    private final ArrayDeque<Object> waiting = new ArrayDeque<>();
    /** Guarded by this: what is leased. */
    private final List<Lease> out = new ArrayList<>();
    /** Guarded by this. */
    private boolean closed;

    ReadBuffers(MemoryBudget budget) {
        this.budget = budget;
    }

    /** Leased memory: {@link #bytes} has exactly the bytes asked for, position 0. Used again for later leases. */
    static final class Lease {
        private final NativeMemory.Region region;
        private final ByteBuffer bytes;

        Lease(NativeMemory.Region region) {
            this.region = region;
            this.bytes = region.buffer().duplicate().order(region.buffer().order());
        }

        private Lease of(int length) {
            bytes.clear().limit(length);
            return this;
        }

        ByteBuffer bytes() {
            return bytes;
        }
    }

    /** Waits for {@code length} bytes; null when closed or when {@code worker} is to stop. */
    @Nullable
    Lease lease(int length, Worker worker) throws InterruptedException {
        int size = sizeClass(length);
        synchronized (this) {
            Lease lease = waiting.isEmpty() ? grant(size) : null;
            if (lease == null) {
                Object ticket = new Object();
                waiting.add(ticket);
                try {
                    while (lease == null) {
                        if (closed || worker.stopped()) {
                            return null;
                        }
                        lease = waiting.peek() == ticket ? grant(size) : null;
                        if (lease == null) {
                            wait();
                        }
                    }
                } finally {
                    waiting.remove(ticket);
                    notifyAll();
                }
            }
            out.add(lease);
            return lease.of(length);
        }
    }

    void release(Lease lease) {
        synchronized (this) {
            if (out.remove(lease)) {
                free.add(lease);
                free.sort(BY_SIZE);
            }
            notifyAll();
        }
    }

    synchronized void wake() {
        notifyAll();
    }

    /** No worker runs any more: frees everything, leased or not. */
    synchronized void close() {
        closed = true;
        free.addAll(out);
        out.clear();
        free.forEach(this::drop);
        free.clear();
    }

    /** Guarded by this. */
    private @Nullable Lease grant(int size) {
        for (int i = 0; i < free.size(); i++) {
            int bytes = free.get(i).region.bytes();
            if (bytes >= size && bytes <= 2L * size) {
                return free.remove(i);
            }
        }
        while (!budget.tryAdd(MemoryBudget.Use.READ_AHEAD, size)) {
            if (free.isEmpty()) {
                if (!out.isEmpty()) {
                    return null;
                }
                budget.add(MemoryBudget.Use.READ_AHEAD, size);
                break;
            }
            drop(free.remove(free.size() - 1));
        }
        return new Lease(NativeMemory.allocate(size));
    }

    private void drop(Lease lease) {
        budget.remove(MemoryBudget.Use.READ_AHEAD, lease.region.bytes());
        lease.region.free();
    }

    /** The class that holds {@code length} bytes. */
    static int sizeClass(int length) {
        if (length <= SMALLEST) {
            return SMALLEST;
        }
        int power = Integer.highestOneBit(length - 1);
        long quarter = power / 4;
        long size = power + ((length - power + quarter - 1) / quarter) * quarter;
        return (int) Math.min(size, Integer.MAX_VALUE - NativeMemory.ALIGNMENT);
    }
}
