package dev.penstock;

import dev.penstock.engine.SampleOrder;
import dev.penstock.spi.SampleSource;
import java.util.Arrays;
import java.util.Locale;

/**
 * How well an epoch is shuffled, against a full permutation of the same samples. Immutable. Measured on the order itself:
 * on all of it, or on {@value #STRETCHES} evenly spread stretches of a large epoch. 1 is as good as a full permutation.
 *
 * @param samples positions of the epoch
 * @param blocks episodes, files or shards
 * @param neighbourDistance mean distance in the data, in samples, of samples that are neighbours in the epoch
 * @param fullNeighbourDistance the same of a full permutation: about a third of the samples
 * @param blocksPerBatch mean number of distinct blocks in a batch
 * @param fullBlocksPerBatch the same of a full permutation
 */
public record ShuffleQuality(
        long samples,
        int blocks,
        double neighbourDistance,
        double fullNeighbourDistance,
        double blocksPerBatch,
        double fullBlocksPerBatch) {
    private static final int STRETCHES = 2_048;
    private static final int MEASURED_WHOLE = 1 << 18;
    private static final long REFERENCE_SEED = 0xF011;

    /** Neighbours' distance as a share of that of a full permutation. */
    public double distanceShare() {
        return share(neighbourDistance, fullNeighbourDistance);
    }

    /** Distinct blocks a batch as a share of that of a full permutation. */
    public double blockShare() {
        return share(blocksPerBatch, fullBlocksPerBatch);
    }

    /** One line for a terminal. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "neighbours %.0f samples apart (%.0f %% of a full permutation), %.1f of %d blocks a batch (%.0f %%)",
                neighbourDistance,
                100 * distanceShare(),
                blocksPerBatch,
                blocks,
                100 * blockShare());
    }

    /** Measures the order of an epoch in global batches of {@code batchSize}. */
    public static ShuffleQuality of(SampleSource source, Shuffle shuffle, int epoch, int batchSize) {
        SampleOrder order = shuffle.order(source, epoch, batchSize);
        SampleOrder full = Shuffle.full(REFERENCE_SEED).order(source, epoch, batchSize);
        long[] starts = Shuffle.blockStarts(source);
        double[] measured = measure(order, starts, batchSize);
        double[] best = measure(full, starts, batchSize);
        return new ShuffleQuality(order.size(), source.blocks(), measured[0], best[0], measured[1], best[1]);
    }

    /**
     * The samples at {@code points} evenly spread positions of an epoch, for a picture of position in the data against
     * position in the epoch: element {@code i} stands at position {@code i × size ÷ points}.
     */
    public static long[] trace(SampleSource source, Shuffle shuffle, int epoch, int batchSize, int points) {
        SampleOrder order = shuffle.order(source, epoch, batchSize);
        int count = (int) Math.min(points, order.size());
        long[] samples = new long[count];
        for (int i = 0; i < count; i++) {
            samples[i] = order.sample(Math.min(order.size() - 1, Math.round((double) i / count * order.size())));
        }
        return samples;
    }

    /** Mean distance of neighbours and mean distinct blocks a batch. */
    private static double[] measure(SampleOrder order, long[] starts, int batchSize) {
        long batches = Math.max(1, order.size() / batchSize);
        long measured = order.size() <= MEASURED_WHOLE ? batches : Math.min(batches, STRETCHES);
        double distance = 0;
        long pairs = 0;
        long distinct = 0;
        for (long i = 0; i < measured; i++) {
            long first = i * batches / measured * batchSize;
            int rows = (int) Math.min(batchSize, order.size() - first);
            int[] inBlocks = new int[rows];
            for (int row = 0; row < rows; row++) {
                long position = first + row;
                long sample = order.sample(position);
                inBlocks[row] = blockOf(starts, sample);
                if (position + 1 < order.size()) {
                    distance += Math.abs(sample - order.sample(position + 1));
                    pairs++;
                }
            }
            distinct += Arrays.stream(inBlocks).distinct().count();
        }
        return new double[] {pairs == 0 ? 0 : distance / pairs, (double) distinct / measured};
    }

    private static int blockOf(long[] starts, long sample) {
        int low = 0;
        int high = starts.length - 1;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (starts[middle] <= sample) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double share(double value, double best) {
        return best == 0 ? 1 : value / best;
    }
}
