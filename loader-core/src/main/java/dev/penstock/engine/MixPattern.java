package dev.penstock.engine;

/**
 * Which of several datasets each turn takes, by weight: a repeated cycle with as many turns of each as its share, spread
 * as evenly as they go, so that any stretch has the weights to within one turn. Immutable; memory: one cycle.
 *
 * <p>Method: the next turn goes to the one that is farthest behind its share (smooth weighted round robin). Weights
 * become whole turns of the shortest cycle up to 1,000 that holds them exactly, else of one of 10,000, rounded by largest
 * remainder.
 */
public final class MixPattern {
    private static final int LONGEST_EXACT = 1_000;
    private static final int ROUNDED = 10_000;

    private final int[] quota;
    /** Turn of the cycle to dataset. */
    private final int[] taker;
    /** Turn of the cycle to how many turns its dataset had before in the cycle. */
    private final int[] earlier;

    private MixPattern(int[] quota, int cycle) {
        this.quota = quota;
        this.taker = new int[cycle];
        this.earlier = new int[cycle];
        int[] had = new int[quota.length];
        for (int turn = 0; turn < cycle; turn++) {
            int next = farthestBehind(quota, had, turn, cycle);
            taker[turn] = next;
            earlier[turn] = had[next]++;
        }
    }

    /**
     * The pattern of these weights.
     *
     * @throws IllegalArgumentException when one is not above 0, or so small that it would have no turn in 10,000
     */
    public static MixPattern of(double... weights) {
        double sum = 0;
        for (double weight : weights) {
            if (!(weight > 0) || Double.isInfinite(weight)) {
                throw new IllegalArgumentException("a mix's weight was " + weight + ", must be above 0");
            }
            sum += weight;
        }
        for (int cycle = weights.length; cycle <= LONGEST_EXACT; cycle++) {
            int[] quota = exact(weights, sum, cycle);
            if (quota.length > 0) {
                return new MixPattern(quota, cycle);
            }
        }
        return new MixPattern(rounded(weights, sum), ROUNDED);
    }

    /** Turns of a cycle. */
    public int cycle() {
        return taker.length;
    }

    /** Turns of a cycle that {@code dataset} has. */
    public int quota(int dataset) {
        return quota[dataset];
    }

    /** The dataset whose turn it is. */
    public int taker(long turn) {
        return taker[(int) (turn % taker.length)];
    }

    /** How many turns before {@code turn} the same dataset had. */
    public long earlier(long turn) {
        int slot = (int) (turn % taker.length);
        return turn / taker.length * quota[taker[slot]] + earlier[slot];
    }

    /** How many of the first {@code turns} turns {@code dataset} has. */
    public long count(int dataset, long turns) {
        long count = turns / taker.length * quota[dataset];
        for (int slot = 0; slot < turns % taker.length; slot++) {
            count += taker[slot] == dataset ? 1 : 0;
        }
        return count;
    }

    /** The number of turns after which {@code dataset} has had {@code count}, at least 1. */
    public long turnsUntil(int dataset, long count) {
        long cycles = (count - 1) / quota[dataset];
        int within = (int) ((count - 1) % quota[dataset]);
        int slot = 0;
        while (taker[slot] != dataset || earlier[slot] != within) {
            slot++;
        }
        return cycles * taker.length + slot + 1;
    }

    private static int farthestBehind(int[] quota, int[] had, int turn, int cycle) {
        int best = 0;
        long bestLag = Long.MIN_VALUE;
        for (int dataset = 0; dataset < quota.length; dataset++) {
            long lag = (turn + 1L) * quota[dataset] - (long) had[dataset] * cycle;
            if (lag > bestLag) {
                best = dataset;
                bestLag = lag;
            }
        }
        return best;
    }

    /** Whole turns that stand for the weights exactly, or none. */
    private static int[] exact(double[] weights, double sum, int cycle) {
        int[] quota = new int[weights.length];
        for (int i = 0; i < weights.length; i++) {
            double turns = weights[i] / sum * cycle;
            quota[i] = (int) Math.round(turns);
            if (quota[i] < 1 || Math.abs(turns - quota[i]) > 1e-9 * cycle) {
                return new int[0];
            }
        }
        return quota;
    }

    private static int[] rounded(double[] weights, double sum) {
        int[] quota = new int[weights.length];
        double[] rest = new double[weights.length];
        int left = ROUNDED;
        for (int i = 0; i < weights.length; i++) {
            double turns = weights[i] / sum * ROUNDED;
            quota[i] = (int) turns;
            rest[i] = turns - quota[i];
            left -= quota[i];
        }
        for (; left > 0; left--) {
            int most = 0;
            for (int i = 1; i < rest.length; i++) {
                most = rest[i] > rest[most] ? i : most;
            }
            quota[most]++;
            rest[most] = -1;
        }
        for (int i = 0; i < quota.length; i++) {
            if (quota[i] == 0) {
                throw new IllegalArgumentException("a mix's weight was " + weights[i] + " of " + sum
                        + ", below the least share of 1 in " + ROUNDED);
            }
        }
        return quota;
    }
}
