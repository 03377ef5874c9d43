package dev.penstock.decode.truth;

import dev.penstock.data.ElementType;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleException;
import dev.penstock.view.Column;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
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
    private final StoredCollation stored;
    private final RecordPick pick = new RecordPick();
    private final ByteBuffer early;
    private final ByteBuffer late;
    private final int slots;
    private final Place[] places;

    /** What a column needs again and again, worked out once. */
    private record Place(TruthColumn column, boolean dense, Column.Pick pick, int slots, int valueBytes, int tensor) {}

    /** The sample that is being written: its truth and its anchor's seconds. */
    private long sample;

    private @Nullable TruthBinding binding;
    private double anchor;

    TruthCollation(TruthGather gather) {
        this.gather = gather;
        this.cursors = new CursorPool(gather.columns());
        this.stored = new StoredCollation(gather);
        this.places = new Place[gather.columns().size()];
        int largest = 8;
        int most = 1;
        for (int i = 0; i < places.length; i++) {
            TruthColumn column = gather.columns().get(i);
            places[i] = new Place(
                    column,
                    column.isDense(),
                    column.column().pick(),
                    gather.slots(i),
                    column.valueBytes(),
                    gather.tensor(i));
            largest = Math.max(largest, column.valueBytes());
            most = Math.max(most, gather.slots(i));
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
        if (request == null && stored.collate(samples, rows, target)) {
            return;
        }
        TruthRead read = (TruthRead) request;
        cursors.start(read, bytes == null ? null : bytes.duplicate());
        for (int row = 0; row < rows; row++) {
            try {
                if (!target.hasFailed(row)) {
                    sample = samples[row];
                    binding = gather.anchors().truth(sample);
                    anchor = gather.anchors().seconds(sample);
                    dense(row, target);
                    ragged(target);
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

    private void dense(int row, BatchTarget target) throws SampleException {
        for (int slot = 0; slot < slots; slot++) { // columns inside: they mostly want the same record
            for (int column = 0; column < places.length; column++) {
                Place place = places[column];
                if (slot < place.slots && place.dense) {
                    int at = (row * place.slots + slot) * place.valueBytes;
                    value(column, slot, target.dense(place.tensor), at);
                }
            }
        }
    }

    private void value(int column, int slot, ByteBuffer target, int at) throws SampleException {
        TruthTable table = find(column, slot);
        if (pick.second() < 0) {
            cursors.at(table, pick.first()).copyTo(column, target, at);
            return;
        }
        double weight = pick.weight();
        int second = pick.second();
        cursors.at(table, pick.first()).copyTo(column, early, 0);
        cursors.at(table, second).copyTo(column, late, 0);
        boolean single = places[column].column.column().type() == ElementType.FLOAT32;
        int bytes = places[column].valueBytes;
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

    private TruthTable find(int column, int slot) throws SampleException {
        TruthBinding truth = Objects.requireNonNull(binding);
        TruthTable table = truth.table(column);
        Place place = places[column];
        double instant = gather.instant(column, slot, sample, anchor);
        if (!pick.find(table, place.pick, truth.tolerance(column), instant)) {
            throw new SampleException(
                    "truth column '" + place.column.tensor() + "', episode '"
                            + truth.truth().episode() + "', "
                            + table.where() + ": "
                            + RecordPick.why(table, place.pick, truth.tolerance(column), instant),
                    null);
        }
        return table;
    }

    /** Writes the row's values of every ragged and text tensor, or of none of them. */
    private void ragged(BatchTarget target) throws SampleException {
        for (int column = 0; column < places.length; column++) {
            if (!places[column].dense) {
                cursors.at(find(column, 0), pick.first()).bytes(column); // throws before anything is written
            }
        }
        for (int column = 0; column < places.length; column++) {
            if (!places[column].dense) {
                TruthCursor cursor = cursors.at(find(column, 0), pick.first());
                int bytes = cursor.bytes(column);
                ByteBuffer space = target.ragged(places[column].tensor).reserve(bytes);
                int at = space.position();
                cursor.copyTo(column, space, at);
                space.position(at + bytes);
            }
        }
    }

    private void endRows(BatchTarget target) {
        for (Place place : places) {
            if (!place.dense) {
                target.ragged(place.tensor).endRow();
            }
        }
    }

    @Override
    public void close() {
        cursors.close();
    }
}
