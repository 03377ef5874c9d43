package dev.penstock.decode.truth;

import dev.penstock.data.ElementType;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Writes the truth of batches in place. One thread only; its parsers and buffers are used again for every batch.
 *
 * <p>A row that can't be had is said with {@link BatchTarget#fail}; the others go on. Every ragged tensor gets exactly one
 * end of row for each row, failed ones too.
 */
public final class TruthCollation implements AutoCloseable {
    private final TruthGather gather;
    private final CursorPool cursors;
    private final RecordPick pick = new RecordPick();
    private final ByteBuffer early;
    private final ByteBuffer late;
    private final int slots;

    TruthCollation(TruthGather gather) {
        this.gather = gather;
        this.cursors = new CursorPool(gather.columns());
        int largest = 8;
        int most = 1;
        for (int column = 0; column < gather.columns().size(); column++) {
            largest = Math.max(largest, gather.columns().get(column).valueBytes());
            most = Math.max(most, gather.slots(column));
        }
        this.early = ByteBuffer.allocate(largest).order(ByteOrder.nativeOrder());
        this.late = ByteBuffer.allocate(largest).order(ByteOrder.nativeOrder());
        this.slots = most;
    }

    /**
     * Fills the truth tensors of a batch.
     *
     * @param request what {@link TruthGather#request} gave for the same rows, or null; not to be used afterwards
     * @param bytes its ranges one behind the other, from position 0, or null without a request
     */
    public void collate(
            long[] samples, int rows, @Nullable ReadRequest request, @Nullable ByteBuffer bytes, BatchTarget target) {
        TruthRead read = (TruthRead) request;
        cursors.start(read, bytes == null ? null : bytes.duplicate());
        for (int row = 0; row < rows; row++) {
            try {
                if (!target.hasFailed(row)) {
                    dense(samples[row], row, target);
                    ragged(samples[row], target);
                }
            } catch (SampleException e) {
                target.fail(row, e);
            }
            endRows(target);
        }
        cursors.end();
        if (read != null) {
            gather.done(read);
        }
    }

    private void dense(long sample, int row, BatchTarget target) throws SampleException {
        for (int slot = 0; slot < slots; slot++) { // columns inside: they mostly want the same record
            for (int column = 0; column < gather.columns().size(); column++) {
                if (slot < gather.slots(column) && gather.columns().get(column).isDense()) {
                    int bytes = gather.columns().get(column).valueBytes();
                    int at = (row * gather.slots(column) + slot) * bytes;
                    value(sample, column, slot, target.dense(gather.tensor(column)), at);
                }
            }
        }
    }

    private void value(long sample, int column, int slot, ByteBuffer target, int at) throws SampleException {
        TruthTable table = find(sample, column, slot);
        if (pick.second() < 0) {
            cursors.at(table, pick.first()).copyTo(column, target, at);
            return;
        }
        double weight = pick.weight();
        int second = pick.second();
        cursors.at(table, pick.first()).copyTo(column, early, 0);
        cursors.at(table, second).copyTo(column, late, 0);
        boolean single = gather.columns().get(column).column().type() == ElementType.FLOAT32;
        int bytes = gather.columns().get(column).valueBytes();
        if (single) {
            for (int i = 0; i < bytes; i += Float.BYTES) {
                double from = early.getFloat(i);
                target.putFloat(at + i, (float) (from + weight * (late.getFloat(i) - from)));
            }
        } else {
            for (int i = 0; i < bytes; i += Double.BYTES) {
                double from = early.getDouble(i);
                target.putDouble(at + i, from + weight * (late.getDouble(i) - from));
            }
        }
    }

    private TruthTable find(long sample, int column, int slot) throws SampleException {
        TruthBinding binding = gather.anchors().truth(sample);
        TruthTable table = binding.table(column);
        if (!gather.find(pick, binding, column, slot, sample)) {
            TruthColumn wanted = gather.columns().get(column);
            throw new SampleException(
                    "truth column '" + wanted.tensor() + "', episode '"
                            + binding.truth().episode() + "', "
                            + table.where() + ": "
                            + RecordPick.why(
                                    table,
                                    wanted.column().pick(),
                                    binding.tolerance(column),
                                    gather.instant(column, slot, sample)),
                    null);
        }
        return table;
    }

    /** Writes the row's values of every ragged and text tensor, or of none of them. */
    private void ragged(long sample, BatchTarget target) throws SampleException {
        for (int column = 0; column < gather.columns().size(); column++) {
            if (!gather.columns().get(column).isDense()) {
                cursors.at(find(sample, column, 0), pick.first()).bytes(column); // throws before anything is written
            }
        }
        for (int column = 0; column < gather.columns().size(); column++) {
            if (!gather.columns().get(column).isDense()) {
                TruthCursor cursor = cursors.at(find(sample, column, 0), pick.first());
                int bytes = cursor.bytes(column);
                ByteBuffer space = target.ragged(gather.tensor(column)).reserve(bytes);
                int at = space.position();
                cursor.copyTo(column, space, at);
                space.position(at + bytes);
            }
        }
    }

    private void endRows(BatchTarget target) {
        for (int column = 0; column < gather.columns().size(); column++) {
            if (!gather.columns().get(column).isDense()) {
                target.ragged(gather.tensor(column)).endRow();
            }
        }
    }

    @Override
    public void close() {
        cursors.close();
    }
}
