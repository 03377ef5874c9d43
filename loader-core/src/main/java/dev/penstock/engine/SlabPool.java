package dev.penstock.engine;

import dev.penstock.data.BatchSpec;
import dev.penstock.probe.MemoryUse;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slabs of one loader: made when first needed, up to a number, then used again. Thread-safe.
 *
 * <p>A batch that the trainer retains takes its slab out of the pool; the pool makes another in its place as long as the
 * budget has room, and frees the retained one when it comes back and is not needed.
 */
final class SlabPool {
    private static final Logger LOG = LoggerFactory.getLogger(SlabPool.class);

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
    /** The slab of the first batch; written before any thread runs. */
    private final Slab first;
    /** Guarded by this: slabs made and not retained. */
    private int owned;
    /** Guarded by this: what the trainer keeps. */
    private final KeptBatches kept = new KeptBatches();
    /** Guarded by this: slabs that came back while a worker that was given up may still write to them. */
    private final Set<Slab> stranded = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Guarded by this: it was said once that kept batches leave no memory. */
    private boolean starved;
    /** Guarded by this: it was said once that batches are kept beyond the end. */
    private boolean reported;
    /** Guarded by this. */
    private boolean closed;

    SlabPool(BatchSpec spec, int batchSize, int limit, MemoryBudget budget) {
        this.spec = spec;
        this.batchSize = batchSize;
        this.limit = limit;
        this.budget = budget;
        this.slabBytes = slabBytes(spec, batchSize);
        this.first = new Slab(spec, batchSize, budget);
        all.add(first);
        free.add(first);
        owned = 1;
    }

    /** Makes the first batch's memory: work for a trainer's thread that waits for that batch and would do nothing else. */
    void makeFirst() {
        try {
            first.ready();
        } catch (OutOfMemoryError e) {
            LOG.debug("no memory for the first batch; the decode worker that needs it says so", e);
        }
    }

    /** Bytes of a new slab. */
    static long slabBytes(BatchSpec spec, int batchSize) {
        return spec.denseBytesPerSample() * batchSize
                + spec.tensors().stream().filter(t -> !t.isDense()).count() * RaggedColumn.initialBytes(batchSize);
    }

    int limit() {
        return limit;
    }

    /** A slab if one is free or may be made and {@code spare} more would be left; null otherwise. */
    synchronized @Nullable Slab tryTake(int spare) {
        if (closed || (spare > 0 && left() <= spare)) {
            return null;
        }
        Slab slab = free.poll();
        if (slab != null || owned >= limit) {
            return slab;
        }
        if ((kept.count() > 0 || !stranded.isEmpty()) && !hasRoom()) {
            starve();
            return null;
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
        return !closed && (!free.isEmpty() || (owned < limit && (kept.count() == 0 || hasRoom())));
    }

    /** A slab comes back that the trainer had borrowed, or never had. */
    synchronized void release(Slab slab) {
        delivered.remove(slab);
        if (slab.isStuck()) {
            owned--;
            stranded.add(slab);
        } else if (closed || owned > limit) {
            owned--;
            free(slab);
        } else {
            free.add(slab);
        }
    }

    /** A slab in exchange for one that a stuck worker may still write to and that comes back next; null without memory. */
    synchronized @Nullable Slab tryExchange() {
        Slab slab = free.poll();
        if (slab == null && !closed && hasRoom()) {
            slab = new Slab(spec, batchSize, budget);
            all.add(slab);
            owned++;
        }
        return slab;
    }

    /** A worker that may still write to {@code slab} was given up: nobody gets the slab until that worker returns. */
    synchronized void pin(Slab slab) {
        slab.stuck(1);
    }

    /** Such a worker has returned. */
    synchronized void unpin(Slab slab) {
        slab.stuck(-1);
        if (!slab.isStuck() && stranded.remove(slab)) {
            if (closed || owned >= limit) {
                free(slab);
            } else {
                owned++;
                free.add(slab);
            }
        }
    }

    /** A delivered slab stays with the trainer. */
    synchronized void keepOut(SlabBatch batch) {
        owned--;
        kept.add(batch);
    }

    /** A slab that was kept out comes back. */
    synchronized void comeBack(SlabBatch batch) {
        Slab slab = batch.slab();
        delivered.remove(slab);
        kept.remove(batch);
        if (closed || owned >= limit) {
            free(slab);
        } else {
            owned++;
            free.add(slab);
        }
    }

    /** The batches that the trainer keeps: count and names. */
    synchronized String keptText() {
        return kept.text();
    }

    /** Off-heap bytes now and at their highest. */
    synchronized MemoryUse memory() {
        return budget.snapshot(kept);
    }

    /** Names the batches that were not closed when the loader was. */
    synchronized void reportKept() {
        if (kept.count() > 0 && !reported) {
            reported = true;
            warn("closed while the trainer retains batches: {}. Their memory ({} MiB) stays until each retain() has had"
                    + " its close()");
        }
    }

    /** Guarded by this: nothing can be made because of kept batches; said once, since training may go on all the same. */
    private void starve() {
        if (kept.count() > 0 && !starved && owned <= delivered.size()) {
            starved = true;
            warn("no memory is left for a further batch, the trainer retains {}, {} MiB. Close them earlier, or raise"
                    + " memory(...)");
        }
    }

    /** Guarded by this. */
    private void warn(String message) {
        List<Throwable> stacks = kept.stacks();
        LOG.warn(
                stacks.isEmpty() ? message + "; trackLeaks(true) shows where they were retained" : message,
                kept.text(),
                kept.count() * slabBytes / 1_048_576);
        stacks.forEach(stack -> LOG.warn("never closed so far:", stack));
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

    /** Guarded by this: slabs that are free or may be made. */
    private int left() {
        return free.size() + ((kept.count() == 0 && stranded.isEmpty()) || hasRoom() ? Math.max(0, limit - owned) : 0);
    }

    private void free(Slab slab) {
        if (all.remove(slab)) {
            slab.free();
        }
    }

    private boolean hasRoom() {
        return budget.fits(slabBytes);
    }
}
