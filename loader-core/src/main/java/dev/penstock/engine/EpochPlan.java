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
    private final Delivered done;
    private final long cuts;

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
        this(order, key, batchSize, rank, world, ending, start, Delivered.NONE);
    }

    /**
     * The plan of one rank that had delivered some rows behind {@code start} before a resume, since samples could overtake.
     *
     * @param done rows of this rank, counted from {@code start}; they do not come again
     * @throws IllegalArgumentException as above
     */
    public EpochPlan(
            SampleOrder order,
            long key,
            int batchSize,
            int rank,
            int world,
            Ending ending,
            long start,
            Delivered done) {
        this.order = order;
        this.key = key;
        this.batchSize = batchSize;
        this.rank = rank;
        this.world = world;
        this.ending = ending;
        this.start = start;
        this.done = done;
        checkSettings();
        long left = order.size() - start;
        long round = round();
        this.cuts = ending == Ending.DROP ? left / round : left / round + (left % round == 0 ? 0 : 1);
        if (start == 0) {
            checkEveryRankGetsSamples();
        }
    }

    /** Batches that this rank delivers, the same number on every rank. */
    public long batches() {
        long rows = rowCount() - done.below(rowCount());
        return rows / batchSize + (rows % batchSize == 0 ? 0 : 1);
    }

    /** Pieces that the order is cut into: as many as {@link #batches()}, or more where rows of some were delivered before. */
    long cuts() {
        return cuts;
    }

    /** Rows that were delivered before the start. */
    Delivered done() {
        return done;
    }

    /** Rows of this rank, padding and those delivered before included. */
    long rowCount() {
        return ending == Ending.KEEP ? order.size() - start : cuts * batchSize;
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

    /** As {@link #fill(long, long[], boolean[], long[])}, for those who don't ask for positions. */
    public int fill(long batch, long[] samples, boolean[] padding) {
        return fill(batch, samples, padding, new long[batchSize]);
    }

    /**
     * Fills in one batch of this rank, without rows that were delivered before.
     *
     * @param cut 0 … cuts - 1
     * @param samples gets the sample of each row; at least batchSize long
     * @param padding gets whether each row is padding; at least batchSize long
     * @param positions gets the global position of each row; at least batchSize long
     * @return rows
     */
    int fill(long cut, long[] samples, boolean[] padding, long[] positions) {
        int all = rows(cut);
        int row = 0;
        for (int i = 0; i < all; i++) {
            if (!done.contains(cut * batchSize + i)) {
                long position = position(cut, i);
                positions[row] = position;
                padding[row] = position >= order.size();
                samples[row] = order.sample(padding[row] ? (position - order.size()) % order.size() : position);
                row++;
            }
        }
        return row;
    }

    /** Rows of {@code batch}, those delivered before included. */
    public int rows(long batch) {
        if (batch < 0 || batch >= cuts) {
            throw new IndexOutOfBoundsException("batch " + batch + " of " + cuts);
        }
        return ending == Ending.KEEP ? (int) Math.min(batchSize, order.size() - position(batch, 0)) : batchSize;
    }

    /** The global position of a row; at or behind {@link #epochSamples()} for padding. */
    public long position(long batch, int row) {
        return start + (batch * world + rank) * batchSize + row;
    }

    /** The row of this rank, counted from the start, at a global position. */
    long rowAt(long position) {
        long behind = position - start;
        return behind / batchSize / world * batchSize + behind % batchSize;
    }

    /** The global position of the first round that is not delivered whole. */
    long roundOf(Delivered delivered) {
        return start + delivered.first() / batchSize * round();
    }

    /** The same rows, counted from {@link #roundOf}. */
    Delivered fromRound(Delivered delivered) {
        return delivered.from(delivered.first() / batchSize * batchSize);
    }

    /**
     * The global position that all ranks have delivered when each has delivered its first {@code delivered} batches; the
     * epoch's size at the end, whatever was dropped.
     */
    public long positionAfter(long delivered) {
        return delivered >= cuts ? order.size() : start + delivered * round();
    }

    /** Samples of this rank, without padding and those delivered before. */
    public long plannedSamples() {
        return samplesBelow(cuts) - doneSamples();
    }

    /** Padding rows of this rank. */
    public long paddingRows() {
        return ending == Ending.PAD ? rowCount() - samplesBelow(cuts) : 0;
    }

    private long samplesBelow(long cut) {
        if (cut == 0) {
            return 0;
        }
        long lastFirst = position(cut - 1, 0);
        return (cut - 1) * batchSize + Math.max(0, Math.min(batchSize, order.size() - lastFirst));
    }

    /** Rows delivered before that are no padding: only the last batch has padding, and only it is looked at. */
    private long doneSamples() {
        long whole = Math.max(0, cuts - 1) * batchSize;
        long count = done.below(Math.min(whole, rowCount()));
        for (long row = whole; row < rowCount(); row++) {
            count += done.contains(row) && position(cuts - 1, (int) (row - whole)) < order.size() ? 1 : 0;
        }
        return count;
    }

    /** The sum of the numbers, from 1, of all rows that are to be delivered: tells that each came once. */
    long rowSum() {
        long all = rowCount();
        long sum = all % 2 == 0 ? all / 2 * (all + 1) : (all + 1) / 2 * all;
        for (long row = 0; row < Math.min(all, done.first()); row++) {
            sum -= row + 1;
        }
        java.util.BitSet later = java.util.BitSet.valueOf(done.later());
        for (int bit = later.nextSetBit(0); bit >= 0; bit = later.nextSetBit(bit + 1)) {
            sum -= done.first() + bit < all ? done.first() + bit + 1 : 0;
        }
        return sum;
    }

    /** Samples at the end of the global epoch that no rank gets. */
    public long droppedSamples() {
        return ending == Ending.DROP ? order.size() - start - cuts * round() : 0;
    }

    /**
     * The sample that stands in for a bad one: drawn from the whole epoch by key, position and attempt, so the same on
     * every run and whatever the world size.
     */
    long substituteAt(long position, int attempt) {
        long place = position % order.size();
        return order.sample(Keys.below(Keys.of(key, SUBSTITUTE, place, attempt), order.size()));
    }

    /** As {@link #substituteAt}, by batch and row. */
    long substitute(long batch, int row, int attempt) {
        return substituteAt(position(batch, row), attempt);
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
