package dev.penstock.decode.truth;

import dev.penstock.spi.DatasetException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the schema that all of several episodes fulfil, one episode after another: whole numbers and others together are
 * float64; fields that some lack are optional; lists of different length are rows. One thread.
 */
public final class SchemaInference {
    private final Map<String, TruthField> merged = new LinkedHashMap<>();
    private final Map<String, String> firstSeen = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private int episodes;

    /** Nothing seen yet. */
    public SchemaInference() {}

    /**
     * Takes an episode's fields; the truth may be closed afterwards.
     *
     * @throws DatasetException when a field is of types that don't go together, in this episode or with an earlier one
     */
    public void add(EpisodeTruth episode) throws DatasetException {
        episodes++;
        for (TruthTable table : episode.tables()) {
            for (TruthField field : table.schema().fields()) {
                add(table, field);
            }
        }
    }

    private void add(TruthTable table, TruthField field) throws DatasetException {
        if (field.type() == TruthType.MIXED) {
            throw new DatasetException(String.valueOf(table.problem(field.name())));
        }
        TruthField before = merged.get(field.name());
        TruthField both = before == null ? field : TruthSchema.merged(before, field);
        if (both == null) {
            throw new DatasetException("field '" + field.name() + "' is " + field.describe() + " in " + table.where()
                    + " but " + describe(before) + " in " + firstSeen.get(field.name())
                    + "; a field needs one type in all episodes");
        }
        merged.put(field.name(), both);
        firstSeen.putIfAbsent(field.name(), table.where());
        counts.merge(field.name(), 1, Integer::sum);
    }

    private static String describe(@Nullable TruthField field) {
        return field == null ? "nothing" : field.describe();
    }

    /** The schema of all that was added. */
    public TruthSchema schema() {
        List<TruthField> fields = new ArrayList<>();
        for (TruthField field : merged.values()) {
            boolean everywhere = counts.getOrDefault(field.name(), 0) == episodes;
            fields.add(new TruthField(
                    field.name(), field.type(), field.rows(), field.shape(), field.optional() || !everywhere));
        }
        return new TruthSchema(fields);
    }
}
