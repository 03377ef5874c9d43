package dev.penstock.engine;

import dev.penstock.data.BatchSpec;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of one loader: made when first needed, up to a number, then used again. Thread-safe.
 *
 * <p>A batch that the trainer retains takes its slab out of the pool; the pool makes another in its place as long as the
 * budget has room, and frees the retained one when it comes back and is not needed.
 */
final class SlabPool {
    private final BatchSpec spec;
    private final int batchSize;
    private final int limit;
    private final MemoryBudget budget;
    private final long slabBytes;
    /** Guarded by this. */
    private final ArrayDeque<Slab> free = new ArrayDeque<>();
    /** Guarded by this: slabs with the trainer, borrowed or retained. */
    private final Set<Slab> delivered = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Guarded by this: every slab that is not freed. */
    private final Set<Slab> all = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Guarded by this: slabs made and not retained. */
    private int owned;
    /** Guarded by this: slabs that the trainer keeps. */
    private int retained;
    /** Guarded by this. */
    private boolean closed;

    SlabPool(BatchSpec spec, int batchSize, int limit, MemoryBudget budget) {
        this.spec = spec;
        this.batchSize = batchSize;
        this.limit = limit;
        this.budget = budget;
        this.slabBytes = slabBytes(spec, batchSize);
    }

    /** Bytes of a new slab. */
    static long slabBytes(BatchSpec spec, int batchSize) {
        return spec.denseBytesPerSample() * batchSize
                + spec.tensors().stream().filter(t -> !t.isDense()).count() * RaggedColumn.initialBytes(batchSize);
    }

    int limit() {
        return limit;
    }

    /** A slab if one is free or may be made; null otherwise. */
    synchronized @Nullable Slab tryTake() {
        if (closed) {
            return null;
        }
        Slab slab = free.poll();
        if (slab != null || owned >= limit || (retained > 0 && !hasRoom())) {
            return slab;
        }
        slab = new Slab(spec, batchSize, budget);
        all.add(slab);
        owned++;
        return slab;
    }

    /** The slab goes to the trainer. */
    synchronized void deliver(Slab slab) {
        delivered.add(slab);
    }

    /** Whether {@link #tryTake} would give one. */
    synchronized boolean canTake() {
        return !closed && (!free.isEmpty() || (owned < limit && (retained == 0 || hasRoom())));
    }

    /** A slab comes back that the trainer had borrowed, or never had. */
    synchronized void release(Slab slab) {
        delivered.remove(slab);
        if (closed) {
            owned--;
            free(slab);
        } else {
            free.add(slab);
        }
    }

    /** A delivered slab stays with the trainer. */
    synchronized void keepOut() {
        owned--;
        retained++;
    }

    /** A slab that was kept out comes back. */
    synchronized void comeBack(Slab slab) {
        delivered.remove(slab);
        retained--;
        if (closed || owned >= limit) {
            free(slab);
        } else {
            owned++;
            free.add(slab);
        }
    }

    synchronized int retained() {
        return retained;
    }

    /** No worker runs any more: frees all but what the trainer has, which is freed when it comes back. */
    synchronized void close() {
        closed = true;
        free.clear();
        for (Slab slab : List.copyOf(all)) {
            if (!delivered.contains(slab)) {
                owned--;
                free(slab);
            }
        }
    }

    private void free(Slab slab) {
        if (all.remove(slab)) {
            slab.free();
        }
    }

    private boolean hasRoom() {
        var use = budget.snapshot(0);
        return use.used() + slabBytes <= use.budget();
    }
}
