package dev.penstock.decode.truth;

import dev.penstock.data.ElementType;
import dev.penstock.spi.DatasetException;
import dev.penstock.spi.SampleException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Goes over all values of episodes' truth, of any format, and notes for each field what was seen. One thread.
 */
public final class FieldValues {
    private final Map<String, Seen> seen = new LinkedHashMap<>();

    /** Nothing seen yet. */
    public FieldValues() {}

    /**
     * What was seen of one field. Grows while truth is added.
     *
     * <p>Least and greatest are of numbers that are finite; booleans count as 0 and 1.
     */
    public static final class Seen {
        private final TruthTable.Form form;
        private long records;
        private long missing;
        private long notFinite;
        private @Nullable Number least;
        private @Nullable Number greatest;
        private int fewest = Integer.MAX_VALUE;
        private int most = -1;

        Seen(TruthTable.Form form) {
            this.form = form;
        }

        /** What its records hold for. */
        public TruthTable.Form form() {
            return form;
        }

        /** Records that could have it. */
        public long records() {
            return records;
        }

        /** Records without it, or with null. */
        public long missing() {
            return missing;
        }

        /** Numbers that are NaN or infinite. */
        public long notFinite() {
            return notFinite;
        }

        /** The least number, a Long for whole ones; null where there was none. */
        public @Nullable Number least() {
            return least;
        }

        /** The greatest number; null where there was none. */
        public @Nullable Number greatest() {
            return greatest;
        }

        /** The fewest rows of a record, or bytes of a text; -1 for fixed shapes. */
        public int fewest() {
            return most < 0 ? -1 : fewest;
        }

        /** The most rows of a record, or bytes of a text; -1 for fixed shapes. */
        public int most() {
            return most;
        }

        private void length(int length) {
            fewest = Math.min(fewest, length);
            most = Math.max(most, length);
        }

        private void whole(long value) {
            least = least == null ? Long.valueOf(value) : Long.valueOf(Math.min(least.longValue(), value));
            greatest = greatest == null ? Long.valueOf(value) : Long.valueOf(Math.max(greatest.longValue(), value));
        }

        private void number(double value) {
            if (!Double.isFinite(value)) {
                notFinite++;
                return;
            }
            least = least == null ? Double.valueOf(value) : Double.valueOf(Math.min(least.doubleValue(), value));
            greatest =
                    greatest == null ? Double.valueOf(value) : Double.valueOf(Math.max(greatest.doubleValue(), value));
        }
    }

    /** By field name. */
    public Map<String, Seen> fields() {
        return seen;
    }

    /**
     * Reads every record of an episode.
     *
     * @throws DatasetException when a record can't be read
     */
    public void add(EpisodeTruth truth) throws IOException {
        for (TruthTable table : truth.tables()) {
            List<TruthColumn> columns = new ArrayList<>();
            for (TruthField field : table.schema().fields()) {
                seen.computeIfAbsent(field.name(), name -> new Seen(table.form())).records += table.records();
                if (field.type() != TruthType.UNKNOWN && field.type() != TruthType.MIXED) {
                    columns.add(new TruthColumn(field.name(), field.exactColumn()));
                } else if (!field.rows()) {
                    at(field.name()).missing += table.records();
                } else {
                    at(field.name()).length(0);
                }
            }
            try {
                read(table, columns);
            } catch (SampleException e) {
                throw new DatasetException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    private void read(TruthTable table, List<TruthColumn> columns) throws IOException, SampleException {
        ByteBuffer bytes = ByteBuffer.allocate(4096);
        ByteBuffer value = ByteBuffer.allocate(4096).order(ByteOrder.nativeOrder());
        try (TruthCursor cursor = table.format().newCursor(columns)) {
            for (int record = 0; record < table.records(); record++) {
                bytes = table.read(record, bytes);
                cursor.load(table, record, table.blob() == null ? null : bytes);
                for (int i = 0; i < columns.size(); i++) {
                    TruthColumn column = columns.get(i);
                    int size = size(table, cursor, i, column);
                    if (size < 0) {
                        at(column.field()).missing++;
                        continue;
                    }
                    if (size > value.capacity()) {
                        value = ByteBuffer.allocate(2 * size).order(ByteOrder.nativeOrder());
                    }
                    cursor.copyTo(i, value, 0);
                    note(at(column.field()), column, value, size);
                }
            }
        }
    }

    /** Bytes of a value; -1 where the record lacks it. */
    private static int size(TruthTable table, TruthCursor cursor, int column, TruthColumn of) throws SampleException {
        TruthField field = table.schema().field(of.field());
        try {
            return cursor.bytes(column);
        } catch (SampleException e) {
            if (field != null && field.optional()) {
                return -1;
            }
            throw e;
        }
    }

    private static void note(Seen seen, TruthColumn column, ByteBuffer value, int size) {
        ElementType type = column.column().type();
        switch (column.column().kind()) {
            case TEXT -> {
                seen.length(size);
                return;
            }
            case RAGGED -> seen.length(size / column.valueBytes());
            case DENSE -> {}
        }
        for (int at = 0; at < size; at += type.bytes()) {
            switch (type) {
                case INT64 -> seen.whole(value.getLong(at));
                case FLOAT64 -> seen.number(value.getDouble(at));
                default -> seen.whole(value.get(at));
            }
        }
    }

    private Seen at(String field) {
        return Objects.requireNonNull(seen.get(field));
    }
}
