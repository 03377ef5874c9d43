package dev.penstock.engine;

/** The order of one epoch's samples over all ranks, with random access. Immutable and thread-safe; a pure function. */
public interface SampleOrder {

    /** Positions of the epoch. */
    long size();

    /** The sample at {@code position}, 0 … size - 1. */
    long sample(long position);

    /** The samples as the source numbers them. */
    static SampleOrder inOrder(long size) {
        return new SampleOrder() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public long sample(long position) {
                return position;
            }
        };
    }

    /** A keyed permutation of all samples, in constant memory. */
    static SampleOrder full(long size, long key) {
        if (size == 0) {
            return inOrder(0);
        }
        Permutation permutation = new Permutation(size, key);
        return new SampleOrder() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public long sample(long position) {
                return permutation.at(position);
            }
        };
    }

    /**
     * Blocks in permuted order, then permuted within a buffer over several interleaved blocks.
     *
     * @param starts first sample of each block, and the number of samples at the end
     * @param buffer the most samples that are permuted together, at least 1
     * @param interleave blocks to draw from at a time, at least 1
     */
    static SampleOrder blocks(long[] starts, int buffer, int interleave, long key) {
        return new BlockOrder(starts, buffer, interleave, key);
    }
}
