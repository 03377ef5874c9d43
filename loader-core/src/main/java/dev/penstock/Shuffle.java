package dev.penstock;

import dev.penstock.engine.Keys;
import dev.penstock.engine.SampleOrder;
import dev.penstock.spi.SampleSource;

/**
 * How the samples of an epoch are ordered. Immutable plain data; the same on every rank. Orders are computed from indices
 * alone, so no kind of shuffle holds samples, pauses to fill a buffer, or costs memory a sample.
 *
 * <p>{@link #none()}: as the dataset lists them. {@link #seed(long)}: the blocks (episodes, files or shards) in random
 * order, samples then permuted within a bounded buffer that draws from several blocks at a time; good order, and reads
 * stay near each other. {@link #full(long)}: a random permutation of all samples. Every epoch has another order.
 *
 * @param kind which of them
 * @param seed what the orders are computed from; 0 without shuffle
 * @param buffer samples that are permuted together by {@link Kind#BLOCKS}, else 0
 * @param interleave blocks that {@link Kind#BLOCKS} draws from at a time, else 0; a buffer of less than twice as many
 *     samples draws from fewer
 */
public record Shuffle(Kind kind, long seed, int buffer, int interleave) {
    /** The buffer unless another is given, in samples. */
    public static final int DEFAULT_BUFFER = 2_048;
    /** The blocks drawn from at a time unless another number is given. */
    public static final int DEFAULT_INTERLEAVE = 16;

    private static final long ORDER = 0x0DE4;
    private static final long SUBSTITUTES = 0x5AB5;

    /** The kinds of order. */
    public enum Kind {
        /** As the dataset lists them. */
        NONE,
        /** Blocks permuted, then samples within a buffer over several blocks. */
        BLOCKS,
        /** A permutation of all samples. */
        FULL
    }

    public Shuffle {
        if (kind == Kind.BLOCKS) {
            if (buffer < 1 || interleave < 1) {
                throw new IllegalArgumentException(
                        "shuffle buffer was " + buffer + " and interleave " + interleave + ", both must be at least 1");
            }
        } else {
            buffer = 0;
            interleave = 0;
            seed = kind == Kind.NONE ? 0 : seed;
        }
    }

    /** No shuffle: every epoch in the dataset's own order. */
    public static Shuffle none() {
        return new Shuffle(Kind.NONE, 0, 0, 0);
    }

    /** Shuffle by blocks, with the default buffer over the default number of blocks. */
    public static Shuffle seed(long seed) {
        return new Shuffle(Kind.BLOCKS, seed, DEFAULT_BUFFER, DEFAULT_INTERLEAVE);
    }

    /** A full permutation. */
    public static Shuffle full(long seed) {
        return new Shuffle(Kind.FULL, seed, 0, 0);
    }

    /** The same shuffle by blocks with a buffer of {@code samples}. */
    public Shuffle buffer(int samples) {
        return blocks(samples, interleave);
    }

    /** The same shuffle by blocks, drawing from {@code blocks} blocks at a time. */
    public Shuffle interleave(int blocks) {
        return blocks(buffer, blocks);
    }

    private Shuffle blocks(int samples, int blocks) {
        if (kind != Kind.BLOCKS) {
            throw new IllegalStateException(
                    "buffer and interleave belong to Shuffle.seed(...), this is " + kind + " shuffle");
        }
        return new Shuffle(kind, seed, samples, blocks);
    }

    /** The order of {@code epoch} over all ranks. The batch size counts only for datasets mixed by batch. */
    SampleOrder order(SampleSource source, int epoch, int batchSize) {
        return source instanceof MixSource mix ? mix.order(this, epoch, batchSize) : orderOfPass(source, seed, epoch);
    }

    /** The order of the {@code pass}-th time through one source that is no mix. */
    SampleOrder orderOfPass(SampleSource source, long ownSeed, long pass) {
        long key = Keys.of(ownSeed, ORDER, pass);
        return switch (kind) {
            case NONE -> SampleOrder.inOrder(source.size());
            case FULL -> SampleOrder.full(source.size(), key);
            case BLOCKS -> SampleOrder.blocks(blockStarts(source), buffer, interleave, key);
        };
    }

    /** The key that chooses substitutes in {@code epoch}. */
    long substituteKey(int epoch) {
        return Keys.of(seed, SUBSTITUTES, epoch);
    }

    static long[] blockStarts(SampleSource source) {
        long[] starts = new long[source.blocks() + 1];
        for (int block = 0; block < starts.length; block++) {
            starts[block] = source.blockStart(block);
        }
        return starts;
    }

    @Override
    public String toString() {
        return switch (kind) {
            case NONE -> "none";
            case FULL -> "full(seed " + seed + ")";
            case BLOCKS -> "blocks(seed " + seed + ", buffer " + buffer + ", interleave " + interleave + ")";
        };
    }
}
