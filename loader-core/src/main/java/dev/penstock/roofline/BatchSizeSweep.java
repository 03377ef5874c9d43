package dev.penstock.roofline;

import dev.penstock.data.Batch;
import dev.penstock.roofline.BatchSizeReport.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the accelerator's own ceiling: the trainer's step on fake batches of one size after another, no loader involved.
 *
 * <p>A size that memory does not hold ({@link OutOfMemoryError}, or what {@link #outOfMemory} says) ends the rise: the
 * clean-up hook runs, and the sweep bisects between the last size that fitted and the first that did not. Any other
 * failure of the step is thrown. Runs on the caller's thread.
 */
public final class BatchSizeSweep {
    private static final Logger LOG = LoggerFactory.getLogger(BatchSizeSweep.class);
    private static final int WARMUP = 3;
    private static final int MOST_BISECTIONS = 6;

    private final IntFunction<? extends Iterator<Batch>> batches;
    private final TrainerStep step;
    private Predicate<Throwable> outOfMemory = failure -> failure instanceof OutOfMemoryError;
    private Runnable cleanUp = () -> {};
    private LongSupplier clock = System::nanoTime;
    private long nanosPerSize = 300_000_000;
    private static final int LEAST_STEPS = 8;

    private BatchSizeSweep(IntFunction<? extends Iterator<Batch>> batches, TrainerStep step) {
        this.batches = batches;
        this.step = step;
    }

    /**
     * A sweep of {@code step} over what {@code batches} makes for a size: an endless iterator. When it is
     * {@link AutoCloseable} it is closed after its size.
     */
    public static BatchSizeSweep of(IntFunction<? extends Iterator<Batch>> batches, TrainerStep step) {
        return new BatchSizeSweep(batches, step);
    }

    /** Which failures of a step mean that the batch does not fit, besides {@link OutOfMemoryError}. */
    public BatchSizeSweep outOfMemory(Predicate<Throwable> doesNotFit) {
        this.outOfMemory = failure -> failure instanceof OutOfMemoryError || doesNotFit.test(failure);
        return this;
    }

    /** What frees the accelerator's memory after a size that did not fit. */
    public BatchSizeSweep cleanUp(Runnable hook) {
        this.cleanUp = hook;
        return this;
    }

    /** How long each size is measured, at least; default 0.3 s. */
    public BatchSizeSweep secondsPerSize(double seconds) {
        this.nanosPerSize = Math.round(seconds * 1e9);
        return this;
    }

    BatchSizeSweep clock(LongSupplier nanos) {
        this.clock = nanos;
        return this;
    }

    /**
     * Measures the sizes from the smallest up.
     *
     * @throws IllegalArgumentException when no size is given or one is below 1
     * @throws Exception what a step threw, when it does not mean "out of memory"
     */
    public BatchSizeReport sizes(int... sizes) throws Exception {
        int[] rising = Arrays.stream(sizes).distinct().sorted().toArray();
        if (rising.length == 0 || rising[0] < 1) {
            throw new IllegalArgumentException("sizes were " + Arrays.toString(sizes) + ", each must be at least 1");
        }
        List<Point> points = new ArrayList<>();
        int fits = 0;
        int misses = 0;
        for (int size : rising) {
            if (measure(size, points)) {
                fits = size;
            } else {
                misses = size;
                break;
            }
        }
        for (int i = 0; i < MOST_BISECTIONS && misses - fits > 1; i++) {
            int middle = fits + (misses - fits) / 2;
            if (measure(middle, points)) {
                fits = middle;
            } else {
                misses = middle;
            }
        }
        points.sort(Comparator.comparingInt(Point::size));
        return new BatchSizeReport(points, fits, misses);
    }

    /** Whether {@code size} fits; adds its point if so. */
    private boolean measure(int size, List<Point> points) throws Exception {
        try {
            Iterator<Batch> source = batches.apply(size);
            try {
                points.add(run(size, source));
            } finally {
                if (source instanceof AutoCloseable closeable) {
                    closeable.close();
                }
            }
            return true;
        } catch (Exception | OutOfMemoryError e) {
            if (!outOfMemory.test(e)) {
                throw e;
            }
            LOG.info("a batch of {} does not fit: {}", size, e.toString());
            cleanUp.run();
            return false;
        }
    }

    private Point run(int size, Iterator<Batch> source) throws Exception {
        for (int i = 0; i < WARMUP; i++) {
            step.step(source.next());
        }
        List<Long> steps = new ArrayList<>();
        long start = clock.getAsLong();
        long at = start;
        while (steps.size() < LEAST_STEPS || at - start < nanosPerSize) {
            step.step(source.next());
            long end = clock.getAsLong();
            steps.add(end - at);
            at = end;
        }
        long[] sorted = steps.stream().mapToLong(Long::longValue).sorted().toArray();
        double median = sorted[sorted.length / 2];
        double quartiles = sorted[sorted.length * 3 / 4] - (double) sorted[sorted.length / 4];
        return new Point(size, Math.max(1, median) / 1e9, quartiles / 2 / Math.max(1, median));
    }
}
