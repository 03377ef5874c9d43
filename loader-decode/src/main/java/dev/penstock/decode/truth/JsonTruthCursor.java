package dev.penstock.decode.truth;

import dev.penstock.spi.SampleException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.async.ByteBufferFeeder;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Parses the wanted fields of one JSON record after another. One thread.
 *
 * <p>One parser reads all records, fed with one at a time, so that a record costs no new parser, buffer or key string.
 * Columns of one field but different types need a pass over the record each; that is rare.
 */
final class JsonTruthCursor implements TruthCursor {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    /** The sink of each column; columns alike share one. */
    private final JsonSink[] sinkOf;
    /** Sinks of one pass have different fields. */
    private final List<List<JsonSink>> passes = new ArrayList<>();
    /** The start of the walk, by the first part of the table's field names and by pass. */
    private final Map<String, JsonPath[]> starts = new HashMap<>();

    private @Nullable JsonParser parser;
    private @Nullable JsonTruthTable table;
    private int record = -1;
    /** A view of the memory of {@link #table}, for tables in memory. */
    private @Nullable ByteBuffer memory;

    JsonTruthCursor(List<TruthColumn> columns) {
        this.sinkOf = new JsonSink[columns.size()];
        for (int i = 0; i < columns.size(); i++) {
            sinkOf[i] = sinkFor(columns.get(i));
        }
    }

    private JsonSink sinkFor(TruthColumn wanted) {
        int samePath = 0;
        for (List<JsonSink> pass : passes) {
            for (JsonSink sink : pass) {
                if (sink.column.field().equals(wanted.field())) {
                    samePath++;
                    if (sink.column.column().type() == wanted.column().type()
                            && sink.column.column().kind() == wanted.column().kind()
                            && sink.column
                                    .column()
                                    .shape()
                                    .equals(wanted.column().shape())) {
                        return sink;
                    }
                }
            }
        }
        if (samePath == passes.size()) {
            passes.add(new ArrayList<>());
        }
        JsonSink sink = new JsonSink(wanted);
        passes.get(samePath).add(sink);
        return sink;
    }

    @Override
    public void load(TruthTable from, int wanted, @Nullable ByteBuffer bytes) throws SampleException {
        JsonTruthTable json = (JsonTruthTable) from;
        ByteBuffer view = json.memory() == null ? bytes : inMemory(json, wanted);
        table = json;
        record = wanted;
        if (view == null) {
            throw new IllegalArgumentException("no bytes for " + json.where(wanted));
        }
        JsonPath[] paths = starts.computeIfAbsent(json.name(), this::startsFor);
        int start = view.position();
        for (int pass = 0; pass < paths.length; pass++) {
            parse(json, paths[pass], view.position(start));
        }
        view.position(start);
    }

    private JsonPath[] startsFor(String prefix) {
        return passes.stream().map(sinks -> new JsonPath(prefix, sinks)).toArray(JsonPath[]::new);
    }

    private ByteBuffer inMemory(JsonTruthTable json, int wanted) {
        if (table != json || memory == null) {
            memory = java.util.Objects.requireNonNull(json.memory()).duplicate();
        }
        int start = json.start(wanted);
        return memory.limit(start + json.bytes(wanted)).position(start);
    }

    private void parse(JsonTruthTable json, JsonPath start, ByteBuffer bytes) throws SampleException {
        start.below.forEach(JsonSink::clear);
        JsonParser reader = parser == null ? JSON.createNonBlockingByteBufferParser(ObjectReadContext.empty()) : parser;
        parser = null; // until the record went well: a parser in the middle of a broken one is of no use
        try {
            ((ByteBufferFeeder) reader.nonBlockingInputFeeder()).feedInput(bytes);
            if (reader.nextToken() != JsonToken.START_OBJECT) {
                throw changed(json, "it does not start with an object", null);
            }
            object(reader, start, false);
            parser = reader;
        } catch (JacksonException e) {
            throw changed(json, e.getOriginalMessage(), e);
        }
    }

    private SampleException changed(JsonTruthTable json, String why, @Nullable Throwable cause) {
        return new SampleException(
                json.where(record) + ": the record can't be read: " + why
                        + "; the file has changed since it was opened, or was read wrong",
                cause);
    }

    private void object(JsonParser reader, JsonPath path, boolean inRows) throws SampleException {
        for (JsonToken token = reader.nextToken(); token != JsonToken.END_OBJECT; token = reader.nextToken()) {
            if (token != JsonToken.PROPERTY_NAME) {
                throw changed(java.util.Objects.requireNonNull(table), "it ends too early", null);
            }
            JsonPath child = path.child(reader.currentName());
            JsonToken value = reader.nextToken();
            if (child == null) {
                skip(reader, value);
            } else if (child.sink != null) {
                take(reader, child.sink, inRows);
            } else if (value == JsonToken.START_OBJECT) {
                object(reader, child, inRows);
            } else if (value == JsonToken.START_ARRAY) {
                rows(reader, child);
            }
        }
    }

    private void take(JsonParser reader, JsonSink sink, boolean inRows) throws SampleException {
        try {
            sink.take(reader, inRows);
        } catch (JsonMismatch e) {
            throw wrong(sink, e);
        }
    }

    private void rows(JsonParser reader, JsonPath path) throws SampleException {
        path.below.forEach(JsonSink::openRows);
        int count = 0;
        for (JsonToken token = reader.nextToken(); token != JsonToken.END_ARRAY; token = reader.nextToken()) {
            if (token != JsonToken.START_OBJECT) {
                skip(reader, token);
                continue;
            }
            object(reader, path, true);
            count++;
            for (JsonSink sink : path.below) {
                if (sink.rows() != count) {
                    throw wrong(sink, new JsonMismatch("is missing in row " + (count - 1)));
                }
            }
        }
    }

    private void skip(JsonParser reader, @Nullable JsonToken first) throws SampleException {
        int depth = 0;
        for (JsonToken token = first; ; token = reader.nextToken()) {
            if (token == null || token == JsonToken.NOT_AVAILABLE) {
                throw changed(java.util.Objects.requireNonNull(table), "it ends too early", null);
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth == 0) {
                return;
            }
        }
    }

    @Override
    public int bytes(int column) throws SampleException {
        return present(column).size();
    }

    @Override
    public void copyTo(int column, ByteBuffer target, int at) throws SampleException {
        present(column).copyTo(target, at);
    }

    private JsonSink present(int column) throws SampleException {
        JsonSink sink = sinkOf[column];
        if (!sink.isPresent()) {
            boolean fills = table != null && table.fills(sink.column.field());
            try {
                if (!fills) {
                    throw new JsonMismatch(
                            "is missing or null; give it in every record, or call it optional in a" + " truth schema");
                }
                sink.fill();
            } catch (JsonMismatch e) {
                throw wrong(sink, e);
            }
        }
        return sink;
    }

    private SampleException wrong(JsonSink sink, JsonMismatch why) {
        String where = table == null ? "no record" : table.where(record);
        return new SampleException(where + ": field '" + sink.column.field() + "' " + why.getMessage(), why);
    }

    @Override
    public void close() {
        if (parser != null) {
            parser.close();
        }
    }
}
