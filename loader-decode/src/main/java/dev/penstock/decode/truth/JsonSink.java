package dev.penstock.decode.truth;

import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import dev.penstock.view.Column;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The value that one column has in the present record, in the column's element type. Its memory is used again for every
 * record. One thread.
 */
final class JsonSink {
    final TruthColumn column;
    private final int[] shape;
    private final ElementType type;
    private ByteBuffer bytes;
    private int rows;
    private boolean present;

    JsonSink(TruthColumn column) {
        this.column = column;
        Column settings = column.column();
        this.type = settings.type();
        this.shape = settings.shape().stream().mapToInt(Integer::intValue).toArray();
        this.bytes = ByteBuffer.allocate(Math.max(64, column.valueBytes())).order(ByteOrder.nativeOrder());
    }

    void clear() {
        bytes.clear();
        rows = 0;
        present = false;
    }

    boolean isPresent() {
        return present;
    }

    int rows() {
        return rows;
    }

    int size() {
        return bytes.position();
    }

    void copyTo(ByteBuffer target, int at) {
        target.put(at, bytes.array(), 0, bytes.position());
    }

    /** A list of objects starts: the column has rows, so far none. */
    void openRows() {
        present = true;
    }

    /** The record lacks the field and the schema lets it. */
    void fill() throws JsonMismatch {
        present = true;
        if (kind() != TensorSpec.Kind.DENSE) {
            return;
        }
        if (type != ElementType.FLOAT32 && type != ElementType.FLOAT64) {
            throw new JsonMismatch("is missing, and nothing in " + type + " can stand for that; make the column float32"
                    + " (NaN) or fill it in the data");
        }
        for (int left = column.valueBytes() / type.bytes(); left > 0; left--) {
            put(Double.NaN);
        }
    }

    /** Takes the value at the parser's token; {@code inRows}: it is one row of a list of objects. */
    void take(JsonParser parser, boolean inRows) throws JsonMismatch {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            if (inRows) {
                throw new JsonMismatch("is null in a row");
            }
            return;
        }
        if (present && !inRows) {
            throw new JsonMismatch("stands twice in the record: as a key and as a path");
        }
        present = true;
        if (kind() == TensorSpec.Kind.TEXT) {
            text(parser);
        } else if (kind() == TensorSpec.Kind.DENSE || inRows) {
            row(parser);
        } else {
            expect(parser, JsonToken.START_ARRAY, "a list of rows");
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                row(parser);
            }
        }
    }

    private TensorSpec.Kind kind() {
        return column.column().kind();
    }

    private void row(JsonParser parser) throws JsonMismatch {
        value(parser, 0);
        rows++;
    }

    private void value(JsonParser parser, int dimension) throws JsonMismatch {
        if (dimension == shape.length) {
            scalar(parser);
            return;
        }
        expect(parser, JsonToken.START_ARRAY, "a list of " + shape[dimension]);
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (count++ == shape[dimension]) {
                throw new JsonMismatch("has more than " + shape[dimension] + " values in a list");
            }
            value(parser, dimension + 1);
        }
        if (count < shape[dimension]) {
            throw new JsonMismatch("has " + count + " values in a list, " + shape[dimension] + " are needed");
        }
    }

    private void scalar(JsonParser parser) throws JsonMismatch {
        JsonToken token = parser.currentToken();
        switch (token) {
            case VALUE_NUMBER_INT -> whole(parser);
            case VALUE_NUMBER_FLOAT -> fraction(parser);
            case VALUE_TRUE -> put(1L);
            case VALUE_FALSE -> put(0L);
            default -> throw new JsonMismatch("is " + found(parser) + " where a number is needed");
        }
    }

    private void fraction(JsonParser parser) throws JsonMismatch {
        if (type != ElementType.FLOAT32 && type != ElementType.FLOAT64) {
            throw new JsonMismatch("is " + found(parser) + ", " + type + " needs a whole number");
        }
        put(parser.getDoubleValue());
    }

    private void whole(JsonParser parser) throws JsonMismatch {
        if (type == ElementType.FLOAT32 || type == ElementType.FLOAT64) {
            put(parser.getDoubleValue());
            return;
        }
        if (parser.getStringLength() > 18 && parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            throw new JsonMismatch("is " + found(parser) + ", which does not fit in " + type);
        }
        long value = parser.getLongValue();
        if (value < least() || value > most()) {
            throw new JsonMismatch("is " + value + ", which does not fit in " + type);
        }
        put(value);
    }

    private long least() {
        return switch (type) {
            case INT64 -> Long.MIN_VALUE;
            case INT32 -> Integer.MIN_VALUE;
            default -> 0;
        };
    }

    private long most() {
        return switch (type) {
            case INT64 -> Long.MAX_VALUE;
            case INT32 -> Integer.MAX_VALUE;
            case BOOL -> 1;
            default -> 255;
        };
    }

    private void put(double value) {
        reserve(type.bytes());
        if (type == ElementType.FLOAT32) {
            bytes.putFloat((float) value);
        } else {
            bytes.putDouble(value);
        }
    }

    private void put(long value) {
        reserve(type.bytes());
        switch (type) {
            case UINT8, BOOL -> bytes.put((byte) value);
            case INT32 -> bytes.putInt((int) value);
            case INT64 -> bytes.putLong(value);
            case FLOAT32 -> bytes.putFloat((float) value);
            case FLOAT64 -> bytes.putDouble((double) value);
        }
    }

    private void text(JsonParser parser) throws JsonMismatch {
        expect(parser, JsonToken.VALUE_STRING, "a string");
        int length = parser.getStringLength();
        reserve(3 * length);
        Utf8.encode(parser.getStringCharacters(), parser.getStringOffset(), length, bytes);
    }

    private void reserve(int more) {
        if (bytes.remaining() < more) {
            int capacity = Math.max(bytes.position() + more, 2 * bytes.capacity());
            bytes = ByteBuffer.allocate(capacity).order(ByteOrder.nativeOrder()).put(bytes.flip());
        }
    }

    private static void expect(JsonParser parser, JsonToken token, String what) throws JsonMismatch {
        if (parser.currentToken() != token) {
            throw new JsonMismatch("is " + found(parser) + " where " + what + " is needed");
        }
    }

    private static String found(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_NULL -> "null";
            case VALUE_STRING -> "the string \"" + shortened(parser.getString()) + "\"";
            default -> shortened(String.valueOf(parser.getString()));
        };
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
