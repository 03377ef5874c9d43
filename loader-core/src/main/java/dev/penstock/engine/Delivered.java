package dev.penstock.engine;

import java.util.BitSet;

/**
 * Which rows of one rank's part of an epoch were delivered, where samples may overtake: all below a first one that was
 * not, and some behind it. Rows are numbered from the start of the plan. Immutable.
 */
public final class Delivered {
    /** Nothing. */
    public static final Delivered NONE = new Delivered(0, new BitSet());

    private final long first;
    /** Bit i stands for row first + i; bit 0 is clear. */
    private final BitSet later;

    private Delivered(long first, BitSet later) {
        this.first = first;
        this.later = later;
    }

    /**
     * All rows below {@code first}, and those whose bits are set.
     *
     * @param later bit i, little-endian, stands for row first + i
     */
    public static Delivered of(long first, byte[] later) {
        return new Delivered(first, BitSet.valueOf(later)).with(new long[0], 0);
    }

    /** The first row that was not delivered. */
    public long first() {
        return first;
    }

    /** The rows behind {@link #first()} as bits, as {@link #of} takes them. */
    public byte[] later() {
        return later.toByteArray();
    }

    /** How many rows. */
    public long count() {
        return first + later.cardinality();
    }

    boolean contains(long row) {
        long bit = row - first;
        return bit < 0 || (bit <= later.length() && later.get((int) bit));
    }

    /** Delivered rows below {@code end}. */
    long below(long end) {
        return end <= first
                ? end
                : first
                        + later.get(0, (int) Math.min(later.length(), end - first))
                                .cardinality();
    }

    /** The same and {@code count} further rows. */
    Delivered with(long[] rows, int count) {
        BitSet bits = (BitSet) later.clone();
        for (int i = 0; i < count; i++) {
            bits.set(Math.toIntExact(rows[i] - first));
        }
        int shift = bits.nextClearBit(0);
        return new Delivered(first + shift, shift == 0 ? bits : bits.get(shift, Math.max(shift, bits.length())));
    }

    /** The same, with rows numbered from {@code rows} rows later on; all of those were delivered. */
    Delivered from(long rows) {
        return new Delivered(first - rows, later);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Delivered that && first == that.first && later.equals(that.later);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(first) * 31 + later.hashCode();
    }

    @Override
    public String toString() {
        return "rows below " + first + " and " + later;
    }
}
