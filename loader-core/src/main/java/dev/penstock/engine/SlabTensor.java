package dev.penstock.engine;

import dev.penstock.data.Tensor;
import dev.penstock.data.TensorSpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** One tensor of a delivered batch: views of the slab's memory, refused once the batch is given back. */
final class SlabTensor implements Tensor {
    private final SlabBatch batch;
    private final Slab slab;
    private final int column;

    SlabTensor(SlabBatch batch, Slab slab, int column) {
        this.batch = batch;
        this.slab = slab;
        this.column = column;
    }

    @Override
    public TensorSpec spec() {
        return slab.spec().tensors().get(column);
    }

    @Override
    public long[] shape() {
        batch.requireHeld();
        TensorSpec spec = spec();
        long[] shape = new long[spec.shape().size() + 1];
        shape[0] = spec.isDense() ? batch.size() : slab.raggedColumn(column).total();
        for (int i = 1; i < shape.length; i++) {
            shape[i] = spec.shape().get(i - 1);
        }
        return shape;
    }

    @Override
    public ByteBuffer data() {
        batch.requireHeld();
        if (spec().isDense()) {
            return view(slab.dense(column), 0, batch.size() * spec().bytes());
        }
        RaggedColumn ragged = slab.raggedColumn(column);
        return view(ragged.values(), 0, ragged.total() * ragged.rowBytes());
    }

    @Override
    public ByteBuffer offsets() {
        batch.requireHeld();
        if (spec().isDense()) {
            throw new UnsupportedOperationException("tensor '" + name() + "' is dense and has no offsets");
        }
        return view(slab.raggedColumn(column).offsets(), 0, 4 * (batch.size() + 1));
    }

    @Override
    public ByteBuffer sample(int row) {
        batch.requireHeld();
        Objects.checkIndex(row, batch.size());
        if (spec().isDense()) {
            return view(slab.dense(column), row * spec().bytes(), spec().bytes());
        }
        RaggedColumn ragged = slab.raggedColumn(column);
        int start = ragged.offsets().getInt(4 * row);
        int end = ragged.offsets().getInt(4 * (row + 1));
        return view(ragged.values(), start * ragged.rowBytes(), (end - start) * ragged.rowBytes());
    }

    @Override
    public String text(int row) {
        if (spec().kind() != TensorSpec.Kind.TEXT) {
            throw new UnsupportedOperationException("tensor '" + name() + "' is no text, it is " + spec().type());
        }
        return StandardCharsets.UTF_8.decode(sample(row)).toString();
    }

    @Override
    public List<String> texts() {
        List<String> texts = new ArrayList<>(batch.size());
        for (int row = 0; row < batch.size(); row++) {
            texts.add(text(row));
        }
        return texts;
    }

    private static ByteBuffer view(ByteBuffer memory, int from, int bytes) {
        return memory.slice(from, bytes).order(memory.order());
    }
}
