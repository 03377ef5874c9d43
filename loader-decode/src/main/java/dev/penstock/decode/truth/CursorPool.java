package dev.penstock.decode.truth;

import dev.penstock.spi.SampleException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A few cursors that stay on the records used last, so that columns of one instant parse its record once, and columns
 * between two instants don't parse either twice. One thread.
 */
final class CursorPool implements AutoCloseable {
    private static final int CURSORS_OF_A_FORMAT = 4;

    private final List<TruthColumn> columns;
    private final List<Place> places = new ArrayList<>();
    private long uses;
    private @Nullable TruthRead read;
    private @Nullable ByteBuffer bytes;

    /** A cursor and the record that it is on. */
    private static final class Place {
        private final TruthFormat format;
        private final TruthCursor cursor;
        private @Nullable TruthTable table;
        private int record;
        private long lastUse;

        Place(TruthFormat format, TruthCursor cursor) {
            this.format = format;
            this.cursor = cursor;
        }
    }

    CursorPool(List<TruthColumn> columns) {
        this.columns = columns;
    }

    /** A batch begins: records of files lie in {@code batchBytes}, which is this pool's own view. */
    void start(@Nullable TruthRead batchRead, @Nullable ByteBuffer batchBytes) {
        read = batchRead;
        bytes = batchBytes;
    }

    /** The batch is done; its bytes are gone. */
    void end() {
        read = null;
        bytes = null;
        for (Place place : places) {
            if (place.table != null && place.table.blob() != null) {
                place.table = null; // the next batch may have read the file anew
            }
        }
    }

    /** A cursor on a record. */
    TruthCursor at(TruthTable table, int record) throws SampleException {
        Place oldest = null;
        int ofFormat = 0;
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            if (place.table == table && place.record == record) {
                place.lastUse = ++uses;
                return place.cursor;
            }
            if (place.format == table.format()) {
                ofFormat++;
                oldest = oldest == null || place.lastUse < oldest.lastUse ? place : oldest;
            }
        }
        if (oldest == null || ofFormat < CURSORS_OF_A_FORMAT) {
            oldest = new Place(table.format(), table.format().newCursor(columns));
            places.add(oldest);
        }
        oldest.table = null;
        oldest.lastUse = ++uses;
        oldest.cursor.load(table, record, bytesOf(table, record));
        oldest.table = table;
        oldest.record = record;
        return oldest.cursor;
    }

    private @Nullable ByteBuffer bytesOf(TruthTable table, int record) {
        if (table.blob() == null) {
            return null;
        }
        long start = read == null ? -1 : read.startOf(table, record);
        if (bytes == null || start < 0) {
            throw new IllegalStateException("record " + record + " of " + table.where() + " was not asked for");
        }
        return bytes.limit((int) start + table.length(record)).position((int) start);
    }

    @Override
    public void close() {
        places.forEach(place -> place.cursor.close());
        places.clear();
    }
}
