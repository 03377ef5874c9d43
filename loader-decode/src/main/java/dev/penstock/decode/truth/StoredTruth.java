package dev.penstock.decode.truth;

import dev.penstock.data.ElementType;
import dev.penstock.spi.Blob;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Records whose fields lie in columns, mapped from a file or in memory, in order of time. What a columnar
 * {@link TruthFormat} opens; {@link StoredTruthCursor} reads it. Immutable; thread-safe.
 */
public final class StoredTruth extends DescribedTruth {
    /**
     * Columns of some of the records.
     *
     * @param columns by field name
     * @param rounded by field name: float64 columns that stand there as float32 too, which a float32 tensor takes instead
     * @param first number of its first record in the file's order
     * @param records how many
     * @param skip rows of the columns that stand before its first record
     */
    public record Part(
            Map<String, StoredColumn> columns, Map<String, StoredColumn> rounded, int first, int records, int skip) {
        public Part {
            columns = Map.copyOf(columns);
            rounded = Map.copyOf(rounded);
        }

        /** A part without rounded columns. */
        public Part(Map<String, StoredColumn> columns, int first, int records, int skip) {
            this(columns, Map.of(), first, records, skip);
        }

        /** What a column of the view is copied from; null where there is no such field. */
        @Nullable
        StoredColumn source(TruthColumn column) {
            StoredColumn single = column.column().type() == ElementType.FLOAT32 ? rounded.get(column.field()) : null;
            return single == null ? columns.get(column.field()) : single;
        }
    }

    private final TruthFormat format;
    private final TruthSchema schema;
    private final Map<String, String> problems;
    private final Part[] parts;
    private final double[] times;
    private final int @Nullable [] order;

    /**
     * @param problems why the values of fields of type {@link TruthType#MIXED} don't go together
     * @param parts at least one, one behind the other
     * @param seconds of each record, in the file's order
     */
    public StoredTruth(
            TruthFormat format,
            TruthInput input,
            String identity,
            Form form,
            List<TruthField> fields,
            Map<String, String> problems,
            List<Part> parts,
            double[] seconds) {
        super(input, identity, form);
        this.format = format;
        this.schema = new TruthSchema(fields);
        this.problems = Map.copyOf(problems);
        this.parts = parts.toArray(Part[]::new);
        this.order = order(seconds);
        this.times = order == null
                ? seconds.clone()
                : IntStream.of(order).mapToDouble(i -> seconds[i]).toArray();
    }

    /** Stable, or null where the records are in order already. */
    private static int @Nullable [] order(double[] seconds) {
        for (int i = 1; i < seconds.length; i++) {
            if (seconds[i - 1] > seconds[i]) {
                return IntStream.range(0, seconds.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(record -> seconds[record]))
                        .mapToInt(Integer::intValue)
                        .toArray();
            }
        }
        return null;
    }

    /** The part that has a record. */
    Part part(int record) {
        int at = inFile(record);
        int low = 0;
        int high = parts.length;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (parts[middle].first() <= at) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return parts[low];
    }

    int inFile(int record) {
        return order == null ? record : order[record];
    }

    /** The first record, in order of time, that has no value of a field; -1 when all have one. */
    int firstWithout(String field) {
        for (int record = 0; record < times.length; record++) {
            Part part = part(record);
            StoredColumn column = part.columns().get(field);
            if (column == null || column.isNull(inFile(record) - part.first() + part.skip())) {
                return record;
            }
        }
        return -1;
    }

    @Override
    String where(int record) {
        return input.prefix() + ", record " + inFile(record);
    }

    @Override
    Map<String, String> problems() {
        return problems;
    }

    @Override
    public TruthFormat format() {
        return format;
    }

    @Override
    public TruthSchema schema() {
        return schema;
    }

    @Override
    public int records() {
        return times.length;
    }

    @Override
    public double timeOf(int record) {
        return times[record];
    }

    @Override
    public @Nullable Blob blob() {
        return null; // mapped or in memory
    }

    @Override
    public long offset(int record) {
        return 0;
    }

    @Override
    public int length(int record) {
        return 0;
    }

    @Override
    public void close() {
        // Maps and memory go when the last batch that reads them is done.
    }
}
