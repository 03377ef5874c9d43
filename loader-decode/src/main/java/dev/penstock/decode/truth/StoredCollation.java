package dev.penstock.decode.truth;

import dev.penstock.data.ElementType;
import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.RaggedWriter;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the truth of a batch column by column where all of it is {@link StoredTruth} and has a value. First every row's
 * record is found, then each column is copied for all rows: the copies of one column don't wait for one another's memory,
 * where row by row every column of a record would be a miss of its own. One thread.
 */
final class StoredCollation {
    private static final int MOST_KNOWN = 4096;

    private final TruthGather gather;
    private final TruthColumn[] columns;
    private final RecordPick pick = new RecordPick();
    /** The view's columns in the parts seen lately. */
    private final IdentityHashMap<StoredTruth.Part, @Nullable StoredColumn[]> known = new IdentityHashMap<>();
    /** By column and slot, then by row: where the value is. */
    private @Nullable StoredColumn[] from = new StoredColumn[0];

    private int[] at = new int[0];

    // The record found last: neighbouring columns mostly want the same one.
    private @Nullable StoredTruth table;
    private int record;
    private @Nullable StoredColumn[] here = new StoredColumn[0];
    private int row;

    StoredCollation(TruthGather gather) {
        this.gather = gather;
        this.columns = gather.columns().toArray(TruthColumn[]::new);
    }

    /**
     * Writes the batch, or nothing of it.
     *
     * @return false when some row needs more than a copy: it has failed, its truth is of another format, a value is
     *     missing, lies between two records or does not fit
     */
    boolean collate(long[] samples, int rows, BatchTarget target) {
        if (!find(samples, rows, target)) {
            return false;
        }
        int place = 0;
        for (int column = 0; column < columns.length; column++) {
            ElementType type = columns[column].column().type();
            if (columns[column].isDense()) {
                int slots = gather.slots(column);
                for (int slot = 0; slot < slots; slot++) {
                    dense(place + slot * rows, rows, slot, slots, type, column, target);
                }
                place += slots * rows;
            } else {
                ragged(place, rows, type, target.ragged(gather.tensor(column)));
                place += rows;
            }
        }
        return true;
    }

    private void dense(int place, int rows, int slot, int slots, ElementType type, int column, BatchTarget target) {
        ByteBuffer tensor = target.dense(gather.tensor(column));
        int bytes = columns[column].valueBytes();
        for (int i = 0; i < rows; i++) {
            StoredColumn values = from[place + i];
            if (values != null) {
                values.copyTo(at[place + i], type, tensor, (i * slots + slot) * bytes);
            }
        }
    }

    private void ragged(int place, int rows, ElementType type, RaggedWriter writer) {
        for (int i = 0; i < rows; i++) {
            StoredColumn values = from[place + i];
            if (values != null) {
                int bytes = values.rowBytes(at[place + i], type);
                ByteBuffer space = writer.reserve(bytes);
                int start = space.position();
                values.copyTo(at[place + i], type, space, start);
                space.position(start + bytes);
            }
            writer.endRow();
        }
    }

    /** Finds where every value is; false when a plain copy of each won't do. */
    private boolean find(long[] samples, int rows, BatchTarget target) {
        int places = 0;
        for (int column = 0; column < columns.length; column++) {
            places += rows * gather.slots(column);
        }
        if (from.length < places) {
            from = new StoredColumn[places];
            at = new int[places];
        }
        for (int i = 0; i < rows; i++) {
            if (target.hasFailed(i) || !find(samples[i], i, rows)) {
                return false;
            }
        }
        return true;
    }

    private boolean find(long sample, int number, int rows) {
        TruthBinding binding = gather.anchors().truth(sample);
        double anchor = gather.anchors().seconds(sample);
        int place = number;
        for (int column = 0; column < columns.length; column++) {
            if (!(binding.table(column) instanceof StoredTruth stored)) {
                return false;
            }
            for (int slot = 0; slot < gather.slots(column); slot++) {
                double instant = gather.instant(column, slot, sample, anchor);
                boolean one = pick.find(stored, columns[column].column().pick(), binding.tolerance(column), instant)
                        && pick.second() < 0;
                if (!one) {
                    return false;
                }
                go(stored, pick.first());
                StoredColumn values = here[column];
                if (values == null || !values.isReady(row, columns[column].column())) {
                    return false;
                }
                from[place] = values;
                at[place] = row;
                place += rows;
            }
        }
        return true;
    }

    private void go(StoredTruth to, int wanted) {
        if (to == table && wanted == record) {
            return;
        }
        StoredTruth.Part part = to.part(wanted);
        @Nullable StoredColumn[] found = known.get(part);
        if (found == null) {
            found = new StoredColumn[columns.length];
            for (int i = 0; i < found.length; i++) {
                found[i] = part.columns().get(columns[i].field());
            }
            if (known.size() >= MOST_KNOWN) {
                known.clear();
            }
            known.put(part, found);
        }
        here = found;
        table = to;
        record = wanted;
        row = to.inFile(wanted) - part.first() + part.skip();
    }
}
