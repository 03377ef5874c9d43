package dev.penstock.engine;

import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.ReadRequest;
import org.jspecify.annotations.Nullable;

/** One piece of a batch: bytes to read, then pixels to decode or truth for the collator. One thread at a time. */
final class Piece {
    final BatchJob job;
    final ReadRequest request;
    /** Null: the bytes are truth for the collator. */
    final @Nullable DecodeWork work;
    /** Position among the batch's pieces of decoding; -1 for truth. */
    final int index;
    /** The bytes, once read; released by whoever ends the piece. */
    ReadBuffers.@Nullable Lease lease;

    /** Time of reading and decoding as the deadline watch saw it; its thread only. */
    long workedNanos;

    /** Guarded by the worker that was given up: memory of a batch that it may still write to. */
    @Nullable
    Slab pinned;

    Piece(BatchJob job, ReadRequest request, @Nullable DecodeWork work, int index) {
        this.job = job;
        this.request = request;
        this.work = work;
        this.index = index;
    }

    /** The camera, or "". */
    String camera() {
        return work == null ? "" : work.camera();
    }

    /** Its rows can't be had: all of the batch's for truth. */
    void fail(dev.penstock.spi.SampleException why) {
        for (int row = 0; work == null && row < job.slab.rows(); row++) {
            job.slab.fail(row, why);
        }
        for (int i = 0; i < rows(); i++) {
            job.slab.fail(row(i), why);
        }
    }

    /** Rows of the batch that it decodes; 0 for truth. */
    int rows() {
        return work == null ? 0 : work.rows();
    }

    /** The {@code i}-th of them. */
    int row(int i) {
        return java.util.Objects.requireNonNull(work).row(i);
    }

    @Override
    public String toString() {
        return (work == null ? "truth" : work.describe()) + " of " + job;
    }
}
