package dev.penstock.decode;

import dev.penstock.spi.DatasetException;
import java.net.URI;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One episode from one JSON object of an index; every error names the place, the field, what it was and must be. */
final class EpisodeJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final List<String> FIELDS = List.of("id", "cameras", "truth", "schema", "split", "metadata");
    private static final List<String> CLIP_FIELDS = List.of("clip", "from", "to", "stream", "index");

    private final URI index;
    private final String where;

    private EpisodeJson(URI index, String where) {
        this.index = index;
        this.where = where;
    }

    /**
     * Reads the object at {@code bytes[start…]}.
     *
     * @param index what relative paths are relative to
     * @param where file and line, for messages
     */
    static Episode read(URI index, String where, byte[] bytes, int start) throws DatasetException {
        JsonNode node;
        try {
            node = JSON.readTree(bytes, start, bytes.length - start);
        } catch (JacksonException e) {
            int column = e.getLocation() == null ? -1 : e.getLocation().getColumnNr();
            throw new DatasetException(
                    where + (column > 0 ? ", column " + column : "") + ": not a JSON object: " + e.getOriginalMessage(),
                    e);
        }
        return new EpisodeJson(index, where).episode(node);
    }

    private Episode episode(JsonNode node) throws DatasetException {
        if (!node.isObject()) {
            throw new DatasetException(where + ": a JSON object is needed, got " + brief(node));
        }
        refuseOthers(node, "", FIELDS);
        String id = text(node, "id");
        if (id == null) {
            throw new DatasetException(where + ": field 'id' is missing; give every episode a unique id");
        }
        TruthReference truth = schema(node.get("schema"), truth(node.get("truth")));
        Map<String, Clip> cameras = cameras(node.get("cameras"), truth != null);
        try {
            return new Episode(id, cameras, truth, text(node, "split"), metadata(node.get("metadata")));
        } catch (IllegalArgumentException e) {
            throw new DatasetException(where + ": " + e.getMessage(), e);
        }
    }

    private @Nullable String text(JsonNode node, String field) throws DatasetException {
        JsonNode value = node.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (value.isString() && !value.stringValue().isBlank()) {
            return value.stringValue();
        }
        if (value.isIntegralNumber()) {
            return value.asString();
        }
        throw wrong(field, value, "a string that is not blank");
    }

    private Map<String, Clip> cameras(@Nullable JsonNode node, boolean hasTruth) throws DatasetException {
        if (node == null || node.isNull()) {
            if (hasTruth) {
                return Map.of();
            }
            throw new DatasetException(
                    where
                            + ": field 'cameras' is missing; give an object of camera name to clip, {\"front\": \"front.mp4\"}");
        }
        if (!node.isObject()) {
            throw wrong("cameras", node, "an object of camera name to clip");
        }
        Map<String, Clip> cameras = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> camera : node.properties()) {
            cameras.put(camera.getKey(), clip("cameras." + camera.getKey(), camera.getValue()));
        }
        return cameras;
    }

    private Clip clip(String field, JsonNode node) throws DatasetException {
        if (node.isString()) {
            return Clip.of(address(field, node));
        }
        if (!node.isObject()) {
            throw wrong(field, node, "a path, a URI, or an object with 'clip'");
        }
        refuseOthers(node, field + ".", CLIP_FIELDS);
        JsonNode address = node.get("clip");
        if (address == null || !address.isString()) {
            throw new DatasetException(
                    where + ": field '" + field + ".clip' is missing or no string; give a path or URI");
        }
        try {
            return new Clip(
                    address(field + ".clip", address),
                    seconds(field + ".from", node.get("from")),
                    seconds(field + ".to", node.get("to")),
                    stream(field + ".stream", node.get("stream")),
                    index(field + ".index", node.get("index")));
        } catch (IllegalArgumentException e) {
            throw new DatasetException(where + ": field '" + field + "': " + e.getMessage(), e);
        }
    }

    private URI address(String field, JsonNode node) throws DatasetException {
        try {
            return Addresses.resolve(index, node.stringValue());
        } catch (IllegalArgumentException e) {
            throw new DatasetException(where + ": field '" + field + "' " + e.getMessage(), e);
        }
    }

    private @Nullable Double seconds(String field, @Nullable JsonNode node) throws DatasetException {
        if (node == null || node.isNull()) {
            return null;
        }
        if (!node.isNumber()) {
            throw wrong(field, node, "a number of seconds");
        }
        return node.doubleValue();
    }

    private @Nullable Integer stream(String field, @Nullable JsonNode node) throws DatasetException {
        if (node == null || node.isNull()) {
            return null;
        }
        if (!node.isIntegralNumber() || !node.canConvertToInt()) {
            throw wrong(field, node, "the number of a stream");
        }
        return node.intValue();
    }

    private @Nullable URI index(String field, @Nullable JsonNode node) throws DatasetException {
        if (node == null || node.isNull()) {
            return null;
        }
        if (!node.isString()) {
            throw wrong(field, node, "a path or a URI");
        }
        return address(field, node);
    }

    private @Nullable TruthReference truth(@Nullable JsonNode node) throws DatasetException {
        if (node == null || node.isNull()) {
            return null;
        }
        if (node.isString()) {
            return TruthReference.file(address("truth", node));
        }
        if (node.isObject() || node.isArray()) {
            return TruthReference.inline(node.toString(), where + ", field 'truth'");
        }
        throw wrong("truth", node, "a path, a URI, or inline JSON records");
    }

    private @Nullable TruthReference schema(@Nullable JsonNode node, @Nullable TruthReference truth)
            throws DatasetException {
        if (node == null || node.isNull()) {
            return truth;
        }
        if (truth == null) {
            throw new DatasetException(where + ": field 'schema' is there, but no 'truth' that it could be for");
        }
        if (!node.isString()) {
            throw wrong("schema", node, "a path or URI of a truth schema");
        }
        return truth.schema(address("schema", node));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> metadata(@Nullable JsonNode node) throws DatasetException {
        if (node == null || node.isNull()) {
            return Map.of();
        }
        if (!node.isObject()) {
            throw wrong("metadata", node, "an object");
        }
        return (Map<String, Object>) JSON.treeToValue(node, Map.class);
    }

    /** A field that is not known is mostly one mistyped; free data has its own place. */
    private void refuseOthers(JsonNode node, String prefix, Collection<String> known) throws DatasetException {
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!known.contains(field.getKey())) {
                throw new DatasetException(where + ": field '" + prefix + field.getKey() + "' is not known; known are "
                        + Arrays.toString(known.toArray())
                        + (prefix.isEmpty() ? "; free data belongs into 'metadata'" : ""));
            }
        }
    }

    private DatasetException wrong(String field, JsonNode value, String needed) {
        return new DatasetException(where + ": field '" + field + "' was " + brief(value) + ", must be " + needed);
    }

    private static String brief(JsonNode value) {
        String text = value.toString();
        return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }
}
