package dev.penstock.spi;

import java.nio.ByteBuffer;

/**
 * The memory of one batch while it is made. Decoders write disjoint parts of dense tensors at the same time; the
 * collator has the batch alone.
 */
public interface BatchTarget {

    /** Rows of the batch. */
    int rows();

    /**
     * The memory of the dense tensor at position {@code column} of the spec: direct, native order, 64-byte-aligned, row
     * {@code r} at byte {@code r * spec.bytes()}. The same buffer object at every call and for every batch that reuses
     * this memory, with position and limit to be left alone: use absolute puts, or its address.
     */
    ByteBuffer dense(int column);

    /** Where the collator appends the values of a ragged or text tensor. */
    RaggedWriter ragged(int column);

    /** Says that {@code row} can't be had; the other rows go on. Safe from several threads; the first reason stands. */
    void fail(int row, SampleException why);

    /** Whether {@code row} has failed already, so that its work can be left out. */
    boolean hasFailed(int row);
}
