package dev.penstock.decode.truth;

import dev.penstock.spi.BatchTarget;
import dev.penstock.spi.RaggedWriter;
import dev.penstock.view.Column;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the truth of a batch column by column where all of it is {@link StoredTruth} and has a value. First every row's
 * record is found, then the memory of every value is touched, then each column is copied for all rows. The values lie all
 * over mapped files, so most touches miss the caches; one behind the other they are answered side by side, where a miss
 * among the work of a copy is waited for. One thread.
 */
final class StoredCollation {
    private static final int MOST_KNOWN = 4096;

    private final TruthGather gather;
    private final TruthColumn[] columns;
    private final RecordPick pick = new RecordPick();
    /** The view's columns in the parts seen lately. */
    private final IdentityHashMap<StoredTruth.Part, @Nullable StoredSource[]> known = new IdentityHashMap<>();
    /** By column and slot, then by row: where the value is. */
    private StoredSource[] from = new StoredSource[0];

    private int[] first = new int[0];
    private int[] count = new int[0];
    private final int[] slots;
    private final int[] valueBytes;
    /** Whether a column asks for the record that the one before it asked for, where both are in one table. */
    private final boolean[] asBefore;

    private final int allSlots;
    /** Of what was touched: the compiler must not see that nobody wants it. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

    // The record found last: neighbouring columns mostly want the same one.
    private @Nullable StoredTruth table;
    private int record;
    private @Nullable StoredSource[] here = new StoredSource[0];
    private int row;

    StoredCollation(TruthGather gather) {
        this.gather = gather;
        this.columns = gather.columns().toArray(TruthColumn[]::new);
        this.valueBytes = new int[columns.length];
        this.asBefore = new boolean[columns.length];
        for (int i = 0; i < columns.length; i++) {
            valueBytes[i] = columns[i].valueBytes();
            asBefore[i] = i > 0 && asksAs(columns[i].column(), columns[i - 1].column());
        }
        this.slots = IntStream.range(0, columns.length).map(gather::slots).toArray();
        this.allSlots = IntStream.of(slots).sum();
    }

    private static boolean asksAs(Column column, Column before) {
        return column.window() == null
                && before.window() == null
                && column.pick() == before.pick()
                && Objects.equals(column.tolerance(), before.tolerance());
    }

    /**
     * Writes the batch, or nothing of it.
     *
     * @return false when some row needs more than a copy: it has failed, its truth is of another format, a value is
     *     missing, lies between two records or does not fit
     */
    boolean collate(long[] samples, int rows, BatchTarget target) {
        int places = rows * allSlots;
        if (from.length < places) {
            from = new StoredSource[places];
            first = new int[places];
            count = new int[places];
        }
        for (int i = 0; i < rows; i++) {
            if (target.hasFailed(i) || !find(samples[i], i, rows)) {
                return false;
            }
        }
        touch(places);
        int place = 0;
        for (int column = 0; column < columns.length; column++) {
            if (columns[column].isDense()) {
                ByteBuffer tensor = target.dense(gather.tensor(column));
                for (int slot = 0; slot < slots[column]; slot++) {
                    dense(place + slot * rows, rows, slot, column, tensor);
                }
            } else {
                ragged(place, rows, target.ragged(gather.tensor(column)));
            }
            place += slots[column] * rows;
        }
        return true;
    }

    private void touch(int places) {
        int sum = 0;
        for (int i = 0; i < places; i++) {
            sum += from[i].touch(first[i], count[i]);
        }
        touched = sum;
    }

    private void dense(int place, int rows, int slot, int column, ByteBuffer tensor) {
        int bytes = valueBytes[column];
        int step = slots[column] * bytes;
        int to = slot * bytes;
        for (int i = place; i < place + rows; i++) {
            from[i].copyTo(first[i], count[i], tensor, to);
            to += step;
        }
    }

    private void ragged(int place, int rows, RaggedWriter writer) {
        for (int i = place; i < place + rows; i++) {
            int bytes = from[i].bytes(count[i]);
            ByteBuffer space = writer.reserve(bytes);
            int start = space.position();
            from[i].copyTo(first[i], count[i], space, start);
            space.position(start + bytes);
            writer.endRow();
        }
    }

    /** Finds where every value of a row is; false when a plain copy of each won't do. */
    private boolean find(long sample, int number, int rows) {
        TruthBinding binding = gather.anchors().truth(sample);
        double anchor = gather.anchors().seconds(sample);
        @Nullable TruthTable before = null;
        int place = number;
        for (int column = 0; column < columns.length; column++) {
            TruthTable stored = binding.table(column);
            boolean same = stored == before && asBefore[column];
            for (int slot = 0; slot < slots[column]; slot++) {
                if (!same && !go(stored, binding, column, gather.instant(column, slot, sample, anchor))) {
                    return false;
                }
                StoredSource source = here[column];
                if (source == null || !source.isReady(row)) {
                    return false;
                }
                from[place] = source;
                first[place] = source.first(row);
                count[place] = source.count(row, first[place]);
                place += rows;
            }
            before = stored;
        }
        return true;
    }

    /** Goes to the record of an instant; false where there is not one alone. */
    private boolean go(TruthTable to, TruthBinding binding, int column, double instant) {
        if (to instanceof StoredTruth stored
                && pick.find(stored, columns[column].column().pick(), binding.tolerance(column), instant)
                && pick.second() < 0) {
            go(stored, pick.first());
            return true;
        }
        return false;
    }

    private void go(StoredTruth to, int wanted) {
        if (to == table && wanted == record) {
            return;
        }
        StoredTruth.Part part = to.part(wanted);
        @Nullable StoredSource[] found = known.get(part);
        if (found == null) {
            found = new StoredSource[columns.length];
            for (int i = 0; i < found.length; i++) {
                StoredColumn column = part.source(columns[i]);
                found[i] = column == null ? null : new StoredSource(column, columns[i]);
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
