package dev.penstock.engine;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way through the pipeline. Fields without a note are written before the job is shared.
 */
final class BatchJob {
    /** Position among all batches of the loader, over all epochs; the order gate's key. */
    final long sequence;

    final int epoch;
    /** Position in the plan of its epoch, from 0. */
    final long number;

    /** The plan that it comes from; chooses substitutes. */
    final EpochPlan plan;

    /** Changed by collate where a stuck worker may still write to the one before, and then before the job goes on. */
    Slab slab;

    /** Rows of the plan that are no padding. */
    final int planned;

    /** Sum of the plan's row numbers, from 1; see {@link EpochPlan#rowSum}. */
    final long rowSum;

    /** Where samples may overtake: the cut of the order that this job is, whose rows may leave in several batches. */
    Overtaking.@Nullable Cut cut;

    /** Where samples may overtake: what is delivered of the epoch when this batch is. */
    @Nullable
    Delivered done;

    /** Rows that come before one that stands earlier in the plan. */
    int early;

    /** Rows left out as bad, padding not counted; collate only. */
    int skipped;

    /** Pieces that are not finished; the one that brings it to 0 sends the job to collate. */
    final AtomicInteger pieces = new AtomicInteger();

    /** Pieces not yet read, for the instant when all bytes were there. */
    final AtomicInteger unread = new AtomicInteger();

    /** When the dispatcher opened it. */
    final long startedAt;

    /** When the last piece was read; written by that read worker. */
    volatile long readAt;

    /** When the last piece was decoded; written by that decode worker. */
    volatile long decodedAt;

    /** When collate was done; written by the collate worker before the gate takes the job. */
    long collatedAt;

    /** Truth bytes in the slab, or null; written by the read worker of the truth piece before {@link #pieces} falls. */
    volatile java.nio.@Nullable ByteBuffer truth;

    /** How often rows were replaced; collate only. */
    int substitutions;

    /** Rows replaced by other samples; collate only. */
    int substituted;

    /** Why the batch can't be delivered; written before the gate takes the job. */
    @Nullable
    Throwable failure;

    BatchJob(
            long sequence,
            int epoch,
            long number,
            EpochPlan plan,
            Slab slab,
            int planned,
            long rowSum,
            long startedAt) {
        this.sequence = sequence;
        this.epoch = epoch;
        this.number = number;
        this.plan = plan;
        this.slab = slab;
        this.planned = planned;
        this.rowSum = rowSum;
        this.startedAt = startedAt;
        this.readAt = startedAt;
        this.decodedAt = startedAt;
    }

    /** A job over the rows that {@code slab} has been given. */
    static BatchJob over(Slab slab, long sequence, int epoch, long number, EpochPlan plan, long startedAt) {
        int samples = 0;
        long sum = 0;
        for (int row = 0; row < slab.rows(); row++) {
            samples += slab.padding[row] ? 0 : 1;
            sum += plan.rowAt(slab.positions[row]) + 1;
        }
        return new BatchJob(sequence, epoch, number, plan, slab, samples, sum, startedAt);
    }

    @Override
    public String toString() {
        return "batch " + number + " of epoch " + epoch;
    }
}
