package dev.penstock.engine;

/**
 * A keyed bijection of 0 … size - 1 in constant memory: shuffles any number of samples without a table. Immutable.
 *
 * <p>Method: an unbalanced alternating Feistel network over the smallest power of two that holds {@code size} (10 rounds,
 * as in NIST SP 800-38G FF1; Luby and Rackoff 1988 for why so few do), made a bijection of any size by cycle walking: a
 * result outside the range is mapped again (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002; the
 * use as a shuffle is that of Mitchell et al., "Bandwidth-optimal random shuffling for GPUs", 2022). The round function
 * is the mixer of {@link Keys}, so this is no cipher: it shuffles, it hides nothing. Small sizes live in a domain of 64,
 * where the network's halves are wide enough to reach all orders alike.
 */
public final class Permutation {
    /** The largest size. */
    public static final long MAX_SIZE = 1L << 62;

    private static final int ROUNDS = 10;
    private static final int SMALLEST_WIDTH = 6;

    private final long size;
    private final long key;
    private final int lowBits;
    private final int highBits;

    /**
     * The permutation of {@code size} elements that {@code key} names.
     *
     * @throws IllegalArgumentException unless size is 1 … {@link #MAX_SIZE}
     */
    public Permutation(long size, long key) {
        if (size < 1 || size > MAX_SIZE) {
            throw new IllegalArgumentException("a permutation's size was " + size + ", must be 1 to 2^62");
        }
        int width = Math.max(SMALLEST_WIDTH, 64 - Long.numberOfLeadingZeros(size - 1));
        this.size = size;
        this.key = key;
        this.lowBits = width / 2;
        this.highBits = width - lowBits;
    }

    /** The number of elements. */
    public long size() {
        return size;
    }

    /** What stands at {@code index}. Fewer than two walks are expected for sizes above 32. */
    public long at(long index) {
        long value = check(index);
        do {
            value = forward(value);
        } while (value >= size);
        return value;
    }

    /** Where {@code element} stands: the inverse of {@link #at}. */
    public long indexOf(long element) {
        long value = check(element);
        do {
            value = backward(value);
        } while (value >= size);
        return value;
    }

    private long check(long index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("index " + index + " of a permutation of " + size);
        }
        return index;
    }

    private long forward(long value) {
        long high = value >>> lowBits;
        long low = value & ((1L << lowBits) - 1);
        for (int round = 0; round < ROUNDS; round += 2) {
            high ^= noise(low, round, highBits);
            low ^= noise(high, round + 1, lowBits);
        }
        return high << lowBits | low;
    }

    private long backward(long value) {
        long high = value >>> lowBits;
        long low = value & ((1L << lowBits) - 1);
        for (int round = ROUNDS - 2; round >= 0; round -= 2) {
            low ^= noise(high, round + 1, lowBits);
            high ^= noise(low, round, highBits);
        }
        return high << lowBits | low;
    }

    /** The rounds read disjoint parts of one SplitMix64 stream that starts at the key. */
    private long noise(long half, int round, int bits) {
        return Keys.mix(key + (half * ROUNDS + round + 1) * Keys.GOLDEN_GAMMA) >>> (64 - bits);
    }
}
