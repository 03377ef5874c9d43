package dev.penstock.engine;

import dev.penstock.data.Batch;
import dev.penstock.data.BatchSpec;
import dev.penstock.data.TensorSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A few batches held in memory, handed out again and again by the same hand-off as a pipeline's: a fresh
 * {@link SlabBatch} over a slab each time. Handing out is for one thread; {@link #close} from any.
 */
public final class Replay implements SlabBatch.Owner, AutoCloseable {
    private final MemoryBudget budget = new MemoryBudget(Long.MAX_VALUE);
    private final List<Slab> slabs = new ArrayList<>();
    /** Guarded by this: deliveries that have not ended. */
    private int out;
    /** Guarded by this. */
    private boolean closed;
    /** Guarded by this: memory was freed. */
    private boolean freed;

    private Replay() {}

    /** Copies batches. */
    public static Replay copyOf(BatchSpec spec, Iterable<Batch> batches, int count) {
        Replay replay = new Replay();
        try {
            for (Batch batch : batches) {
                replay.slabs.add(copy(spec, batch, replay.budget));
                if (replay.slabs.size() == count) {
                    break;
                }
            }
        } catch (RuntimeException | Error e) {
            replay.close();
            throw e;
        }
        return replay;
    }

    /** Makes {@code count} batches of seeded noise; ragged columns get 0 to 8 rows a sample. */
    public static Replay noise(BatchSpec spec, int batchSize, int count, long seed) {
        Replay replay = new Replay();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < count; i++) {
            Slab slab = new Slab(spec, batchSize, replay.budget);
            replay.slabs.add(slab);
            slab.start(batchSize);
            for (int column = 0; column < spec.size(); column++) {
                fill(slab, column, batchSize, random);
            }
        }
        return replay;
    }

    /** How many different batches there are. */
    public int count() {
        return slabs.size();
    }

    /** Hands out batch {@code index} modulo {@link #count()}. */
    public Lent lend(int epoch, long index) {
        Slab slab = slabs.get((int) (index % slabs.size()));
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("the fake batches are closed");
            }
            out++;
        }
        return new Lent(new SlabBatch(slab, epoch, index, this));
    }

    /**
     * A batch lent to the trainer.
     *
     * @param batch the batch
     */
    public record Lent(Batch batch) {
        /** The iterator goes on. */
        public void takeBack() {
            ((SlabBatch) batch).takeBack();
        }
    }

    @Override
    public void giveBack(Slab slab) {
        ended();
    }

    @Override
    public void keepOut(SlabBatch batch) {}

    @Override
    public void comeBack(SlabBatch batch) {
        ended();
    }

    /** Frees the memory, at once or when the last retained batch is closed. */
    @Override
    public synchronized void close() {
        closed = true;
        freeIfLast();
    }

    private synchronized void ended() {
        out--;
        freeIfLast();
    }

    private void freeIfLast() {
        if (closed && out == 0 && !freed) {
            freed = true;
            slabs.forEach(Slab::free);
        }
    }

    private static Slab copy(BatchSpec spec, Batch batch, MemoryBudget budget) {
        Slab slab = new Slab(spec, batch.size(), budget);
        slab.start(batch.size());
        for (int i = 0; i < spec.size(); i++) {
            ByteBuffer data = batch.tensors().get(i).data();
            if (spec.tensors().get(i).isDense()) {
                slab.dense(i).put(0, data, 0, data.remaining());
            } else {
                for (int row = 0; row < batch.size(); row++) {
                    ByteBuffer values = batch.tensors().get(i).sample(row);
                    slab.ragged(i).reserve(values.remaining()).put(values);
                    slab.ragged(i).endRow();
                }
            }
        }
        for (int row = 0; row < batch.size(); row++) {
            slab.samples[row] = batch.sampleAt(row);
            slab.padding[row] = batch.isPadding(row);
        }
        return slab;
    }

    private static void fill(Slab slab, int column, int rows, SplittableRandom random) {
        TensorSpec spec = slab.spec().tensors().get(column);
        if (spec.isDense()) {
            noise(slab.dense(column), 0, rows * spec.bytes(), spec, random);
            return;
        }
        int rowBytes = spec.kind() == TensorSpec.Kind.TEXT ? 1 : spec.bytes();
        for (int row = 0; row < rows; row++) {
            int bytes = random.nextInt(9) * rowBytes;
            ByteBuffer target = slab.ragged(column).reserve(bytes);
            noise(target, target.position(), bytes, spec, random);
            target.position(target.position() + bytes);
            slab.ragged(column).endRow();
        }
    }

    /** Values that a trainer can stand: bytes of all values, text of letters, booleans 0 or 1, numbers in [0, 1). */
    private static void noise(ByteBuffer target, int from, int bytes, TensorSpec spec, SplittableRandom random) {
        for (int at = from; at < from + bytes; at += spec.type().bytes()) {
            switch (spec.type()) {
                case UINT8 ->
                    target.put(at, (byte)
                            (spec.kind() == TensorSpec.Kind.TEXT ? 'a' + random.nextInt(26) : random.nextInt(256)));
                case BOOL -> target.put(at, (byte) random.nextInt(2));
                case INT32 -> target.putInt(at, random.nextInt(2));
                case INT64 -> target.putLong(at, random.nextInt(2));
                case FLOAT32 -> target.putFloat(at, (float) random.nextDouble());
                case FLOAT64 -> target.putDouble(at, random.nextDouble());
            }
        }
    }
}
