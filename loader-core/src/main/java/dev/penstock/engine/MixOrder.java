package dev.penstock.engine;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The order of an epoch over several datasets: turns by {@link MixPattern}, a sample or a batch a turn, each dataset in
 * its own shuffled order. Random access; a pure function; thread-safe.
 *
 * <p>A dataset goes on in an epoch where it stopped in the one before, and starts its next pass, in another order, when
 * it has given its last sample: so over any run each of its samples comes once before one comes twice.
 */
public final class MixOrder implements SampleOrder {

    /** The order of a dataset's {@code pass}-th time through, in numbers of the dataset; a pure function. */
    public interface Passes {
        /** That order. */
        SampleOrder order(int dataset, long pass);
    }

    private record Pass(long number, SampleOrder order) {}

    private final MixPattern pattern;
    private final long[] sizes;
    private final long[] offsets;
    private final int unit;
    private final long turns;
    private final long epoch;
    private final Passes passes;
    /** Turns a whole epoch gives each dataset. */
    private final long[] turnsOf;
    /** Two slots a dataset, for even and odd passes; whatever stands in a slot is right for its number. */
    private final AtomicReferenceArray<Pass> known;

    /**
     * @param sizes samples of each dataset, none 0
     * @param unit samples a turn: 1, or the batch size
     * @param turns turns of an epoch
     */
    public MixOrder(MixPattern pattern, long[] sizes, int unit, long turns, long epoch, Passes passes) {
        this.pattern = pattern;
        this.sizes = sizes.clone();
        this.unit = unit;
        this.turns = turns;
        this.epoch = epoch;
        this.passes = passes;
        this.offsets = new long[sizes.length];
        this.turnsOf = new long[sizes.length];
        for (int dataset = 0; dataset < sizes.length; dataset++) {
            offsets[dataset] = dataset == 0 ? 0 : offsets[dataset - 1] + sizes[dataset - 1];
            turnsOf[dataset] = pattern.count(dataset, turns);
        }
        this.known = new AtomicReferenceArray<>(2 * sizes.length);
    }

    @Override
    public long size() {
        return turns * unit;
    }

    @Override
    public long sample(long position) {
        if (position < 0 || position >= size()) {
            throw new IndexOutOfBoundsException("position " + position + " of an epoch of " + size());
        }
        long turn = position / unit;
        int dataset = pattern.taker(turn);
        long turnOfDataset = epoch * turnsOf[dataset] + pattern.earlier(turn);
        long taken = turnOfDataset * unit + position % unit;
        return offsets[dataset] + pass(dataset, taken / sizes[dataset]).sample(taken % sizes[dataset]);
    }

    private SampleOrder pass(int dataset, long number) {
        int slot = 2 * dataset + (int) (number & 1);
        Pass pass = known.get(slot);
        if (pass == null || pass.number() != number) {
            pass = new Pass(number, passes.order(dataset, number));
            known.set(slot, pass);
        }
        return pass.order();
    }
}
