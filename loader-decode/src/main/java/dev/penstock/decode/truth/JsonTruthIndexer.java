package dev.penstock.decode.truth;

import dev.penstock.spi.Blob;
import dev.penstock.spi.DatasetException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * Reads a JSON truth file once, from start to end, and learns every record's place, time and fields. One use, one
 * thread. Nothing of a record's values is kept.
 */
final class JsonTruthIndexer {
    /** Constants stay in memory for each episode. */
    private static final int MOST_CONSTANT_BYTES = 16 << 20;

    private final TruthInput input;
    private final @Nullable Blob blob;
    private final byte @Nullable [] memory;
    private final TruthSchema keys;
    private final List<RecordList> lists = new ArrayList<>();
    private final RecordList records = new RecordList("");
    private final RecordList constants = new RecordList("");
    private final List<long[]> constantRanges = new ArrayList<>();

    /** How far the parser's first byte is from the file's: its byte order mark. */
    private int skipped;

    /** What the present record has as its key; NaN until it is seen. */
    private double time;

    private double frame;

    @SuppressWarnings("NullAway.Init") // set by index(), the only way in
    private JsonParser parser;

    @SuppressWarnings("NullAway.Init")
    private JsonWalker walker;

    JsonTruthIndexer(TruthInput input, @Nullable Blob blob, byte @Nullable [] memory) {
        this.input = input;
        this.blob = blob;
        this.memory = memory;
        TruthSchema schema = input.schema();
        this.keys = schema == null ? new TruthSchema(List.of()) : schema;
    }

    /**
     * @param stream the file behind its byte order mark
     * @param mark bytes of that mark
     */
    List<TruthTable> index(InputStream stream, int mark) throws IOException {
        skipped = mark;
        MessageDigest digest = sha256();
        try (JsonParser reader =
                JsonWalker.CHECKING.createParser(ObjectReadContext.empty(), new DigestInputStream(stream, digest))) {
            parser = reader;
            walker = new JsonWalker(input, reader);
            file();
        } catch (JacksonException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new DatasetException(
                    input.prefix() + ", line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr() + ": not valid JSON, or cut: " + e.getOriginalMessage()
                            + "; " + records() + " records were read before",
                    e);
        }
        return tables("sha256-" + HexFormat.of().formatHex(digest.digest()));
    }

    private void file() throws DatasetException {
        JsonToken first = parser.nextToken();
        if (first == null) {
            throw new DatasetException(input.prefix() + " is empty; a JSON array, object or JSON Lines is needed");
        }
        if (first == JsonToken.START_ARRAY) {
            array(records);
            if (parser.nextToken() != null) {
                throw new DatasetException(walker.at() + ": more JSON after the end of the array");
            }
            return;
        }
        int objects = 0;
        for (JsonToken token = first; token != null; token = parser.nextToken()) {
            if (token != JsonToken.START_OBJECT) {
                throw new DatasetException(walker.at() + ": " + token + " where a record (an object) is needed");
            }
            if (objects++ == 0) {
                firstObject();
            } else if (records.size() == 0) {
                throw new DatasetException(walker.at() + ": a second object, but the first one has " + noKey());
            } else {
                record(records);
            }
        }
    }

    private void array(RecordList list) throws DatasetException {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new DatasetException(walker.at() + ": record " + list.size() + " is " + parser.currentToken()
                        + ", an object is needed");
            }
            record(list);
        }
    }

    /** One record; the parser is at its start. */
    private void record(RecordList list) throws DatasetException {
        long start = parser.currentTokenLocation().getByteOffset();
        int line = parser.currentTokenLocation().getLineNr();
        fields(list);
        requireKey(list, line);
        add(list, start, line);
    }

    private boolean hasKey() {
        return !Double.isNaN(time) || !Double.isNaN(frame);
    }

    private void requireKey(RecordList list, int line) throws DatasetException {
        if (!hasKey()) {
            throw new DatasetException(
                    input.prefix() + ", line " + line + ": record " + list.size() + " has " + noKey());
        }
    }

    private void fields(RecordList list) throws DatasetException {
        time = Double.NaN;
        frame = Double.NaN;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            parser.nextToken();
            key(key);
            walker.value(list, key);
        }
    }

    private void add(RecordList list, long start, int line) throws DatasetException {
        long length = parser.currentLocation().getByteOffset() - start;
        if (length > Integer.MAX_VALUE / 2) {
            throw new DatasetException(input.prefix() + ", line " + line + ": a record of " + length + " bytes");
        }
        boolean byFrame = Double.isNaN(time);
        list.add(start + skipped, (int) length, line, byFrame ? frame : time, byFrame);
        SchemaCheck.lastRecord(input, list);
    }

    private void key(String key) throws DatasetException {
        boolean isTime = key.equals(keys.time());
        if (!isTime && !key.equals(keys.frame())) {
            return;
        }
        JsonToken token = parser.currentToken();
        if (isTime) {
            time = token.isNumeric() ? parser.getDoubleValue() : Double.NaN;
            if (!Double.isFinite(time)) {
                throw new DatasetException(walker.at() + ": '" + key + "' is " + parser.getString()
                        + ", must be a finite number of seconds");
            }
        } else if (token == JsonToken.VALUE_NUMBER_INT) {
            frame = parser.getDoubleValue();
        } else if (Double.isNaN(time)) {
            frame = notAFrame(key);
        }
    }

    private double notAFrame(String key) throws DatasetException {
        throw new DatasetException(
                walker.at() + ": '" + key + "' is " + parser.getString() + ", must be a whole frame number");
    }

    /** The file's first object: a record of JSON Lines, or constants and lists of records. */
    private void firstObject() throws DatasetException {
        long start = parser.currentTokenLocation().getByteOffset();
        int line = parser.currentTokenLocation().getLineNr();
        double ownTime = Double.NaN;
        double ownFrame = Double.NaN;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            long from = parser.currentTokenLocation().getByteOffset();
            parser.nextToken();
            time = ownTime;
            frame = ownFrame;
            key(key);
            ownTime = time;
            ownFrame = frame;
            topLevel(key, from);
        }
        time = ownTime;
        frame = ownFrame;
        if (hasKey()) {
            becomeRecord(start, line);
        } else if (!constantRanges.isEmpty()) {
            constants.add(start + skipped, 0, line, 0, false);
            SchemaCheck.lastRecord(input, constants);
        }
    }

    private void topLevel(String key, long from) throws DatasetException {
        if (parser.currentToken() != JsonToken.START_ARRAY || hasKey()) {
            walker.value(constants, key);
        } else {
            RecordList list = listOrRows(key);
            if (list != null) {
                lists.add(list);
                return;
            }
        }
        parser.finishToken();
        constantRanges.add(new long[] {from, parser.currentLocation().getByteOffset()});
    }

    /** A list of records, or null where the list's elements are values or objects without a key. */
    private @Nullable RecordList listOrRows(String key) throws DatasetException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            walker.restOfList(constants, walker.child(constants.root, key), false);
            return null;
        }
        boolean main = RecordList.isMain(key);
        RecordList list = new RecordList(main ? "" : key);
        long start = parser.currentTokenLocation().getByteOffset();
        int line = parser.currentTokenLocation().getLineNr();
        fields(list);
        if (hasKey() || main) {
            requireKey(list, line);
            add(list, start, line);
            array(list);
            return list;
        }
        FieldTracker rows = rowsOf(list);
        parser.nextToken();
        walker.restOfList(constants, rows, true);
        return null;
    }

    /** What looked like a list of records is a list of objects in the constants. */
    private FieldTracker rowsOf(RecordList list) throws DatasetException {
        FieldTracker rows = walker.child(constants.root, list.name);
        list.root.collapse();
        rows.seenIn(0);
        rows.object(1);
        list.root.object(1); // its children still look up to it
        rows.children.putAll(list.root.children);
        constants.expected.addAll(list.expected);
        return rows;
    }

    /** The first object has a key of its own: it is a record, and what looked like lists of records are its rows. */
    private void becomeRecord(long start, int line) throws DatasetException {
        for (RecordList list : lists) {
            rowsOf(list);
        }
        lists.clear();
        constantRanges.clear();
        records.root.children.putAll(constants.root.children);
        records.expected.addAll(constants.expected);
        add(records, start, line);
    }

    private List<TruthTable> tables(String identity) throws IOException {
        List<TruthTable> tables = new ArrayList<>();
        double[] frames = null;
        if (records.size() > 0) {
            lists.add(records);
        }
        for (RecordList list : lists) {
            FrameTimes source = input.frames();
            if (frames == null && list.isByFrame() && source != null) {
                frames = source.seconds();
            }
            tables.add(JsonTruthTable.timed(input, list, list.times(input, frames), identity, blob, memory));
        }
        if (constants.size() > 0) {
            tables.add(JsonTruthTable.constant(input, constants, identity, constantBytes()));
        }
        if (tables.isEmpty()) {
            throw new DatasetException(input.prefix() + " holds no record");
        }
        SchemaCheck.allThere(input, tables);
        return tables;
    }

    private byte[] constantBytes() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (long[] range : constantRanges) {
            long length = range[1] - range[0];
            if (text.size() + length > MOST_CONSTANT_BYTES) {
                throw new DatasetException(input.prefix() + ": constants of more than " + MOST_CONSTANT_BYTES
                        + " bytes; a list of records needs '" + keys.time() + "' or '" + keys.frame()
                        + "' in each record");
            }
            text.write(text.size() == 0 ? '{' : ',');
            text.write(bytes(range[0] + skipped, (int) length));
        }
        text.write('}');
        return text.toByteArray();
    }

    private byte[] bytes(long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        if (memory != null) {
            System.arraycopy(memory, (int) offset, bytes, 0, length);
        } else if (blob != null) {
            blob.read(offset, ByteBuffer.wrap(bytes));
        }
        return bytes;
    }

    private String noKey() {
        return "neither '" + keys.time() + "' (seconds) nor '" + keys.frame() + "' (number in the reference clip)";
    }

    private int records() {
        return records.size() + lists.stream().mapToInt(RecordList::size).sum();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
