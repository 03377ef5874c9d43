package dev.penstock.engine;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The plan of each epoch: made when first asked for; the last two are kept, since the end of one epoch and the start of
 * the next are under way together. Thread-safe.
 */
public final class EpochPlans {
    private final IntFunction<EpochPlan> maker;
    /** Guarded by this: the epoch's number in {@link #plans}, by its lowest bit. */
    private final int[] epochs = {-1, -1};
    /** Guarded by this. */
    private final @Nullable EpochPlan[] plans = new @Nullable EpochPlan[2];

    /** Plans made by a pure function of the epoch. */
    public EpochPlans(IntFunction<EpochPlan> maker) {
        this.maker = maker;
    }

    /**
     * The plan of {@code epoch}.
     *
     * @throws IllegalArgumentException when the epoch would leave a rank without data
     */
    public synchronized EpochPlan of(int epoch) {
        int slot = epoch & 1;
        EpochPlan plan = plans[slot];
        if (plan == null || epochs[slot] != epoch) {
            plan = maker.apply(epoch);
            plans[slot] = plan;
            epochs[slot] = epoch;
        }
        return plan;
    }
}
