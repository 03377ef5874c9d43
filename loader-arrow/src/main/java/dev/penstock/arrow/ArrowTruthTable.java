package dev.penstock.arrow;

import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthFormat;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.decode.truth.TruthTable;
import dev.penstock.spi.Blob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The records of one Arrow file, or of one of its record batches, in order of time. Immutable; thread-safe. */
final class ArrowTruthTable implements TruthTable {
    /** One record batch's columns by field name, and the number of its first record in the file's order. */
    record Part(Map<String, ArrowColumn> columns, int first, int records) {}

    private final TruthFormat format;
    private final TruthInput input;
    private final String identity;
    private final TruthSchema schema;
    private final Map<String, String> problems;
    private final List<Part> parts;
    private final double[] times;
    private final int @Nullable [] order;

    /**
     * @param times seconds, ascending
     * @param order the file's record of each of them, or null where the file is in order
     */
    ArrowTruthTable(
            TruthFormat format,
            TruthInput input,
            String identity,
            List<TruthField> fields,
            Map<String, String> problems,
            List<Part> parts,
            double[] times,
            int @Nullable [] order) {
        this.format = format;
        this.input = input;
        this.identity = identity;
        this.schema = new TruthSchema(fields);
        this.problems = new HashMap<>(problems);
        this.parts = parts;
        this.times = times;
        this.order = order;
    }

    /** The part that has a record. */
    Part part(int record) {
        int at = inFile(record);
        int number = 0;
        while (number + 1 < parts.size() && parts.get(number + 1).first() <= at) {
            number++;
        }
        return parts.get(number);
    }

    int inFile(int record) {
        return order == null ? record : order[record];
    }

    boolean fills(String field) {
        TruthSchema given = input.schema();
        TruthField told = given == null ? null : given.field(field);
        return told != null && told.optional();
    }

    String where(int record) {
        return input.prefix() + ", record " + inFile(record);
    }

    @Override
    public TruthFormat format() {
        return format;
    }

    @Override
    public String where() {
        return input.where();
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public TruthSchema schema() {
        return schema;
    }

    @Override
    public @Nullable String problem(String field) {
        return problems.get(field);
    }

    @Override
    public boolean constant() {
        return false;
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
        return null; // mapped: the page cache reads
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
        // The maps go when the last batch that reads them is done; the file itself was closed once it was mapped.
    }
}
