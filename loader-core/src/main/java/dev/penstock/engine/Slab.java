package dev.penstock.engine;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.TensorSpec;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.RaggedWriter;
import dev.penstock.spi.SampleException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one batch: allocated once, used for many batches one after another. It counts against the budget from
 * the beginning; the dense tensors' memory is made by whoever needs it first ({@link #ready}), since its pages may cost
 * more than the decoding of the batch, and reading and decoding can begin meanwhile.
 *
 * <p>While a batch is made, decode workers write disjoint parts of the dense tensors; then one collate worker has the
 * slab alone; then the trainer. Each hand-over goes through a lock (stage queue, order gate), which orders the writes
 * before the reads.
 */
final class Slab implements BatchTarget {
    private final BatchSpec spec;
    private final int capacity;
    private final MemoryBudget budget;
    /** Guarded by {@code dense} itself for making; read by those who have seen {@link #made}. */
    private final NativeMemory.@Nullable Region[] dense;
    /** Set when all of {@code dense} is there: its writes happen before the reads of those who see it. */
    private volatile boolean made;
    /** Guarded by {@code dense}: the trainer's thread may make memory while another thread closes the loader. */
    private boolean freed;

    private final @Nullable RaggedColumn[] ragged;

    /** The samples of the rows; written by the dispatcher and, for substitutes, by collate. */
    final long[] samples;

    /** Which rows are padding; written by the dispatcher. */
    final boolean[] padding;

    /** The global position of each row in the epoch's order; written by the dispatcher. */
    final long[] positions;

    /** Guarded by this: why rows failed. */
    private final @Nullable SampleException[] failures;

    /** Bytes for the collator, grown as needed; owned by whoever owns the batch's truth piece. */
    private NativeMemory.@Nullable Region truthBytes;

    /** Guarded by the pool's monitor for writing: workers given up that may still write to this. */
    private volatile int stuck;

    /** Written by the dispatcher before any piece is dealt out, by collate when rows are skipped. */
    private int rows;

    /** Guarded by this: volatile so that {@link #hasFailed} costs decoders no lock while all is well. */
    private volatile boolean anyFailed;

    Slab(BatchSpec spec, int capacity, MemoryBudget budget) {
        this.spec = spec;
        this.capacity = capacity;
        this.budget = budget;
        dense = new NativeMemory.@Nullable Region[spec.size()];
        ragged = new @Nullable RaggedColumn[spec.size()];
        samples = new long[capacity];
        padding = new boolean[capacity];
        positions = new long[capacity];
        failures = new @Nullable SampleException[capacity];
        for (int i = 0; i < spec.size(); i++) {
            if (spec.tensors().get(i).isDense()) {
                budget.add(MemoryBudget.Use.BATCHES, denseBytes(i));
            }
        }
        try {
            for (int i = 0; i < spec.size(); i++) {
                TensorSpec tensor = spec.tensors().get(i);
                if (!tensor.isDense()) {
                    ragged[i] = new RaggedColumn(tensor, capacity, budget);
                }
            }
        } catch (OutOfMemoryError e) {
            free();
            throw e;
        }
    }

    private int denseBytes(int column) {
        return Math.max(1, Math.multiplyExact(spec.tensors().get(column).bytes(), capacity));
    }

    /** Makes the dense tensors' memory unless it is there; waits where another thread makes it. */
    void ready() {
        if (made) {
            return;
        }
        synchronized (dense) {
            if (freed) {
                return;
            }
            for (int i = 0; i < dense.length; i++) {
                if (dense[i] == null && spec.tensors().get(i).isDense()) {
                    dense[i] = NativeMemory.allocate(denseBytes(i));
                }
            }
            made = true;
        }
    }

    BatchSpec spec() {
        return spec;
    }

    int capacity() {
        return capacity;
    }

    /** Makes the slab ready for a batch of {@code rows} rows. */
    void start(int rowCount) {
        rows = rowCount;
        clearFailures();
        rewindRagged();
    }

    /** Collate starts from the first row, again where rows were replaced. */
    void rewindRagged() {
        for (RaggedColumn column : ragged) {
            if (column != null) {
                column.rewind();
            }
        }
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public ByteBuffer dense(int column) {
        ready();
        NativeMemory.Region region = dense[column];
        if (region == null) {
            throw new IllegalArgumentException(
                    "tensor '" + spec.tensors().get(column).name() + "' is not dense");
        }
        return region.buffer();
    }

    @Override
    public RaggedWriter ragged(int column) {
        return raggedColumn(column);
    }

    RaggedColumn raggedColumn(int column) {
        RaggedColumn writer = ragged[column];
        if (writer == null) {
            throw new IllegalArgumentException(
                    "tensor '" + spec.tensors().get(column).name() + "' is dense");
        }
        return writer;
    }

    @Override
    public synchronized void fail(int row, SampleException why) {
        if (failures[row] == null) {
            failures[row] = why;
        }
        anyFailed = true;
    }

    @Override
    public boolean hasFailed(int row) {
        if (!anyFailed) {
            return false;
        }
        synchronized (this) {
            return failures[row] != null;
        }
    }

    boolean anyFailed() {
        return anyFailed;
    }

    synchronized @Nullable SampleException failure(int row) {
        return failures[row];
    }

    synchronized void clearFailures() {
        if (anyFailed) {
            Arrays.fill(failures, null);
            anyFailed = false;
        }
    }

    /** Memory for {@code bytes} bytes of truth, position 0 and limit {@code bytes}. */
    ByteBuffer truthBuffer(int bytes) {
        NativeMemory.Region region = truthBytes;
        if (region == null || region.bytes() < bytes) {
            freeTruth();
            region = NativeMemory.allocate(ReadBuffers.sizeClass(bytes));
            budget.add(MemoryBudget.Use.BATCHES, region.bytes());
            truthBytes = region;
        }
        return region.buffer().slice(0, bytes).order(region.buffer().order());
    }

    /** Rows that are no padding. */
    int samplesLeft() {
        int count = 0;
        for (int row = 0; row < rows; row++) {
            count += padding[row] ? 0 : 1;
        }
        return count;
    }

    /** Leaves out the failed rows: the others move up. Only collate calls this, when all rows are written. */
    void compact() {
        int kept = 0;
        for (int row = 0; row < rows; row++) {
            if (!hasFailed(row)) {
                move(row, kept++);
            }
        }
        for (RaggedColumn column : ragged) {
            if (column != null) {
                column.compact(this::hasFailed);
            }
        }
        rows = kept;
        clearFailures();
    }

    /**
     * Takes in a row of another slab, or another row of this one: pixels, sample, failure. Ragged columns come later, at
     * collate. Nobody writes to either row.
     */
    void take(Slab other, int from, int to) {
        SampleException why = other.failure(from);
        setFailure(to, why);
        ready();
        other.ready();
        for (int i = 0; i < dense.length; i++) {
            NativeMemory.Region region = dense[i];
            NativeMemory.Region source = other.dense[i];
            if (region != null && source != null && why == null) {
                int bytes = spec.tensors().get(i).bytes();
                region.buffer().put(to * bytes, source.buffer(), from * bytes, bytes);
            }
        }
        samples[to] = other.samples[from];
        padding[to] = other.padding[from];
        positions[to] = other.positions[from];
    }

    private synchronized void setFailure(int row, @Nullable SampleException why) {
        failures[row] = why;
        anyFailed |= why != null;
    }

    /** The first {@code rowCount} rows are the batch. */
    synchronized void trim(int rowCount) {
        rows = rowCount;
        if (anyFailed) {
            Arrays.fill(failures, rowCount, failures.length, null);
            anyFailed = Arrays.stream(failures).anyMatch(java.util.Objects::nonNull);
        }
    }

    private void move(int from, int to) {
        if (from == to) {
            return;
        }
        ready();
        for (int i = 0; i < dense.length; i++) {
            NativeMemory.Region region = dense[i];
            if (region != null) {
                int bytes = spec.tensors().get(i).bytes();
                region.buffer().put(to * bytes, region.buffer(), from * bytes, bytes);
            }
        }
        samples[to] = samples[from];
        padding[to] = padding[from];
        positions[to] = positions[from];
    }

    /** Whether a worker that was given up may still write to this. */
    boolean isStuck() {
        return stuck > 0;
    }

    /** One more worker that may still write to this was given up, or one fewer; the pool's monitor is held. */
    synchronized void stuck(int more) {
        stuck += more;
    }

    /** Takes over the truth bytes that were read into another slab, which gets ours. */
    void swapTruth(Slab other) {
        NativeMemory.Region own = truthBytes;
        truthBytes = other.truthBytes;
        other.truthBytes = own;
    }

    /** Frees everything, once. The owner sees to it that nobody uses the slab any more. */
    void free() {
        synchronized (dense) {
            freed = true;
            for (int i = 0; i < dense.length; i++) {
                NativeMemory.Region region = dense[i];
                if (region != null) {
                    region.free();
                    dense[i] = null;
                }
            }
        }
        for (int i = 0; i < ragged.length; i++) {
            RaggedColumn column = ragged[i];
            if (column != null) {
                column.free();
            }
            if (spec.tensors().get(i).isDense()) {
                budget.remove(MemoryBudget.Use.BATCHES, denseBytes(i));
            }
        }
        freeTruth();
    }

    private void freeTruth() {
        NativeMemory.Region region = truthBytes;
        if (region != null) {
            budget.remove(MemoryBudget.Use.BATCHES, region.bytes());
            region.free();
            truthBytes = null;
        }
    }
}
