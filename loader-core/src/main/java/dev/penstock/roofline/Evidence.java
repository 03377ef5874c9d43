package dev.penstock.roofline;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.penstock.probe.Awaited;
import org.jspecify.annotations.Nullable;

/**
 * All that the advisor looks at. Immutable; what was not measured is null.
 *
 * @param settings of the measured run
 * @param batchSize of the measured run
 * @param capacity of each stage in the measured run, and the trainer's need
 * @param awaited what the awaited batches were doing
 * @param waitShare share of the time that the trainer waited, 0 to 1
 * @param batches the batch-size sweep
 * @param decode the sweep of decode threads
 * @param read the sweep of read threads
 * @param ledger where a step's time is lost
 * @param replay what predicts changes
 * @param before the capacities before the last change, to see a bottleneck migrate
 * @param materialized whether the data is an artifact of this view already
 */
public record Evidence(
        PipelineSettings settings,
        int batchSize,
        CapacityModel capacity,
        Awaited awaited,
        double waitShare,
        @Nullable BatchSizeReport batches,
        @Nullable ConcurrencyReport decode,
        @Nullable ConcurrencyReport read,
        @Nullable StallLedger ledger,
        @JsonIgnore @Nullable PipelineReplay replay,
        @Nullable CapacityModel before,
        boolean materialized) {

    /** A wait below this share is not worth anyone's time. */
    public static final double LITTLE_WAIT = 0.05;

    /** A capacity must be this many times the need before gaps, not capacity, explain a wait. */
    private static final double AMPLE = 1.1;

    /** A ledger part below this share of the step is left alone. */
    private static final double SMALL_PART = 0.05;

    /** Whether the trainer waits too long. */
    public boolean waits() {
        return waitShare > LITTLE_WAIT;
    }

    /** Whether the step is slowed down by the loader's CPU use, beyond doubt and by more than a little. */
    public boolean contends() {
        if (ledger == null) {
            return false;
        }
        StallLedger.Interval contention = ledger.parts().get(StallLedger.Part.CONTENTION);
        return contention != null
                && contention.isPositive()
                && contention.estimate() > SMALL_PART * ledger.total().estimate();
    }

    /** Whether the pipeline could feed the trainer on average. */
    public boolean hasAmpleCapacity() {
        return dataRoofline() > AMPLE * capacity.need();
    }

    /** Batches a second that the pipeline can make: the lowest capacity, or what the drained pipeline was seen to make. */
    public double dataRoofline() {
        double modelled = capacity.dataRoofline();
        ConcurrencyReport.Point drained = decode == null ? null : decode.at(settings.decodeThreads());
        return drained == null ? modelled : Math.min(modelled, drained.drained());
    }

    /** What limits. */
    public Diagnosis diagnosis() {
        return new Diagnosis(!waits(), cause());
    }

    private Diagnosis.Cause cause() {
        if (contends()) {
            return Diagnosis.Cause.CONTENTION;
        }
        if (waits() && hasAmpleCapacity()) {
            return Diagnosis.Cause.GAPS;
        }
        return switch (capacity.slowestStage()) {
            case "read" -> Diagnosis.Cause.READ;
            case "collate" -> Diagnosis.Cause.COLLATE;
            default -> decodeCause();
        };
    }

    private Diagnosis.Cause decodeCause() {
        ConcurrencyReport.Limit limit = decode == null ? ConcurrencyReport.Limit.NONE : decode.limit();
        return switch (limit) {
            case LOCK -> Diagnosis.Cause.LOCK;
            case CORES -> Diagnosis.Cause.CORES;
            case BANDWIDTH -> Diagnosis.Cause.BANDWIDTH;
            case NONE, ELSEWHERE ->
                capacity.bottleneck().equals(CapacityModel.CPU) ? Diagnosis.Cause.CORES : Diagnosis.Cause.DECODE;
        };
    }
}
