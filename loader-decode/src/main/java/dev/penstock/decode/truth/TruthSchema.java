package dev.penstock.decode.truth;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Column;
import java.util.Collection;
import java.util.Collections;
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
 * @param groups names for fields that belong together, such as those of one task head; a field may be in several
 */
public record TruthSchema(
        @JsonProperty("fields") List<TruthField> fields,
        @JsonProperty("time") String time,
        @JsonProperty("frame") String frame,

        @JsonProperty("groups") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        Map<String, List<String>> groups) {

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
        groups = groups == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(groups));
        groups.forEach((group, members) -> members.forEach(member -> {
            if (!names.contains(member)) {
                throw new IllegalArgumentException(
                        "group '" + group + "' has field '" + member + "', the schema has " + names);
            }
        }));
    }

    /** A schema without groups. */
    public TruthSchema(List<TruthField> fields, String time, String frame) {
        this(fields, time, frame, Map.of());
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

    /** The same schema with another group of fields. */
    public TruthSchema group(String name, String... members) {
        Map<String, List<String>> more = new LinkedHashMap<>(groups);
        more.put(name, List.of(members));
        return new TruthSchema(fields, time, frame, more);
    }

    /**
     * Columns for the fields of a group, for {@link dev.penstock.view.View.Builder#truth(Map)}: float32 for numbers, int64
     * for whole ones, bool, text, and ragged for rows.
     *
     * @throws IllegalArgumentException when there is no such group, or a field in it that no column holds
     */
    public Map<String, Column> columns(String group) {
        List<String> members = groups.get(group);
        if (members == null) {
            throw new IllegalArgumentException(
                    "the truth schema has no group '" + group + "'; its groups are " + groups.keySet());
        }
        Map<String, Column> columns = new LinkedHashMap<>();
        for (String member : members) {
            TruthField field = field(member);
            if (field != null) {
                columns.put(member, field.column());
            }
        }
        return columns;
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
        SchemaInference inference = new SchemaInference();
        for (EpisodeTruth episode : episodes) {
            inference.add(episode);
        }
        return inference.schema();
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
