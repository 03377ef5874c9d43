package dev.penstock.decode.truth;

import dev.penstock.data.ElementType;
import dev.penstock.view.Column;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * One field of some records as Arrow lays columns out, little-endian, mapped from a file or in memory: nothing is copied
 * until a value goes to the batch. Immutable; thread-safe, for it reads by absolute positions only.
 *
 * @param field name, type and shape
 * @param width bytes of one stored number, 0 for bits
 * @param unsigned whether stored whole numbers have no sign
 * @param elements numbers of one value, or of one row
 * @param validity bit of each record, or null where none is null
 * @param offsets of lists and strings, 32 or 64 bits each, or null
 * @param wideOffsets whether the offsets have 64 bits
 * @param values the numbers, bits or UTF-8 bytes, or null where there are none
 */
public record StoredColumn(
        TruthField field,
        int width,
        boolean unsigned,
        int elements,
        @Nullable ByteBuffer validity,
        @Nullable ByteBuffer offsets,
        boolean wideOffsets,
        @Nullable ByteBuffer values) {

    /** Whether a record has no value. */
    public boolean isNull(int record) {
        return validity != null && (validity.get(record >> 3) >> (record & 7) & 1) == 0;
    }

    /** Whether a record's value is there and can be copied into a column as it is, each number in the column's range. */
    boolean isReady(int record, Column column) {
        if (isNull(record) || (field.type() == TruthType.UNKNOWN && !field.rows())) {
            return false;
        }
        ElementType type = column.type();
        ByteBuffer from = values;
        if (from == null || fitsAlways(type)) {
            return true;
        }
        long least = type == ElementType.INT32 ? Integer.MIN_VALUE : 0;
        long most = type == ElementType.INT32 ? Integer.MAX_VALUE : type == ElementType.BOOL ? 1 : 255;
        int first = Math.toIntExact((offsets == null ? record : offset(record)) * elements);
        int total = Math.toIntExact(count(record) * elements);
        for (int i = first; i < first + total; i++) {
            long value = whole(from, i);
            if (value < least || value > most) {
                return false;
            }
        }
        return true;
    }

    /** Whether every value that is there can be had as {@code type}, whatever its numbers are. */
    boolean fitsAlways(ElementType type) {
        boolean narrower = type == ElementType.INT32 || type == ElementType.UINT8 || type == ElementType.BOOL;
        boolean something = field.type() != TruthType.UNKNOWN || field.rows();
        return something && (field.type() != TruthType.INT64 || !narrower || isStoredAs(type));
    }

    /** Bytes of the value for a ragged or text column: lists of one length count as rows. */
    int rowBytes(int record, ElementType type) {
        return field.rows() || offsets != null ? bytes(record, type) : elements * type.bytes();
    }

    /** Bytes of the value as elements of {@code type}, or of the string. */
    int bytes(int record, ElementType type) {
        long count = count(record);
        return Math.toIntExact(field.type() == TruthType.TEXT ? count : count * elements * type.bytes());
    }

    private long count(int record) {
        if (values == null) {
            return 0;
        }
        return offsets == null ? 1 : offset(record + 1) - offset(record);
    }

    long offset(int at) {
        ByteBuffer from = java.util.Objects.requireNonNull(offsets);
        return wideOffsets ? from.getLong(at * 8) : from.getInt(at * 4);
    }

    /**
     * Writes the value.
     *
     * @throws ArithmeticException when a number does not fit in {@code type}; the message is the number
     */
    void copyTo(int record, ElementType type, ByteBuffer target, int at) {
        ByteBuffer from = values;
        if (from == null) {
            return;
        }
        long start = offsets == null ? record : offset(record);
        if (field.type() == TruthType.TEXT) {
            target.put(at, from, (int) start, (int) count(record));
            return;
        }
        int first = Math.toIntExact(start * elements);
        int total = Math.toIntExact(count(record) * elements);
        if (isStoredAs(type)) {
            target.put(at, from, first * width, total * width);
            return;
        }
        if (isRoundedTo(type)) {
            for (int i = 0; i < total; i++) {
                target.putFloat(at + i * Float.BYTES, (float) from.getDouble((first + i) * Double.BYTES));
            }
            return;
        }
        for (int i = 0; i < total; i++) {
            convert(from, first + i, type, target, at + i * type.bytes());
        }
    }

    /** Whether numbers stored as float64 are taken as float32. */
    boolean isRoundedTo(ElementType type) {
        return field.type() == TruthType.FLOAT64 && width == Double.BYTES && type == ElementType.FLOAT32;
    }

    /** Whether the file has the very bytes that a tensor of {@code type} has. */
    boolean isStoredAs(ElementType type) {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN || width != type.bytes()) {
            return false;
        }
        boolean floats = type == ElementType.FLOAT32 || type == ElementType.FLOAT64;
        boolean bytes = type == ElementType.UINT8 && unsigned;
        return field.type() == TruthType.FLOAT64 ? floats : bytes || (!floats && width > 1 && !unsigned);
    }

    /** Writes one number; {@link ArithmeticException} where it does not fit. */
    void convert(ByteBuffer from, int index, ElementType type, ByteBuffer target, int at) {
        if (field.type() == TruthType.FLOAT64) {
            putDouble(width == 4 ? from.getFloat(index * 4) : from.getDouble(index * 8), type, target, at);
            return;
        }
        long value = whole(from, index);
        switch (type) {
            case FLOAT32, FLOAT64 -> putDouble((double) value, type, target, at);
            case INT64 -> target.putLong(at, value);
            case INT32 -> target.putInt(at, Math.toIntExact(within(value, Integer.MIN_VALUE, Integer.MAX_VALUE)));
            case UINT8 -> target.put(at, (byte) within(value, 0, 255));
            case BOOL -> target.put(at, (byte) within(value, 0, 1));
        }
    }

    private static void putDouble(double value, ElementType type, ByteBuffer target, int at) {
        if (type == ElementType.FLOAT32) {
            target.putFloat(at, (float) value);
        } else {
            target.putDouble(at, value);
        }
    }

    private static long within(long value, long least, long most) {
        if (value < least || value > most) {
            throw new ArithmeticException(Long.toString(value));
        }
        return value;
    }

    /** A record's value, of a scalar column of numbers. */
    public double number(int record) {
        ByteBuffer from = java.util.Objects.requireNonNull(values);
        if (field.type() == TruthType.FLOAT64) {
            return width == 4 ? from.getFloat(record * 4) : from.getDouble(record * 8);
        }
        return (double) whole(from, record);
    }

    /** Adds the values of records {@code [from, to)}, and which of them are there, to a digest. */
    public void digest(MessageDigest digest, int from, int to) {
        ByteBuffer bytes = values;
        if (bytes == null) {
            return;
        }
        for (int record = from; record < to; record++) {
            digest.update((byte) (isNull(record) ? 0 : 1));
            if (offsets != null) {
                long count = count(record);
                digest.update((byte) count);
                digest.update((byte) (count >> 8));
            }
            if (width == 0) {
                for (int i = 0; i < elements; i++) {
                    digest.update((byte) whole(bytes, record * elements + i));
                }
            } else {
                long start = offsets == null ? record : offset(record);
                int first = Math.toIntExact(start * elements * width);
                digest.update(bytes.slice(first, Math.toIntExact(count(record) * elements * width)));
            }
        }
    }

    private long whole(ByteBuffer from, int index) {
        return switch (width) {
            case 0 -> from.get(index >> 3) >> (index & 7) & 1;
            case 1 -> unsigned ? from.get(index) & 0xFF : from.get(index);
            case 2 -> unsigned ? from.getShort(index * 2) & 0xFFFF : from.getShort(index * 2);
            case 4 -> unsigned ? from.getInt(index * 4) & 0xFFFFFFFFL : from.getInt(index * 4);
            default -> from.getLong(index * 8);
        };
    }
}
