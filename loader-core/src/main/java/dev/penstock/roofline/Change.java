package dev.penstock.roofline;

import dev.penstock.probe.ServiceTimes;
import dev.penstock.probe.WorkProbe.Stage;
import java.util.Locale;

/**
 * One change to a pipeline, to be predicted before it is made. Immutable.
 *
 * @param label what a report calls it
 * @param readThreads read workers more (or, negative, fewer)
 * @param decodeThreads decode workers more or fewer
 * @param prefetch batches of prefetch more or fewer
 * @param readFactor how many times faster reading a piece becomes
 * @param decodeFactor how many times faster decoding a piece becomes
 * @param collateFactor how many times faster collating a batch becomes
 * @param batchFactor how many times larger the batch becomes
 * @param stepFactor how many times longer the trainer's step becomes
 */
public record Change(
        String label,
        int readThreads,
        int decodeThreads,
        int prefetch,
        double readFactor,
        double decodeFactor,
        double collateFactor,
        int batchFactor,
        double stepFactor) {

    /** Nothing changes. */
    public static final Change NONE = new Change("as measured", 0, 0, 0, 1, 1, 1, 1, 1);

    public Change {
        if (!(readFactor > 0) || !(decodeFactor > 0) || !(collateFactor > 0) || batchFactor < 1 || !(stepFactor > 0)) {
            throw new IllegalArgumentException("change '" + label + "': factors must be above 0");
        }
    }

    /** More (or fewer) read workers. */
    public static Change readThreads(int more) {
        return new Change(signed(more) + " read threads", more, 0, 0, 1, 1, 1, 1, 1);
    }

    /** More (or fewer) decode workers. */
    public static Change decodeThreads(int more) {
        return new Change(signed(more) + " decode threads", 0, more, 0, 1, 1, 1, 1, 1);
    }

    /** Batches of prefetch more. */
    public static Change prefetch(int more) {
        return new Change(signed(more) + " prefetch", 0, 0, more, 1, 1, 1, 1, 1);
    }

    /** Reading a piece takes {@code 1/factor} of its time. */
    public static Change readFaster(double factor) {
        return new Change(times("read", factor), 0, 0, 0, factor, 1, 1, 1, 1);
    }

    /** Decoding a piece takes {@code 1/factor} of its time: what materializing at training resolution brings. */
    public static Change decodeFaster(double factor) {
        return new Change(times("decode", factor), 0, 0, 0, 1, factor, 1, 1, 1);
    }

    /** Collating a batch takes {@code 1/factor} of its time: what truth in Arrow brings. */
    public static Change collateFaster(double factor) {
        return new Change(times("collate", factor), 0, 0, 0, 1, 1, factor, 1, 1);
    }

    /**
     * A batch as large as {@code factor} batches.
     *
     * @param stepFactor how many times longer its step is: from a {@link BatchSizeSweep}, or {@code factor} when the
     *     accelerator is already busy
     */
    public static Change largerBatch(int factor, double stepFactor) {
        return new Change("batch ×" + factor, 0, 0, 0, 1, 1, 1, factor, stepFactor);
    }

    /**
     * What a trial showed: every stage becomes as many times faster as it was there. Materialize one episode, record the
     * trial as the whole was recorded, and the change to the whole can be predicted before it is paid for.
     *
     * @param name what a report calls the change
     * @param now recorded of the data as they are
     * @param trial recorded of a part of the data as they would be, in batches of the same size
     * @throws IllegalArgumentException when the batch sizes differ
     */
    public static Change asInTrial(String name, ServiceTimes now, ServiceTimes trial) {
        if (now.batchSize() != trial.batchSize()) {
            throw new IllegalArgumentException("a trial in batches of " + trial.batchSize()
                    + " says nothing about batches of " + now.batchSize() + "; record it with the same batch size");
        }
        return new Change(
                name,
                0,
                0,
                0,
                ratio(now, trial, Stage.READ),
                ratio(now, trial, Stage.DECODE),
                ratio(now, trial, Stage.COLLATE),
                1,
                1);
    }

    /** Reading by time, since it waits for the store; the others by CPU time, which a crowded machine does not stretch. */
    private static double ratio(ServiceTimes now, ServiceTimes trial, Stage stage) {
        double ratio = stage == Stage.READ
                ? now.meanSeconds(stage) / trial.meanSeconds(stage)
                : now.meanCpuSeconds(stage) / trial.meanCpuSeconds(stage);
        return ratio > 0 && Double.isFinite(ratio) ? ratio : 1;
    }

    /** Both changes at once. */
    public Change and(Change other) {
        return new Change(
                label + ", " + other.label,
                readThreads + other.readThreads,
                decodeThreads + other.decodeThreads,
                prefetch + other.prefetch,
                readFactor * other.readFactor,
                decodeFactor * other.decodeFactor,
                collateFactor * other.collateFactor,
                batchFactor * other.batchFactor,
                stepFactor * other.stepFactor);
    }

    /** The same change under another name. */
    public Change named(String name) {
        return new Change(
                name,
                readThreads,
                decodeThreads,
                prefetch,
                readFactor,
                decodeFactor,
                collateFactor,
                batchFactor,
                stepFactor);
    }

    PipelineSettings applyTo(PipelineSettings settings) {
        int deeper = Math.max(1, settings.prefetch() + prefetch);
        return new PipelineSettings(
                Math.max(1, settings.readThreads() + readThreads),
                Math.max(1, settings.decodeThreads() + decodeThreads),
                settings.collateThreads(),
                deeper,
                Math.max(2, settings.slabs() + deeper - settings.prefetch()),
                settings.cores());
    }

    private static String signed(int more) {
        return String.format(Locale.ROOT, "%+d", more);
    }

    private static String times(String stage, double factor) {
        return String.format(Locale.ROOT, "%s %.3g× faster", stage, factor);
    }
}
