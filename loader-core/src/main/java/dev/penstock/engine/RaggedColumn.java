package dev.penstock.engine;

import dev.penstock.data.TensorSpec;
import dev.penstock.spi.RaggedWriter;
import java.nio.ByteBuffer;
import java.util.function.IntPredicate;

/**
 * Values and offsets of one ragged or text tensor in a slab. Values grow by doubling and are kept for the next batch.
 * Owned by one thread at a time, like its slab.
 */
final class RaggedColumn implements RaggedWriter {
    private static final int FIRST_BYTES = 16 << 10;
    private static final int MOST_BYTES = Integer.MAX_VALUE - 4 * NativeMemory.ALIGNMENT;

    private final TensorSpec spec;
    private final int rowBytes;
    private final int capacity;
    private final MemoryBudget budget;
    private final NativeMemory.Region offsets;
    private NativeMemory.Region values;
    private ByteBuffer writer;
    private int rows;

    RaggedColumn(TensorSpec spec, int capacity, MemoryBudget budget) {
        this.spec = spec;
        this.rowBytes = spec.kind() == TensorSpec.Kind.TEXT ? 1 : spec.bytes();
        this.capacity = capacity;
        this.budget = budget;
        offsets = NativeMemory.allocate(4 * (capacity + 1));
        values = NativeMemory.allocate(FIRST_BYTES);
        budget.add(MemoryBudget.Use.BATCHES, offsets.bytes() + (long) values.bytes());
        writer = values.buffer().duplicate().order(values.buffer().order());
    }

    /** What a new column takes for {@code capacity} samples. */
    static long initialBytes(int capacity) {
        return 4L * (capacity + 1) + FIRST_BYTES;
    }

    void rewind() {
        rows = 0;
        writer.clear();
        offsets.buffer().putInt(0, 0);
    }

    @Override
    public ByteBuffer reserve(int bytes) {
        if (writer.remaining() < bytes) {
            grow((long) writer.position() + bytes);
        }
        return writer;
    }

    @Override
    public void endRow() {
        if (rows == capacity) {
            throw new IllegalStateException("tensor '" + spec.name() + "': more than " + capacity + " rows were ended");
        }
        if (writer.position() % rowBytes != 0) {
            throw new IllegalStateException("tensor '" + spec.name() + "': a row ended after " + writer.position()
                    + " bytes, no multiple of " + rowBytes);
        }
        rows++;
        offsets.buffer().putInt(4 * rows, writer.position() / rowBytes);
    }

    int rows() {
        return rows;
    }

    /** Rows of {@code spec.shape()} in all. */
    int total() {
        return offsets.buffer().getInt(4 * rows);
    }

    int rowBytes() {
        return rowBytes;
    }

    ByteBuffer values() {
        return values.buffer();
    }

    ByteBuffer offsets() {
        return offsets.buffer();
    }

    /** Leaves out the rows that {@code failed} names. */
    void compact(IntPredicate failed) {
        ByteBuffer table = offsets.buffer();
        int kept = 0;
        int end = 0;
        int start = 0;
        for (int row = 0; row < rows; row++) {
            int next = table.getInt(4 * (row + 1));
            if (!failed.test(row)) {
                int count = next - start;
                values.buffer().put(end * rowBytes, values.buffer(), start * rowBytes, count * rowBytes);
                end += count;
                kept++;
                table.putInt(4 * kept, end);
            }
            start = next;
        }
        rows = kept;
        writer.position(end * rowBytes);
    }

    void free() {
        budget.remove(MemoryBudget.Use.BATCHES, offsets.bytes() + (long) values.bytes());
        offsets.free();
        values.free();
    }

    private void grow(long needed) {
        if (needed > MOST_BYTES) {
            throw new IllegalStateException("tensor '" + spec.name() + "': the batch's values pass 2 GiB (" + needed
                    + " bytes); use a smaller batch");
        }
        int size = (int) Math.min(MOST_BYTES, Math.max(needed, 2L * values.bytes()));
        NativeMemory.Region larger = NativeMemory.allocate(size);
        budget.add(MemoryBudget.Use.BATCHES, larger.bytes());
        larger.buffer().put(0, values.buffer(), 0, writer.position());
        ByteBuffer moved = larger.buffer().duplicate().order(larger.buffer().order());
        moved.position(writer.position());
        budget.remove(MemoryBudget.Use.BATCHES, values.bytes());
        values.free();
        values = larger;
        writer = moved;
    }
}
