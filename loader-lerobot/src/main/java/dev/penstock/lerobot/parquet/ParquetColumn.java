package dev.penstock.lerobot.parquet;

import dev.penstock.decode.truth.StoredColumn;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Puts the values of one column of one row group together from Parquet's repetition and definition levels. One use, one
 * thread.
 *
 * <p>A value with repetition level r goes on with the list at depth r and opens those below it; its definition level says
 * how deep it gets, and so which list is empty or absent. All lists but the outermost must have one length throughout.
 */
final class ParquetColumn {
    private static final int UNSEEN = -1;

    private final ParquetLeaf leaf;
    private final int depth;
    /** Elements so far of the open list at each depth, from 1; 0 where none is open. */
    private final int[] counts;
    /** The length of all lists at each depth from 2. */
    private final int[] extents;

    private ByteBuffer values = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
    /** Where each record's values end: elements of the outermost list, or bytes of a text. */
    private int[] ends = new int[256];

    private boolean[] absent = new boolean[256];
    private int records;
    private int absentRecords;
    private int rows;
    private @Nullable String problem;

    ParquetColumn(ParquetLeaf leaf) {
        this.leaf = leaf;
        this.depth = leaf.listLevels().size();
        this.counts = new int[depth + 1];
        this.extents = new int[depth + 1];
        Arrays.fill(extents, UNSEEN);
    }

    /** Takes all values. */
    ParquetFile.Column read(ParquetFile.Values all) {
        ColumnReader reader = all.reader();
        for (long i = 0; i < all.count(); i++) {
            int repetition = reader.getCurrentRepetitionLevel();
            int definition = reader.getCurrentDefinitionLevel();
            if (repetition == 0) {
                endRecord();
                records++;
                grow();
            }
            take(reader, repetition, definition);
            reader.consume();
        }
        endRecord();
        return problem == null ? new ParquetFile.Column(column(), null) : ParquetFile.unreadable(leaf.name(), problem);
    }

    int records() {
        return records;
    }

    private void take(ColumnReader reader, int repetition, int definition) {
        boolean defined = definition == leaf.descriptor().getMaxDefinitionLevel();
        if (depth == 0) {
            if (defined) {
                put(reader);
            } else {
                absent();
            }
            return;
        }
        close(repetition + 1);
        int reached = 0;
        while (reached < depth && definition >= leaf.listLevels().get(reached)) {
            reached++;
        }
        for (int level = Math.max(1, repetition); level <= reached; level++) {
            counts[level]++;
            rows += level == 1 ? 1 : 0;
        }
        if (reached < depth) {
            boolean none = definition < leaf.listLevels().get(reached) - 1;
            if (reached > 0) {
                blame("has " + (none ? "nulls" : "empty lists") + " inside lists, which no tensor holds");
            } else if (none) {
                absent();
            }
        } else if (defined) {
            put(reader);
        } else {
            blame("has nulls inside lists, which no tensor holds");
        }
    }

    /** Ends the open lists at this depth and below. */
    private void close(int level) {
        for (int at = depth; at >= level; at--) {
            if (counts[at] > 0 && at > 1) {
                if (extents[at] != UNSEEN && extents[at] != counts[at]) {
                    blame("has lists of different length inside lists, which no tensor holds");
                }
                extents[at] = counts[at];
            }
            counts[at] = 0;
        }
    }

    private void endRecord() {
        if (records > 0) {
            close(1);
            ends[records - 1] = leaf.type() == TruthType.TEXT ? values.position() : rows;
        }
    }

    private void grow() {
        if (records > ends.length) {
            ends = Arrays.copyOf(ends, 2 * ends.length);
            absent = Arrays.copyOf(absent, ends.length);
        }
    }

    private void absent() {
        absent[records - 1] = true;
        absentRecords++;
        if (depth == 0 && leaf.type() != TruthType.TEXT) {
            reserve(leaf.width()).put(new byte[leaf.width()]);
        }
    }

    private void blame(String what) {
        problem = problem == null ? "field '" + leaf.name() + "' " + what : problem;
    }

    private void put(ColumnReader reader) {
        PrimitiveTypeName type = leaf.descriptor().getPrimitiveType().getPrimitiveTypeName();
        switch (type) {
            case BOOLEAN -> reserve(1).put((byte) (reader.getBoolean() ? 1 : 0));
            case INT32 -> reserve(4).putInt(reader.getInteger());
            case INT64 -> reserve(8).putLong(reader.getLong());
            case FLOAT -> reserve(4).putFloat(reader.getFloat());
            case DOUBLE -> reserve(8).putDouble(reader.getDouble());
            case BINARY -> {
                byte[] bytes = reader.getBinary().getBytesUnsafe();
                reserve(bytes.length).put(bytes);
            }
            default -> throw new IllegalStateException(leaf.name() + " is " + type);
        }
    }

    private ByteBuffer reserve(int bytes) {
        if (values.remaining() < bytes) {
            int capacity = Math.max(Math.addExact(values.position(), bytes), Math.multiplyExact(values.capacity(), 2));
            values =
                    ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(values.flip());
        }
        return values;
    }

    private StoredColumn column() {
        boolean optional = absentRecords > 0;
        if (depth == 0) {
            boolean text = leaf.type() == TruthType.TEXT;
            TruthField field = new TruthField(leaf.name(), leaf.type(), false, List.of(), optional);
            return stored(field, 1, text ? offsets() : null, values.flip());
        }
        List<Integer> inner = new ArrayList<>();
        for (int level = 2; level <= depth; level++) {
            inner.add(extents[level]);
        }
        if (rows == 0) {
            TruthField field = new TruthField(leaf.name(), TruthType.UNKNOWN, true, List.of(), optional);
            return new StoredColumn(field, 0, false, 0, validity(), null, false, null);
        }
        int length = commonLength();
        int inRow = inner.stream().reduce(1, (a, b) -> a * b);
        if (leaf.inRows() || length < 1) {
            TruthField field = new TruthField(leaf.name(), leaf.type(), true, inner, optional);
            return stored(field, inRow, offsets(), values.flip());
        }
        inner.add(0, length);
        TruthField field = new TruthField(leaf.name(), leaf.type(), false, inner, optional);
        return stored(field, length * inRow, null, optional ? spread(length * inRow) : values.flip());
    }

    private StoredColumn stored(TruthField field, int elements, @Nullable ByteBuffer offsets, ByteBuffer bytes) {
        ByteBuffer exact = ByteBuffer.allocate(bytes.remaining())
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes)
                .flip();
        boolean unsigned = leaf.unsigned() || leaf.width() == 1;
        return new StoredColumn(field, leaf.width(), unsigned, elements, validity(), offsets, false, exact);
    }

    /** The one length of all outermost lists that are there, or 0. */
    private int commonLength() {
        int common = UNSEEN;
        for (int i = 0; i < records; i++) {
            int length = ends[i] - (i == 0 ? 0 : ends[i - 1]);
            if (!absent[i]) {
                if (common != UNSEEN && common != length) {
                    return 0;
                }
                common = length;
            }
        }
        return common;
    }

    private ByteBuffer offsets() {
        ByteBuffer offsets = ByteBuffer.allocate(4 * (records + 1)).order(ByteOrder.LITTLE_ENDIAN);
        offsets.putInt(0);
        for (int i = 0; i < records; i++) {
            offsets.putInt(ends[i]);
        }
        return offsets.flip();
    }

    private @Nullable ByteBuffer validity() {
        if (absentRecords == 0) {
            return null;
        }
        byte[] bits = new byte[(records + 7) / 8];
        for (int i = 0; i < records; i++) {
            if (!absent[i]) {
                bits[i >> 3] |= (byte) (1 << (i & 7));
            }
        }
        return ByteBuffer.wrap(bits);
    }

    /** Leaves a place for the values of absent records. */
    private ByteBuffer spread(int elements) {
        int bytes = elements * leaf.width();
        ByteBuffer from = Objects.requireNonNull(values).flip();
        ByteBuffer all = ByteBuffer.allocate(Math.multiplyExact(records, bytes)).order(ByteOrder.LITTLE_ENDIAN);
        byte[] value = new byte[bytes];
        for (int i = 0; i < records; i++) {
            if (absent[i]) {
                Arrays.fill(value, (byte) 0);
            } else {
                from.get(value);
            }
            all.put(value);
        }
        return all.flip();
    }
}
