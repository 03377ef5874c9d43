package dev.penstock.decode.truth;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.penstock.spi.DatasetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The fields of truth: inferred from a file, or read from a schema file that every record is checked against. Immutable.
 *
 * @param fields names are unique
 * @param time the key of a record's time in seconds
 * @param frame the key of a record's frame number in the reference clip
 */
public record TruthSchema(
        @JsonProperty("fields") List<TruthField> fields,
        @JsonProperty("time") String time,
        @JsonProperty("frame") String frame) {

    /** The key of a record's time where no schema says otherwise. */
    public static final String TIME = "time";
    /** The key of a record's frame number where no schema says otherwise. */
    public static final String FRAME = "frame";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    public TruthSchema {
        fields = fields == null ? List.of() : List.copyOf(fields);
        time = time == null ? TIME : time;
        frame = frame == null ? FRAME : frame;
        Set<String> names = new HashSet<>();
        for (TruthField field : fields) {
            if (!names.add(field.name())) {
                throw new IllegalArgumentException("truth field '" + field.name() + "' stands twice in the schema");
            }
        }
    }

    /** A schema with the usual keys. */
    public TruthSchema(List<TruthField> fields) {
        this(fields, TIME, FRAME);
    }

    /** The field of that name, or null. */
    public @Nullable TruthField field(String name) {
        for (TruthField field : fields) {
            if (field.name().equals(name)) {
                return field;
            }
        }
        return null;
    }

    /**
     * The field that answers for {@code name}: itself, or the list of objects above it where that was empty in every
     * record; null when there is none.
     */
    public @Nullable TruthField covering(String name) {
        TruthField field = field(name);
        for (int dot = name.lastIndexOf('.'); field == null && dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
            TruthField above = field(name.substring(0, dot));
            if (above != null && above.type() == TruthType.UNKNOWN && above.rows()) {
                field = above;
            }
        }
        return field;
    }

    boolean covers(String name) {
        return covering(name) != null;
    }

    /** The schema as JSON, readable by {@link #fromJson}. */
    public String toJson() {
        return JSON.writeValueAsString(this);
    }

    /**
     * Reads what {@link #toJson()} wrote, or a hand-written schema.
     *
     * @throws IllegalArgumentException when it is none; the message says where
     */
    public static TruthSchema fromJson(String json) {
        try {
            return JSON.readValue(json, TruthSchema.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "not a truth schema: " + e.getOriginalMessage() + " at line "
                            + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr(),
                    e);
        }
    }

    /**
     * The schema that all of several episodes fulfil: whole numbers and others together are float64; fields that some
     * lack are optional; lists of different length are rows.
     *
     * @throws DatasetException when a field is of types that don't go together, in one episode or between two
     */
    public static TruthSchema infer(Collection<EpisodeTruth> episodes) throws DatasetException {
        Map<String, TruthField> merged = new LinkedHashMap<>();
        Map<String, String> firstSeen = new LinkedHashMap<>();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (EpisodeTruth episode : episodes) {
            for (TruthTable table : episode.tables()) {
                for (TruthField field : table.schema().fields()) {
                    if (field.type() == TruthType.MIXED) {
                        throw new DatasetException(String.valueOf(table.problem(field.name())));
                    }
                    TruthField before = merged.get(field.name());
                    TruthField both = before == null ? field : merge(before, field);
                    if (both == null) {
                        throw new DatasetException("field '" + field.name() + "' is " + field.describe() + " in "
                                + table.where() + " but " + describe(before)
                                + " in " + firstSeen.get(field.name())
                                + "; a field needs one type in all episodes");
                    }
                    merged.put(field.name(), both);
                    firstSeen.putIfAbsent(field.name(), table.where());
                    counts.merge(field.name(), 1, Integer::sum);
                }
            }
        }
        List<TruthField> fields = new ArrayList<>();
        for (TruthField field : merged.values()) {
            boolean everywhere = counts.getOrDefault(field.name(), 0) == episodes.size();
            fields.add(new TruthField(
                    field.name(), field.type(), field.rows(), field.shape(), field.optional() || !everywhere));
        }
        return new TruthSchema(fields);
    }

    private static String describe(@Nullable TruthField field) {
        return field == null ? "nothing" : field.describe();
    }

    /** The field that two of one name are together; null where their values don't go together. */
    public static @Nullable TruthField merged(TruthField a, TruthField b) {
        return a.type() == TruthType.MIXED ? a : b.type() == TruthType.MIXED ? b : merge(a, b);
    }

    private static @Nullable TruthField merge(TruthField a, TruthField b) {
        boolean optional = a.optional() || b.optional();
        if (a.type() == TruthType.UNKNOWN || b.type() == TruthType.UNKNOWN) {
            boolean firstKnown = a.type() != TruthType.UNKNOWN;
            TruthField known = firstKnown ? a : b;
            TruthField unknown = firstKnown ? b : a;
            if (unknown.rows() && rowShape(known) == null) {
                return null;
            }
            boolean rows = known.rows() || unknown.rows();
            List<Integer> shape = rows && !known.rows()
                    ? known.shape().subList(1, known.shape().size())
                    : known.shape();
            return new TruthField(a.name(), known.type(), rows, shape, optional);
        }
        TruthType type = a.type() == b.type() ? a.type() : widen(a.type(), b.type());
        if (type == null) {
            return null;
        }
        if (a.rows() == b.rows() && a.shape().equals(b.shape())) {
            return new TruthField(a.name(), type, a.rows(), a.shape(), optional);
        }
        List<Integer> rowA = rowShape(a);
        return rowA != null && rowA.equals(rowShape(b)) ? new TruthField(a.name(), type, true, rowA, optional) : null;
    }

    private static @Nullable TruthType widen(TruthType a, TruthType b) {
        boolean numbers =
                (a == TruthType.INT64 || a == TruthType.FLOAT64) && (b == TruthType.INT64 || b == TruthType.FLOAT64);
        return numbers ? TruthType.FLOAT64 : null;
    }

    private static @Nullable List<Integer> rowShape(TruthField field) {
        if (field.rows()) {
            return field.shape();
        }
        return field.shape().isEmpty()
                ? null
                : field.shape().subList(1, field.shape().size());
    }
}
