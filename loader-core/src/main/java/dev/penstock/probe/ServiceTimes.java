package dev.penstock.probe;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What each piece of work of some consecutive batches took: the raw material of what-if predictions. Immutable; made by
 * {@link ServiceRecorder}.
 *
 * @param batchSize rows of a full batch
 * @param batches in the order of delivery
 */
public record ServiceTimes(int batchSize, List<BatchTimes> batches) {

    public ServiceTimes {
        batches = List.copyOf(batches);
    }

    /**
     * One piece of work.
     *
     * @param nanos from start to end on its thread, without waiting for work or for room
     * @param cpuNanos of these, CPU time; -1 where the JVM can't tell
     */
    public record Work(long nanos, long cpuNanos) {
        /** No work. */
        public static final Work NONE = new Work(0, 0);

        /** CPU time; all of the time where the JVM can't tell. */
        public long cpuOrAllNanos() {
            return cpuNanos < 0 ? nanos : cpuNanos;
        }
    }

    /**
     * One piece of a batch on its way from read to decode.
     *
     * @param read its reading
     * @param decode its decoding; {@link Work#NONE} for truth bytes
     * @param bytes bytes read
     */
    public record Piece(Work read, Work decode, long bytes) {}

    /**
     * One batch.
     *
     * @param epoch from 0
     * @param batch position in the epoch
     * @param pieces what was read and decoded for it
     * @param collate the gathering of its truth
     * @param waitNanos how long the trainer waited for it
     * @param stepNanos how long the trainer took before it asked for this batch; 0 for the first of an epoch
     */
    public record BatchTimes(int epoch, long batch, List<Piece> pieces, Work collate, long waitNanos, long stepNanos) {
        public BatchTimes {
            pieces = List.copyOf(pieces);
        }
    }

    /** Mean seconds of one thread that a batch takes in {@code stage}. */
    public double meanSeconds(WorkProbe.Stage stage) {
        return meanSeconds(stage, Work::nanos);
    }

    /** Mean seconds of CPU that a batch takes in {@code stage}; of time, where the JVM can't tell. */
    public double meanCpuSeconds(WorkProbe.Stage stage) {
        return meanSeconds(stage, Work::cpuOrAllNanos);
    }

    private double meanSeconds(WorkProbe.Stage stage, ToLongFunction<Work> nanos) {
        return batches.stream()
                        .mapToLong(batch -> switch (stage) {
                            case READ -> sum(batch, piece -> nanos.applyAsLong(piece.read()));
                            case DECODE -> sum(batch, piece -> nanos.applyAsLong(piece.decode()));
                            case COLLATE -> nanos.applyAsLong(batch.collate());
                        })
                        .average()
                        .orElse(0)
                / 1e9;
    }

    private static long sum(BatchTimes batch, ToLongFunction<Piece> nanos) {
        return batch.pieces().stream().mapToLong(nanos).sum();
    }

    /** Batches a second that the trainer really got: over all steps and waits but the first wait. */
    public double measuredBatchesPerSecond() {
        long nanos = 0;
        for (int i = 1; i < batches.size(); i++) {
            nanos += batches.get(i).waitNanos() + batches.get(i).stepNanos();
        }
        return nanos == 0 ? 0 : (batches.size() - 1) * 1e9 / nanos;
    }

    /** Share of the time after the first batch that the trainer waited: 0 to 1. */
    public double measuredWaitShare() {
        long wait = 0;
        long step = 0;
        for (int i = 1; i < batches.size(); i++) {
            wait += batches.get(i).waitNanos();
            step += batches.get(i).stepNanos();
        }
        return wait + step == 0 ? 0 : (double) wait / (wait + step);
    }
}
