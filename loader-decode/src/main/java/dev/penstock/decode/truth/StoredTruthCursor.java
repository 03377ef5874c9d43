package dev.penstock.decode.truth;

import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import dev.penstock.spi.SampleException;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Copies values out of the columns of {@link StoredTruth}. One thread. */
public final class StoredTruthCursor implements TruthCursor {
    private static final int MOST_KNOWN = 4096;

    private final List<TruthColumn> wanted;
    private final int[] denseBytes;
    /** The wanted columns of parts seen lately: neighbouring rows of a shuffled batch are of different episodes. */
    private final IdentityHashMap<StoredTruth.Part, @Nullable StoredColumn[]> known = new IdentityHashMap<>();
    /** Of each wanted column: whether it is dense, and its element type. */
    private final boolean[] dense;

    private final ElementType[] types;
    /** The wanted columns in {@link #part}; null where it lacks the field. */
    private @Nullable StoredColumn[] columns;

    private @Nullable StoredTruth table;
    private StoredTruth.@Nullable Part part;
    private int record;
    private int row;

    /** A cursor over any {@link StoredTruth}. */
    public StoredTruthCursor(List<TruthColumn> wanted) {
        this.wanted = List.copyOf(wanted);
        this.columns = new StoredColumn[wanted.size()];
        this.dense = new boolean[wanted.size()];
        this.types = new ElementType[wanted.size()];
        this.denseBytes = new int[wanted.size()];
        for (int i = 0; i < denseBytes.length; i++) {
            dense[i] = wanted.get(i).column().kind() == TensorSpec.Kind.DENSE;
            types[i] = wanted.get(i).column().type();
            denseBytes[i] = new TensorSpec(
                            "value",
                            wanted.get(i).column().type(),
                            wanted.get(i).column().shape(),
                            TensorSpec.Kind.DENSE)
                    .bytes();
        }
    }

    @SuppressWarnings("ReferenceEquality") // the same part or another, whatever is in it
    @Override
    public void load(TruthTable from, int number, @Nullable ByteBuffer bytes) {
        StoredTruth stored = (StoredTruth) from;
        StoredTruth.Part in = stored.part(number);
        if (in != part) {
            columns = columnsOf(in);
        }
        table = stored;
        part = in;
        record = number;
        row = stored.inFile(number) - in.first() + in.skip();
    }

    private @Nullable StoredColumn[] columnsOf(StoredTruth.Part in) {
        @Nullable StoredColumn[] found = known.get(in);
        if (found == null) {
            found = new StoredColumn[wanted.size()];
            for (int i = 0; i < found.length; i++) {
                found[i] = in.source(wanted.get(i));
            }
            if (known.size() >= MOST_KNOWN) {
                known.clear();
            }
            known.put(in, found);
        }
        return found;
    }

    @Override
    public int bytes(int column) throws SampleException {
        StoredColumn from = column(column);
        if (from == null) {
            return isDense(column) ? denseBytes[column] : 0;
        }
        if (isDense(column)) {
            return denseBytes[column];
        }
        return from.field().rows() || from.offsets() != null
                ? from.bytes(row, type(column))
                : from.elements() * type(column).bytes(); // equal lists, asked for as rows
    }

    @Override
    public void copyTo(int column, ByteBuffer target, int at) throws SampleException {
        StoredColumn from = column(column);
        if (from == null) {
            fill(column, target, at);
            return;
        }
        try {
            from.copyTo(row, type(column), target, at);
        } catch (ArithmeticException e) {
            throw wrong(column, "is " + e.getMessage() + ", which does not fit in " + type(column));
        }
    }

    /** The column; null where its value is missing and the schema lets it. */
    private @Nullable StoredColumn column(int column) throws SampleException {
        StoredColumn from = columns[column];
        if (from == null && part != null && !isDense(column) && isBelowEmptyRows(column)) {
            return null;
        }
        if (from != null && !from.isNull(row) && !isNothing(from)) {
            return from;
        }
        if (table == null || !table.fills(wanted.get(column).field())) {
            throw wrong(column, "is missing or null; give it in every record, or call it optional in a truth schema");
        }
        return null;
    }

    /** Of Arrow type null, and no list: no record has a value. */
    private static boolean isNothing(StoredColumn column) {
        return column.field().type() == TruthType.UNKNOWN && !column.field().rows();
    }

    private boolean isBelowEmptyRows(int column) {
        return table != null && table.schema().covering(wanted.get(column).field()) != null;
    }

    private void fill(int column, ByteBuffer target, int at) throws SampleException {
        if (!isDense(column)) {
            return;
        }
        ElementType type = type(column);
        if (type != ElementType.FLOAT32 && type != ElementType.FLOAT64) {
            throw wrong(
                    column,
                    "is missing, and nothing in " + type
                            + " can stand for that; make the column float32 (NaN) or fill it in the data");
        }
        for (int i = 0; i < denseBytes[column]; i += type.bytes()) {
            if (type == ElementType.FLOAT32) {
                target.putFloat(at + i, Float.NaN);
            } else {
                target.putDouble(at + i, Double.NaN);
            }
        }
    }

    private boolean isDense(int column) {
        return dense[column];
    }

    private ElementType type(int column) {
        return types[column];
    }

    private SampleException wrong(int column, String what) {
        String where = table == null ? "no record" : table.where(record);
        return new SampleException(where + ": field '" + wanted.get(column).field() + "' " + what, null);
    }

    @Override
    public void close() {
        table = null;
        part = null;
        known.clear();
    }
}
