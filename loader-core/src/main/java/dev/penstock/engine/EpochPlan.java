package dev.penstock.engine;

/**
 * What one rank is to deliver in one epoch: a pure function of the order of the epoch, the batch size, the rank, the
 * world and the position to start from. Fixed before any work starts, random access, no memory a sample. Immutable and
 * thread-safe.
 *
 * <p>The global order from the start position on is cut into batches; rank {@code r} of {@code w} takes global batches
 * {@code r}, {@code r + w}, {@code r + 2w}, … A <i>round</i> is one batch of every rank, so all ranks have delivered the
 * same stretch of the global order after the same number of batches, and {@link #positionAfter} is the same number on
 * each of them. Resuming there, with another world size too, re-cuts exactly what is left.
 */
public final class EpochPlan {

    /** What becomes of the samples behind the last whole round. */
    public enum Ending {
        /** The last batch is smaller. Only where the world is 1: ranks need batches in step. */
        KEEP,
        /** They are left out, and counted. */
        DROP,
        /** The round is filled up with samples from the epoch's start, flagged as padding. */
        PAD
    }

    private static final long SUBSTITUTE = 0x5B;

    private final SampleOrder order;
    private final long key;
    private final int batchSize;
    private final int rank;
    private final int world;
    private final Ending ending;
    private final long start;
    private final long batches;

    /**
     * The plan of one rank.
     *
     * @param order the global order of the epoch
     * @param key of the epoch; chooses substitutes
     * @param start global position to start from: 0, or what all ranks had delivered before a resume
     * @throws IllegalArgumentException when a setting is out of range, or a rank would get no sample from a whole epoch;
     *     every rank gets the same answer, so that none waits for the others
     */
    public EpochPlan(SampleOrder order, long key, int batchSize, int rank, int world, Ending ending, long start) {
        this.order = order;
        this.key = key;
        this.batchSize = batchSize;
        this.rank = rank;
        this.world = world;
        this.ending = ending;
        this.start = start;
        checkSettings();
        long left = order.size() - start;
        long round = round();
        this.batches = ending == Ending.DROP ? left / round : left / round + (left % round == 0 ? 0 : 1);
        if (start == 0) {
            checkEveryRankGetsSamples();
        }
    }

    /** Batches that this rank delivers, the same number on every rank. */
    public long batches() {
        return batches;
    }

    /** Rows of the largest batch. */
    public int batchSize() {
        return batchSize;
    }

    /** Positions of the whole global epoch. */
    public long epochSamples() {
        return order.size();
    }

    /** Where in the global order the plan starts. */
    public long start() {
        return start;
    }

    /**
     * Fills in one batch of this rank.
     *
     * @param batch 0 … batches - 1
     * @param samples gets the sample of each row; at least batchSize long
     * @param padding gets whether each row is padding; at least batchSize long
     * @return rows
     */
    public int fill(long batch, long[] samples, boolean[] padding) {
        int rows = rows(batch);
        long first = position(batch, 0);
        for (int row = 0; row < rows; row++) {
            long position = first + row;
            padding[row] = position >= order.size();
            samples[row] = order.sample(padding[row] ? (position - order.size()) % order.size() : position);
        }
        return rows;
    }

    /** Rows of {@code batch}. */
    public int rows(long batch) {
        if (batch < 0 || batch >= batches) {
            throw new IndexOutOfBoundsException("batch " + batch + " of " + batches);
        }
        return ending == Ending.KEEP ? (int) Math.min(batchSize, order.size() - position(batch, 0)) : batchSize;
    }

    /** The global position of a row; at or behind {@link #epochSamples()} for padding. */
    public long position(long batch, int row) {
        return start + (batch * world + rank) * batchSize + row;
    }

    /**
     * The global position that all ranks have delivered when each has delivered its first {@code delivered} batches; the
     * epoch's size at the end, whatever was dropped.
     */
    public long positionAfter(long delivered) {
        return delivered >= batches ? order.size() : start + delivered * round();
    }

    /** Samples of this rank, without padding. */
    public long plannedSamples() {
        if (batches == 0) {
            return 0;
        }
        long lastFirst = position(batches - 1, 0);
        return (batches - 1) * batchSize + Math.max(0, Math.min(batchSize, order.size() - lastFirst));
    }

    /** Padding rows of this rank. */
    public long paddingRows() {
        return ending == Ending.PAD ? batches * batchSize - plannedSamples() : 0;
    }

    /** Samples at the end of the global epoch that no rank gets. */
    public long droppedSamples() {
        return ending == Ending.DROP ? order.size() - start - batches * round() : 0;
    }

    /**
     * The sample that stands in for a bad one: drawn from the whole epoch by key, position and attempt, so the same on
     * every run and whatever the world size.
     */
    public long substitute(long batch, int row, int attempt) {
        long position = position(batch, row) % order.size();
        return order.sample(Keys.below(Keys.of(key, SUBSTITUTE, position, attempt), order.size()));
    }

    private long round() {
        return (long) batchSize * world;
    }

    private void checkSettings() {
        StringBuilder wrong = new StringBuilder();
        if (batchSize < 1) {
            wrong.append("; batch size was ").append(batchSize).append(", must be at least 1");
        }
        if (world < 1) {
            wrong.append("; world was ").append(world).append(", must be at least 1");
        }
        if (rank < 0 || rank >= world) {
            wrong.append("; rank was ")
                    .append(rank)
                    .append(", must be 0 to world - 1 = ")
                    .append(world - 1);
        }
        if (ending == Ending.KEEP && world > 1) {
            wrong.append("; ending was KEEP with world ")
                    .append(world)
                    .append(": ranks need the same number of batches, choose DROP or PAD");
        }
        if (start < 0 || start > order.size()) {
            wrong.append("; start position was ")
                    .append(start)
                    .append(", must be 0 to ")
                    .append(order.size());
        }
        if (wrong.length() > 0) {
            throw new IllegalArgumentException("epoch plan: " + wrong.substring(2));
        }
    }

    private void checkEveryRankGetsSamples() {
        long needed = switch (ending) {
            case KEEP -> 1;
            case DROP -> round();
            case PAD -> round() - batchSize + 1;
        };
        if (order.size() < needed) {
            throw new IllegalArgumentException("epoch plan: the epoch has " + order.size() + " samples, but world "
                    + world + " with batch size " + batchSize + " and ending " + ending + " needs at least " + needed
                    + " so that every rank gets a batch; use fewer ranks, smaller batches or more data"
                    + (ending == Ending.DROP ? ", or pad" : ""));
        }
    }
}
