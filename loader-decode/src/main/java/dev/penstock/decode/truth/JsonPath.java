package dev.penstock.decode.truth;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A place in JSON records that leads to wanted fields. Which key leads where is worked out once for each key and kept, so
 * that a key may have dots in it ({@code "observation.state"}) as well as stand for a path. One thread.
 */
final class JsonPath {
    /** Keys kept that lead nowhere; ids used as keys would fill memory. */
    private static final int MOST_DEAD_ENDS = 512;

    private static final JsonPath NOWHERE = new JsonPath("", List.of());

    private final String name;
    /** The sinks at or below this place. */
    final List<JsonSink> below;
    /** The sink of exactly this field, or null. */
    final @Nullable JsonSink sink;

    private final Map<String, JsonPath> known = new HashMap<>();
    private int deadEnds;

    /**
     * @param name dotted name of the place; "" for a record
     * @param below the sinks whose fields are at or below it
     */
    JsonPath(String name, List<JsonSink> below) {
        this.name = name;
        this.below = below;
        this.sink = below.stream()
                .filter(sink -> sink.column.field().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** Where {@code key} leads from here; null when to no wanted field. */
    @Nullable
    JsonPath child(String key) {
        JsonPath path = known.get(key);
        if (path == null) {
            path = find(key);
            if (path != NOWHERE || deadEnds++ < MOST_DEAD_ENDS) {
                known.put(key, path);
            }
        }
        return path == NOWHERE ? null : path;
    }

    private JsonPath find(String key) {
        String full = name.isEmpty() ? key : name + "." + key;
        List<JsonSink> leading = new ArrayList<>();
        for (JsonSink candidate : below) {
            String field = candidate.column.field();
            if (field.equals(full) || field.startsWith(full + ".")) {
                leading.add(candidate);
            }
        }
        return leading.isEmpty() ? NOWHERE : new JsonPath(full, leading);
    }
}
