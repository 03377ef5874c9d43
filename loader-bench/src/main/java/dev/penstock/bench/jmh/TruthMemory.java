package dev.penstock.bench.jmh;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.TensorSpec;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.RaggedWriter;
import dev.penstock.spi.SampleException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A batch's truth tensors in plain off-heap memory that is used again. One thread. */
public final class TruthMemory implements BatchTarget {
    private static final int RAGGED_BYTES = 1 << 20;

    private final int rows;
    private final List<ByteBuffer> dense = new ArrayList<>();
    private final List<Rows> ragged = new ArrayList<>();

    /** Memory for {@code rows} samples. */
    public TruthMemory(BatchSpec spec, int rows) {
        this.rows = rows;
        for (TensorSpec tensor : spec.tensors()) {
            dense.add(memory(tensor.isDense() ? rows * tensor.bytes() : 0));
            ragged.add(new Rows(memory(tensor.isDense() ? 0 : RAGGED_BYTES)));
        }
    }

    private static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    void clear() {
        ragged.forEach(rows -> rows.values.clear());
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public ByteBuffer dense(int column) {
        return dense.get(column);
    }

    @Override
    public RaggedWriter ragged(int column) {
        return ragged.get(column);
    }

    @Override
    public void fail(int row, SampleException why) {
        throw new IllegalStateException("row " + row, why);
    }

    @Override
    public boolean hasFailed(int row) {
        return false;
    }

    private static final class Rows implements RaggedWriter {
        private final ByteBuffer values;

        Rows(ByteBuffer values) {
            this.values = values;
        }

        @Override
        public ByteBuffer reserve(int bytes) {
            return values;
        }

        @Override
        public void endRow() {
            // Offsets are the engine's; the collation is what is measured.
        }
    }
}
