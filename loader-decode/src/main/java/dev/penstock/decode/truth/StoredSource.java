package dev.penstock.decode.truth;

import dev.penstock.data.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A stored column as one column of the view takes it: what a copy needs, worked out once for the part. One thread, for the
 * numbers on their way.
 *
 * <p>A value is {@code count} rows from row {@code first}; of what is no list or text, one. Most values are small, so that
 * the call of a bulk copy costs more than the bytes: those go eight bytes at a time.
 */
final class StoredSource {
    private static final int LINE = 64;
    private static final int SMALL = 64;
    private static final int FEW = 8;

    private final StoredColumn column;
    private final TruthColumn wanted;
    private final ElementType type;
    private final @Nullable ByteBuffer values;
    /** Bytes of a row in the file and in the batch. */
    private final int stride;

    private final int rowBytes;
    private final int elements;
    private final boolean lists;
    private final boolean straight;
    private final @Nullable DoubleBuffer doubles;
    /** Whether a value that is there needs no look at its numbers. */
    private final boolean fits;

    private double[] numbers = new double[0];

    StoredSource(StoredColumn column, TruthColumn wanted) {
        this.column = column;
        this.wanted = wanted;
        this.type = wanted.column().type();
        this.values = column.values();
        this.lists = column.offsets() != null;
        this.elements = column.elements();
        boolean text = column.field().type() == TruthType.TEXT;
        this.straight = text || column.isStoredAs(type);
        this.doubles = values != null && column.isRoundedTo(type) ? values.asDoubleBuffer() : null;
        this.stride = text ? 1 : elements * column.width();
        this.rowBytes = text ? 1 : elements * type.bytes();
        this.fits = column.validity() == null && column.fitsAlways(type);
    }

    /** Whether the record's value is there and can be copied as it is. */
    boolean isReady(int record) {
        return fits || column.isReady(record, wanted.column());
    }

    int first(int record) {
        return lists ? (int) column.offset(record) : record;
    }

    int count(int record, int first) {
        if (values == null) {
            return 0;
        }
        return lists ? (int) (column.offset(record + 1) - first) : 1;
    }

    /** Bytes of the value in the batch. */
    int bytes(int count) {
        return count * rowBytes;
    }

    /** Reads a byte of each cache line of a value; returns what must not be thrown away unseen. */
    int touch(int first, int count) {
        ByteBuffer from = values;
        if (from == null) {
            return 0;
        }
        int sum = 0;
        int end = (first + count) * stride;
        for (int at = first * stride; at < end; at += LINE) {
            sum += from.get(at);
        }
        return sum;
    }

    /** Writes a value that {@link #isReady}. */
    void copyTo(int first, int count, ByteBuffer target, int at) {
        ByteBuffer from = values;
        if (from == null) {
            return;
        }
        if (straight) {
            copy(from, first * stride, target, at, count * stride);
        } else if (doubles != null) {
            round(doubles, first * elements, count * elements, target, at);
        } else {
            for (int i = 0; i < count * elements; i++) {
                column.convert(from, first * elements + i, type, target, at + i * type.bytes());
            }
        }
    }

    /** Most truth is this: JSON's numbers for a float32 tensor. */
    private void round(DoubleBuffer from, int first, int total, ByteBuffer target, int at) {
        if (total < FEW) {
            for (int i = 0; i < total; i++) {
                target.putFloat(at + i * Float.BYTES, (float) from.get(first + i));
            }
            return;
        }
        if (numbers.length < total) {
            numbers = new double[total];
        }
        double[] all = numbers;
        from.get(first, all, 0, total);
        int i = 0;
        if (target.order() == ByteOrder.LITTLE_ENDIAN) {
            for (; i + 1 < total; i += 2) { // two at a time: half the checks of the buffer
                long low = Float.floatToRawIntBits((float) all[i]) & 0xFFFF_FFFFL;
                long high = (long) Float.floatToRawIntBits((float) all[i + 1]) << Integer.SIZE;
                target.putLong(at + i * Float.BYTES, high | low);
            }
        }
        for (; i < total; i++) {
            target.putFloat(at + i * Float.BYTES, (float) all[i]);
        }
    }

    private static void copy(ByteBuffer from, int first, ByteBuffer target, int at, int bytes) {
        if (bytes > SMALL || from.order() != target.order()) {
            target.put(at, from, first, bytes);
            return;
        }
        int done = 0;
        for (; done + Long.BYTES <= bytes; done += Long.BYTES) {
            target.putLong(at + done, from.getLong(first + done));
        }
        if (done + Integer.BYTES <= bytes) {
            target.putInt(at + done, from.getInt(first + done));
            done += Integer.BYTES;
        }
        for (; done < bytes; done++) {
            target.put(at + done, from.get(first + done));
        }
    }
}
