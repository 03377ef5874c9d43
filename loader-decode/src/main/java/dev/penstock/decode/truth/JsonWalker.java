package dev.penstock.decode.truth;

import dev.penstock.spi.DatasetException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Goes over the values of one file, token by token, and notes what each key holds in {@link FieldTracker}s. One thread.
 */
final class JsonWalker {
    /**
     * Reads what Python's json module writes: NaN and infinities too. Duplicate keys are refused: which of the two would
     * count differs from parser to parser.
     */
    static final JsonFactory CHECKING = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Keys below this are data (ids used as keys), not fields. */
    private static final int MOST_FIELDS = 4096;

    private final TruthInput input;
    private final JsonParser parser;
    private final @Nullable TruthSchema schema;
    private int fields;

    /** Where new trackers go that a schema speaks of. */
    private List<FieldTracker> expected = new ArrayList<>();

    JsonWalker(TruthInput input, JsonParser parser) {
        this.input = input;
        this.parser = parser;
        this.schema = input.schema();
    }

    /** The value at the parser's present token, of {@code key} in a record of {@code list}. */
    void value(RecordList list, String key) throws DatasetException {
        expected = list.expected;
        value(child(list.root, key), list.size(), 0);
    }

    /**
     * The list of {@code key} in {@code list}'s present record, from its element at the parser's present token.
     *
     * @param objects whether elements before it were objects
     */
    void restOfList(RecordList list, FieldTracker tracker, boolean objects) throws DatasetException {
        expected = list.expected;
        tracker.seenIn(list.size());
        elements(tracker, list.size(), 0, objects);
    }

    /** The tracker of a key below {@code parent}. */
    FieldTracker child(FieldTracker parent, String key) throws DatasetException {
        FieldTracker child = parent.children.get(key);
        if (child == null) {
            if (++fields > MOST_FIELDS) {
                throw new DatasetException(at() + ": more than " + MOST_FIELDS + " different keys, the last '" + key
                        + "'; truth needs fixed field names: write ids as values (a list of objects), not as keys");
            }
            String name = parent.name.isEmpty() ? key : parent.name + "." + key;
            child = new FieldTracker(name, parent, schema == null ? null : schema.field(name));
            parent.children.put(key, child);
            if (child.expected != null) {
                expected.add(child);
            }
        }
        return child;
    }

    private void value(FieldTracker tracker, int record, int depth) throws DatasetException {
        JsonToken token = parser.currentToken();
        switch (token) {
            case START_OBJECT -> object(tracker, record, depth);
            case START_ARRAY -> list(tracker, record, depth);
            case VALUE_NULL -> {
                if (depth > 0) {
                    blame(tracker, "has a null inside a list");
                }
            }
            case VALUE_TRUE, VALUE_FALSE -> scalar(tracker, TruthType.BOOL, record, depth);
            case VALUE_NUMBER_INT -> whole(tracker, record, depth);
            case VALUE_NUMBER_FLOAT -> scalar(tracker, TruthType.FLOAT64, record, depth);
            case VALUE_STRING -> scalar(tracker, TruthType.TEXT, record, depth);
            default -> throw new IllegalStateException("no value: " + token);
        }
    }

    private void whole(FieldTracker tracker, int record, int depth) {
        boolean huge = parser.getStringLength() > 18 && parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER;
        if (huge) {
            tracker.note(at() + " has a whole number beyond 64 bits");
        }
        scalar(tracker, huge ? TruthType.FLOAT64 : TruthType.INT64, record, depth);
    }

    private void scalar(FieldTracker tracker, TruthType type, int record, int depth) {
        if (depth == 0) {
            tracker.seenIn(record);
        }
        blame(tracker, tracker.scalar(type, depth));
    }

    private void list(FieldTracker tracker, int record, int depth) throws DatasetException {
        if (depth == 0) {
            tracker.seenIn(record);
        }
        parser.nextToken();
        elements(tracker, record, depth, false);
    }

    private void elements(FieldTracker tracker, int record, int depth, boolean objectsBefore) throws DatasetException {
        int length = 0;
        boolean objects = objectsBefore;
        for (; parser.currentToken() != JsonToken.END_ARRAY; parser.nextToken()) {
            objects |= parser.currentToken() == JsonToken.START_OBJECT;
            value(tracker, record, depth + 1);
            length++;
        }
        if (!objects || depth > 0) {
            blame(tracker, tracker.list(depth, length));
        }
    }

    private void object(FieldTracker tracker, int record, int depth) throws DatasetException {
        if (depth == 0) {
            tracker.seenIn(record);
        }
        blame(tracker, tracker.object(depth));
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            FieldTracker child = child(tracker, parser.currentName());
            parser.nextToken();
            value(child, record, 0);
        }
    }

    private void blame(FieldTracker tracker, @Nullable String reason) {
        if (reason != null && !tracker.isBlamed()) {
            tracker.blame(at() + ": field '" + tracker.name + "' " + reason);
        }
    }

    /** Where the parser is, for messages. */
    String at() {
        return input.prefix() + ", line " + parser.currentTokenLocation().getLineNr();
    }
}
