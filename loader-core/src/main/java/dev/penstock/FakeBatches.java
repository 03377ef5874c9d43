package dev.penstock;

import dev.penstock.data.Batch;
import dev.penstock.data.BatchSpec;
import dev.penstock.engine.Replay;
import dev.penstock.view.View;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Batches that cost nothing: the same names, shapes, types, memory and hand-off as a loader's, so the training loop runs
 * unchanged and shows the accelerator's own roofline.
 *
 * <p>{@link #replay} repeats real batches, {@link #synthetic} hands out seeded noise. Without {@link #steps} an iterator
 * has no end. One thread iterates; {@link #close()} frees the memory, from any thread.
 */
public final class FakeBatches implements Iterable<Batch>, AutoCloseable {
    /** Different noise batches, so that a trainer's own caches don't see one address only. */
    private static final int NOISE_BATCHES = 2;

    private static final long NOISE_SEED = 20_260_101;

    private final Replay replay;
    private final BatchSpec spec;
    private final long steps;
    /** Counts iterators; the trainer's thread only. */
    private int epochs;

    private FakeBatches(Replay replay, BatchSpec spec, long steps) {
        this.replay = replay;
        this.spec = spec;
        this.steps = steps;
    }

    /**
     * Copies the first {@code k} batches of the loader's next epoch and repeats them. The loader's epoch is left
     * afterwards; close the loader or let it stand idle, it does no further work until its next iterator.
     */
    public static FakeBatches replay(Loader loader, int k) {
        LoaderSettings.atLeast(1, k, "replayed batches");
        Replay replay = Replay.copyOf(loader.spec(), loader, k);
        loader.idle();
        if (replay.count() == 0) {
            replay.close();
            throw new IllegalArgumentException("the loader's epoch gave no batch to replay");
        }
        return new FakeBatches(replay, loader.spec(), Long.MAX_VALUE);
    }

    /** Noise in the shapes of a view, from a fixed seed. */
    public static FakeBatches synthetic(View view, int batchSize) {
        LoaderSettings.atLeast(1, batchSize, "batchSize");
        BatchSpec spec = view.spec();
        return new FakeBatches(Replay.noise(spec, batchSize, NOISE_BATCHES, NOISE_SEED), spec, Long.MAX_VALUE);
    }

    /** The same batches, {@code count} of them in each iterator. Shares this object's memory: close either, once. */
    public FakeBatches steps(long count) {
        return new FakeBatches(replay, spec, count);
    }

    /** The tensors of every batch. */
    public BatchSpec spec() {
        return spec;
    }

    @Override
    public Iterator<Batch> iterator() {
        int epoch = epochs++;
        return new Iterator<>() {
            private long given;
            private Replay.@Nullable Lent lent;

            @Override
            public boolean hasNext() {
                if (given < steps) {
                    return true;
                }
                takeBack();
                return false;
            }

            @Override
            public Batch next() {
                takeBack();
                if (given >= steps) {
                    throw new NoSuchElementException("all " + steps + " fake batches were given");
                }
                Replay.Lent next = replay.lend(epoch, given++);
                lent = next;
                return next.batch();
            }

            private void takeBack() {
                Replay.Lent last = lent;
                lent = null;
                if (last != null) {
                    last.takeBack();
                }
            }
        };
    }

    @Override
    public void close() {
        replay.close();
    }
}
