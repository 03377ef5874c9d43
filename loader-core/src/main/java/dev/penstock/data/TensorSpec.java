package dev.penstock.data;

import java.util.List;
import java.util.Objects;

/**
 * Name, element type and shape of one tensor of a batch, without the batch dimension. Immutable.
 *
 * <p>Three kinds: {@link Kind#DENSE} has the batch shape {@code [N, shape…]}; {@link Kind#RAGGED} has values
 * {@code [total, shape…]} and {@code N + 1} offsets counted in rows of {@code shape}; {@link Kind#TEXT} is ragged
 * UTF-8, values {@code [total bytes]}.
 *
 * @param name what {@link Batch#tensor(String)} is asked for; unique in a batch
 * @param type element type
 * @param shape dense: the shape of one sample, outermost first; ragged: the shape of one row; empty for a scalar
 * @param kind how samples of different length are stored
 */
public record TensorSpec(String name, ElementType type, List<Integer> shape, Kind kind) {

    /** How the samples of a batch lie in memory. */
    public enum Kind {
        /** Every sample has the same shape. */
        DENSE,
        /** Samples have different numbers of rows: values and offsets. */
        RAGGED,
        /** One UTF-8 string a sample: bytes and offsets. */
        TEXT
    }

    public TensorSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(kind, "kind");
        shape = List.copyOf(shape);
        long elements = 1;
        for (int extent : shape) {
            if (extent < 1) {
                throw new IllegalArgumentException("tensor '" + name + "': shape " + shape
                        + " has an extent below 1; every extent must be at least 1");
            }
            elements = Math.multiplyExact(elements, (long) extent);
        }
        if (Math.multiplyExact(elements, (long) type.bytes()) > Integer.MAX_VALUE - 64) {
            throw new IllegalArgumentException("tensor '" + name + "': one sample of shape " + shape + " and type "
                    + type + " passes 2 GiB; use a smaller size, fewer frames or uint8");
        }
    }

    /** A tensor in which every sample has {@code shape}. */
    public static TensorSpec dense(String name, ElementType type, Integer... shape) {
        return new TensorSpec(name, type, List.of(shape), Kind.DENSE);
    }

    /** A tensor of rows of {@code rowShape}, a different number for each sample. */
    public static TensorSpec ragged(String name, ElementType type, Integer... rowShape) {
        return new TensorSpec(name, type, List.of(rowShape), Kind.RAGGED);
    }

    /** One UTF-8 string for each sample. */
    public static TensorSpec text(String name) {
        return new TensorSpec(name, ElementType.UINT8, List.of(), Kind.TEXT);
    }

    /** Elements of one sample (dense) or of one row (ragged). */
    public int elements() {
        int elements = 1;
        for (int extent : shape) {
            elements *= extent;
        }
        return elements;
    }

    /** Bytes of one sample (dense) or of one row (ragged). */
    public int bytes() {
        return elements() * type.bytes();
    }

    /** Whether the samples have a fixed size. */
    public boolean isDense() {
        return kind == Kind.DENSE;
    }
}
