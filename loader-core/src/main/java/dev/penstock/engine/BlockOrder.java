package dev.penstock.engine;

import java.util.Arrays;

/**
 * Shuffle by blocks, then within a bounded buffer over several interleaved blocks; over indices, with random access.
 * Immutable and thread-safe. Memory: two numbers a block, none a sample.
 *
 * <p>Method. The blocks stand one behind the other in an order permuted by the key. This line of samples is cut into
 * {@code lanes} of equal length, and each lane into as many slices as there are chunks. Chunk {@code c} is slice
 * {@code c} of every lane, at most {@code buffer} samples, permuted by a key of its own. So at any time as many blocks
 * are open as there are lanes, each is gone through from its start to its end, and neighbours of the epoch come from all
 * of them even where one block is longer than the buffer. (It is the order that interleaving readers in front of a
 * shuffle buffer aim at, without the buffer's fill pause, and with O(log blocks) access to any position.)
 */
final class BlockOrder implements SampleOrder {
    /** Keeps chunk × remainder below 2^62; a larger epoch gets larger chunks. */
    private static final long MAX_CHUNKS = Integer.MAX_VALUE;

    private static final long BLOCKS = 1;
    private static final long CHUNK = 2;

    private final long key;
    private final long size;
    /** First sample of each block, blocks in permuted order. */
    private final long[] firstSample;
    /** Place in the line of each block's first sample, ascending; no block is empty. */
    private final long[] place;

    private final long lanes;
    /** The first {@code longLanes} lanes are one sample longer than {@code laneLength}. */
    private final long longLanes;

    private final long laneLength;
    private final long chunks;

    /**
     * @param starts first sample of each block, and the number of samples at the end
     * @param buffer the most samples that are permuted together, at least 1
     * @param interleave blocks to draw from at a time, at least 1; fewer where the buffer is smaller than twice of it
     */
    BlockOrder(long[] starts, int buffer, int interleave, long key) {
        this.key = key;
        this.size = starts[starts.length - 1];
        int[] blocks = permutedBlocks(starts, Keys.of(key, BLOCKS));
        this.firstSample = new long[blocks.length];
        this.place = new long[blocks.length];
        long at = 0;
        for (int i = 0; i < blocks.length; i++) {
            firstSample[i] = starts[blocks[i]];
            place[i] = at;
            at += starts[blocks[i] + 1] - starts[blocks[i]];
        }
        this.lanes = Math.max(1, Math.min(Math.min(interleave, buffer / 2), size));
        this.laneLength = size / lanes;
        this.longLanes = size % lanes;
        // each lane may add a part of a sample to a chunk by rounding: leave room so that none passes the buffer
        this.chunks = Math.min(MAX_CHUNKS, Math.max(1, ceilDiv(size, buffer - lanes + 1)));
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long sample(long position) {
        if (position < 0 || position >= size) {
            throw new IndexOutOfBoundsException("position " + position + " of an epoch of " + size);
        }
        long chunk = chunkOf(position);
        long start = chunkStart(chunk);
        long length = chunkStart(chunk + 1) - start;
        return sampleAtPlace(placeOf(chunk, new Permutation(length, Keys.of(key, CHUNK + chunk)).at(position - start)));
    }

    /** The place in the line of member {@code index} of {@code chunk}, lane after lane. */
    private long placeOf(long chunk, long index) {
        long longSlice = cut(chunk + 1, laneLength + 1) - cut(chunk, laneLength + 1);
        long inLongLanes = longLanes * longSlice;
        if (index < inLongLanes) {
            long lane = index / longSlice;
            return lane * (laneLength + 1) + cut(chunk, laneLength + 1) + index % longSlice;
        }
        long slice = cut(chunk + 1, laneLength) - cut(chunk, laneLength);
        long lane = longLanes + (index - inLongLanes) / slice;
        return lane * laneLength + longLanes + cut(chunk, laneLength) + (index - inLongLanes) % slice;
    }

    private long sampleAtPlace(long at) {
        int found = Arrays.binarySearch(place, at);
        int block = found >= 0 ? found : -found - 2;
        return firstSample[block] + at - place[block];
    }

    private long chunkOf(long position) {
        long chunk = Math.min(chunks - 1, (long) ((double) position / size * chunks));
        while (chunkStart(chunk) > position) {
            chunk--;
        }
        while (chunkStart(chunk + 1) <= position) {
            chunk++;
        }
        return chunk;
    }

    private long chunkStart(long chunk) {
        return longLanes * cut(chunk, laneLength + 1) + (lanes - longLanes) * cut(chunk, laneLength);
    }

    /** floor(chunk × length ÷ chunks) without overflow: where slice {@code chunk} of a lane starts. */
    private long cut(long chunk, long length) {
        return chunk * (length / chunks) + chunk * (length % chunks) / chunks;
    }

    private static int[] permutedBlocks(long[] starts, long key) {
        int[] filled = new int[starts.length - 1];
        int count = 0;
        for (int block = 0; block < filled.length; block++) {
            if (starts[block + 1] > starts[block]) {
                filled[count++] = block;
            }
        }
        int[] blocks = new int[count];
        if (count > 0) {
            Permutation permutation = new Permutation(count, key);
            for (int i = 0; i < count; i++) {
                blocks[i] = filled[(int) permutation.at(i)];
            }
        }
        return blocks;
    }

    private static long ceilDiv(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
