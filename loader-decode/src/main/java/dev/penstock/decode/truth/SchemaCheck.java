package dev.penstock.decode.truth;

import dev.penstock.spi.DatasetException;
import java.util.List;

/** Holds records against a schema while a file is indexed. */
final class SchemaCheck {
    private SchemaCheck() {}

    /** Checks the record that was added last. */
    static void lastRecord(TruthInput input, RecordList list) throws DatasetException {
        int record = list.size() - 1;
        for (FieldTracker tracker : list.expected) {
            TruthField expected = tracker.expected;
            if (expected == null) {
                continue;
            }
            if (!expected.optional() && tracker.isSometimesMissing(record + 1)) {
                int lacking = tracker.isIn(record) ? 0 : record;
                throw wrong(input, list.line(lacking), expected, "is missing");
            }
            if (tracker.isIn(record) && tracker.isChanged()) {
                TruthField found = tracker.field(record + 1);
                if (!accepts(expected, found)) {
                    String problem = tracker.problem();
                    throw problem != null && found.type() == TruthType.MIXED
                            ? new DatasetException(problem + "; the schema says " + expected.describe())
                            : wrong(input, list.line(record), expected, "is " + found.describe());
                }
            }
        }
    }

    /** Checks that what every record needs is in some list. */
    static void allThere(TruthInput input, List<TruthTable> tables) throws DatasetException {
        TruthSchema schema = input.schema();
        if (schema == null) {
            return;
        }
        for (TruthField field : schema.fields()) {
            if (!field.optional()
                    && tables.stream().noneMatch(table -> table.schema().covers(field.name()))) {
                throw new DatasetException(input.prefix() + ": no record has the field '" + field.name()
                        + "'; the schema says " + field.describe() + ", not optional");
            }
        }
    }

    /** Checks tables whose columns have one type throughout: Arrow, Parquet. */
    static void stored(TruthInput input, List<TruthTable> tables) throws DatasetException {
        TruthSchema schema = input.schema();
        if (schema == null) {
            return;
        }
        for (TruthTable table : tables) {
            for (TruthField found : table.schema().fields()) {
                TruthField expected = schema.field(found.name());
                // Whatever their type, the keys were read as instants.
                boolean key = found.name().equals(schema.time()) || found.name().equals(schema.frame());
                if (expected != null && !key && table instanceof StoredTruth stored) {
                    column(input, stored, expected, found);
                }
            }
        }
        if (input.wanted() == null) {
            allThere(input, tables);
        }
    }

    private static void column(TruthInput input, StoredTruth table, TruthField expected, TruthField found)
            throws DatasetException {
        String says = "; the schema says " + expected.describe() + (expected.optional() ? ", optional" : "");
        if (found.type() == TruthType.MIXED) {
            throw new DatasetException(table.problem(found.name()) + says);
        }
        if (!accepts(expected, found)) {
            throw new DatasetException(
                    input.prefix() + ": field '" + expected.name() + "' is " + found.describe() + says);
        }
        int absent = expected.optional() ? -1 : table.firstWithout(expected.name());
        if (absent >= 0) {
            throw new DatasetException(table.where(absent) + ": field '" + expected.name() + "' is missing" + says);
        }
    }

    /** Whether values like {@code found} are right where the schema says {@code expected}. */
    static boolean accepts(TruthField expected, TruthField found) {
        if (found.type() == TruthType.UNKNOWN) {
            return !found.rows() || expected.rows();
        }
        boolean type = expected.type() == found.type()
                || (expected.type() == TruthType.FLOAT64 && found.type() == TruthType.INT64);
        if (!type) {
            return false;
        }
        if (expected.rows() == found.rows()) {
            return expected.shape().equals(found.shape());
        }
        return expected.rows()
                && !found.shape().isEmpty()
                && expected.shape()
                        .equals(found.shape().subList(1, found.shape().size()));
    }

    private static DatasetException wrong(TruthInput input, int line, TruthField expected, String what) {
        return new DatasetException(input.prefix() + ", line " + line + ": field '" + expected.name() + "' " + what
                + "; the schema says " + expected.describe() + (expected.optional() ? ", optional" : ""));
    }
}
