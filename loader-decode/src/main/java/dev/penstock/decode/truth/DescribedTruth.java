package dev.penstock.decode.truth;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What every truth table can say of itself, whatever it is read from. Immutable. */
abstract class DescribedTruth implements TruthTable {
    final TruthInput input;
    private final String identity;
    private final Form form;

    DescribedTruth(TruthInput input, String identity, Form form) {
        this.input = input;
        this.identity = identity;
        this.form = form;
    }

    /** Why the values of a mixed field don't go together, by field. */
    abstract Map<String, String> problems();

    /** Where a record is, for messages. */
    abstract String where(int record);

    /** Whether the schema that the table was opened with lets a record lack this field. */
    boolean fills(String field) {
        TruthSchema given = input.schema();
        TruthField told = given == null ? null : given.field(field);
        return told != null && told.optional();
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
    public Form form() {
        return form;
    }

    @Override
    public @Nullable String problem(String field) {
        return problems().get(field);
    }
}
