package dev.penstock.engine;

/**
 * Keys of the epoch plan: 64-bit numbers mixed from a seed and what they are for. Pure functions, the same in every JVM.
 *
 * <p>The mixer is the finalizer of SplitMix64 (Stafford's variant 13; Steele, Lea and Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014). {@link java.util.SplittableRandom} uses it too, but does not promise to.
 */
public final class Keys {
    static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private Keys() {}

    /** The key for {@code seed} and the parts (purpose, epoch, number); another part anywhere gives an unrelated key. */
    public static long of(long seed, long... parts) {
        long key = mix(seed + GOLDEN_GAMMA);
        for (long part : parts) {
            key = mix(key * 3 + mix(part + GOLDEN_GAMMA));
        }
        return key;
    }

    static long of(long seed, long part) {
        return mix(mix(seed + GOLDEN_GAMMA) * 3 + mix(part + GOLDEN_GAMMA));
    }

    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** {@code random} scaled to 0 … bound - 1 without a division; the bias is below bound ÷ 2^64. */
    static long below(long random, long bound) {
        return Math.multiplyHigh(random >>> 1, bound << 1);
    }
}
