package dev.penstock.probe;

import java.util.List;

/**
 * How an epoch went, seen from the trainer's thread. Immutable; the interval goes from the making of the iterator to the
 * end of the epoch, or to the instant of the snapshot. Nanoseconds and bytes.
 *
 * <p>First batch, steady state and tail are kept apart: the first wait fills the pipe, and in the tail (the batches that
 * were already being made when the plan ended) no new work competes. {@code waitNanos + stepNanos} is the wall-clock
 * between the first call and the last return.
 *
 * @param epoch from 0
 * @param batches delivered
 * @param samples delivered
 * @param firstWaitNanos wait for the first batch
 * @param steady waits of the steady state
 * @param tail waits of the tail
 * @param waitNanos all waits
 * @param stepNanos all time between a delivery and the following call: the trainer's steps
 * @param wallNanos the interval
 * @param awaited what the awaited batches were doing
 * @param stages read, decode, collate, in order
 * @param samplesCounted where the planned samples went
 * @param storage what reading cost: bytes, requests and what delayed them
 * @param memory off-heap bytes
 * @param readyDepth finished batches waiting at the end of the interval
 * @param prefetch the setting
 * @param tuning decisions of the tuning on line since the loader was made; empty where it is off
 */
public record DataWaitReport(
        int epoch,
        long batches,
        long samples,
        long firstWaitNanos,
        WaitSummary steady,
        WaitSummary tail,
        long waitNanos,
        long stepNanos,
        long wallNanos,
        Awaited awaited,
        List<StageStats> stages,
        SampleCounts samplesCounted,
        StorageUse storage,
        MemoryUse memory,
        int readyDepth,
        int prefetch,
        List<TuningStep> tuning) {

    public DataWaitReport {
        stages = List.copyOf(stages);
        tuning = List.copyOf(tuning);
    }

    /** Share of the time after the first batch that the trainer waited: 0 to 1. */
    public double waitShare() {
        long wait = waitNanos - firstWaitNanos;
        return wait + stepNanos == 0 ? 0 : (double) wait / (wait + stepNanos);
    }

    /** Batches a second over the whole interval, waits and steps. */
    public double batchesPerSecond() {
        return wallNanos == 0 ? 0 : batches * 1e9 / wallNanos;
    }

    /** Samples a second over the whole interval. */
    public double samplesPerSecond() {
        return wallNanos == 0 ? 0 : samples * 1e9 / wallNanos;
    }

    /** Batches a second that the pipeline could make: the lowest capacity of its stages. */
    public double dataRoofline() {
        return stages.stream().mapToDouble(StageStats::capacity).min().orElse(Double.POSITIVE_INFINITY);
    }

    /** Batches a second that the trainer could take if it never waited: 1 ÷ mean step. */
    public double trainerRoofline() {
        return stepNanos == 0 || batches < 2 ? Double.POSITIVE_INFINITY : (batches - 1) * 1e9 / stepNanos;
    }

    /** The stage of the lowest capacity, or {@code trainer} where that is lower still. */
    public String bottleneck() {
        String name = "trainer";
        double lowest = trainerRoofline();
        for (StageStats stage : stages) {
            if (stage.capacity() < lowest) {
                lowest = stage.capacity();
                name = stage.stage();
            }
        }
        return name;
    }

    /** A few aligned lines for a terminal. */
    public String text() {
        return ReportText.of(this);
    }

    /** The report as one JSON object, the derived figures included. */
    public String toJson() {
        return ReportJson.of(this);
    }

    @Override
    public String toString() {
        return text();
    }
}
