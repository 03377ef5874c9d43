package dev.penstock.engine;

import dev.penstock.data.Batch;
import dev.penstock.data.Tensor;
import dev.penstock.data.TensorSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of a slab to the trainer. A new object for each delivery, so that a stale reference is noticed.
 *
 * <p>{@code holds} counts who keeps the slab from being used again: 1 while the iterator lends the batch ({@link
 * #BORROWED}) and 2 for each {@code retain()}. At 0 the slab goes back, once, and every later use throws. All changes
 * are compare-and-set, so retain, close and the iterator's taking back may race.
 */
final class SlabBatch implements Batch {
    private static final int BORROWED = 1;
    private static final int RETAINED = 2;

    /** Where the slab belongs. Called from any thread; {@code keepOut} may come just after its {@code comeBack}. */
    interface Owner {
        /** The batch ended while it was borrowed. */
        void giveBack(Slab slab);

        /** The iterator went on, and the trainer keeps the batch. */
        void keepOut(SlabBatch batch);

        /** A batch that was kept ended. */
        void comeBack(SlabBatch batch);

        /** Whether {@code retain()} is to note where it was called. */
        default boolean tracksLeaks() {
            return false;
        }
    }

    private final Slab slab;
    private final int epoch;
    private final long number;
    private final int rows;
    private final Owner owner;
    private final List<Tensor> tensors;

    /** BORROWED bit and retain count × 2; see above. */
    private final AtomicInteger holds = new AtomicInteger(BORROWED);

    /** Where it was last retained, if that is tracked; written by the retaining thread, read for a report. */
    private volatile @Nullable Throwable retainedAt;

    SlabBatch(Slab slab, int epoch, long number, Owner owner) {
        this.slab = slab;
        this.epoch = epoch;
        this.number = number;
        this.rows = slab.rows();
        this.owner = owner;
        Tensor[] views = new Tensor[slab.spec().size()];
        for (int i = 0; i < views.length; i++) {
            views[i] = new SlabTensor(this, slab, i);
        }
        tensors = List.of(views);
    }

    Slab slab() {
        return slab;
    }

    @Override
    public int size() {
        return rows;
    }

    @Override
    public int epoch() {
        return epoch;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public List<Tensor> tensors() {
        requireHeld();
        return tensors;
    }

    @Override
    public Tensor tensor(String name) {
        requireHeld();
        int index = slab.spec().indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("the view has no tensor '" + name + "'; it has "
                    + slab.spec().tensors().stream().map(TensorSpec::name).toList());
        }
        return tensors.get(index);
    }

    @Override
    public long sampleAt(int row) {
        requireHeld();
        return slab.samples[java.util.Objects.checkIndex(row, rows)];
    }

    @Override
    public boolean isPadding(int row) {
        requireHeld();
        return slab.padding[java.util.Objects.checkIndex(row, rows)];
    }

    @Override
    public Batch retain() {
        int seen;
        do {
            seen = holds.get();
            if (seen == 0) {
                throw released();
            }
        } while (!holds.compareAndSet(seen, seen + RETAINED));
        if (owner.tracksLeaks()) {
            retainedAt = new Throwable(
                    this + " was retained here, by " + Thread.currentThread().getName());
        }
        return this;
    }

    @Override
    public void close() {
        int seen;
        int next;
        do {
            seen = holds.get();
            if (seen == 0) {
                return;
            }
            next = seen >= RETAINED ? seen - RETAINED : 0;
        } while (!holds.compareAndSet(seen, next));
        if (next == 0) {
            if (seen == BORROWED) {
                owner.giveBack(slab);
            } else {
                owner.comeBack(this);
            }
        }
    }

    /** The iterator's own hold ends. */
    void takeBack() {
        int seen;
        do {
            seen = holds.get();
            if ((seen & BORROWED) == 0) {
                return;
            }
        } while (!holds.compareAndSet(seen, seen & ~BORROWED));
        if (seen == BORROWED) {
            owner.giveBack(slab);
        } else {
            owner.keepOut(this);
        }
    }

    /** Whether {@code retain()} keeps it beyond the iterator. */
    boolean isRetained() {
        return holds.get() >= RETAINED;
    }

    @Nullable
    Throwable retainedAt() {
        return retainedAt;
    }

    @Override
    public String toString() {
        return "batch " + number + " of epoch " + epoch;
    }

    void requireHeld() {
        if (holds.get() == 0) {
            throw released();
        }
    }

    private IllegalStateException released() {
        return new IllegalStateException(this
                + " was given back: a batch is borrowed until the following next(); call retain() to keep it longer");
    }
}
