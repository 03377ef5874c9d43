package dev.penstock;

import dev.penstock.engine.Delivered;
import dev.penstock.engine.EpochPlan;
import dev.penstock.engine.SampleOrder;

/**
 * Which part of the global order this trainer gets: every {@code world}-th batch from batch {@code rank} on. Immutable
 * plain data. All ranks get the same number of batches, and together the whole global epoch, whatever the world size. A
 * plan that would leave a rank without a sample fails on every rank.
 *
 * @param rank this trainer, 0 … world - 1
 * @param world the number of trainers
 * @param ending what becomes of the samples that do not make a whole batch on every rank
 */
public record Shard(int rank, int world, Ending ending) {

    /** What becomes of the samples at the epoch's end that do not make a whole batch on every rank. */
    public enum Ending {
        /** The last batch is smaller. Only without shards. */
        KEEP,
        /** They are left out of this epoch and counted; another epoch's order has others at its end. */
        DROP,
        /** Filled up with samples from the epoch's start, flagged by {@link dev.penstock.data.Batch#isPadding}. */
        PAD
    }

    public Shard {
        StringBuilder wrong = new StringBuilder();
        if (world < 1) {
            wrong.append("; world was ").append(world).append(", must be at least 1");
        } else if (rank < 0 || rank >= world) {
            wrong.append("; rank was ").append(rank).append(", must be 0 to ").append(world - 1);
        }
        if (ending == Ending.KEEP && world > 1) {
            wrong.append("; ending was KEEP, must be DROP or PAD with more than one rank");
        }
        if (wrong.length() > 0) {
            throw new IllegalArgumentException("shard: " + wrong.substring(2));
        }
    }

    /** No shards: everything, the last batch smaller where the epoch's size asks for it. */
    public static Shard whole() {
        return new Shard(0, 1, Ending.KEEP);
    }

    /** Rank {@code rank} of {@code world}; nothing is lost, the last round is padded. A world of 1 is {@link #whole()}. */
    public static Shard of(int rank, int world) {
        return new Shard(rank, world, world == 1 ? Ending.KEEP : Ending.PAD);
    }

    /** The same part with another rule for the end. */
    public Shard ending(Ending rule) {
        return new Shard(rank, world, rule);
    }

    /** This rank's plan of one epoch, from a global position on. */
    EpochPlan plan(SampleOrder order, long substituteKey, int batchSize, long start) {
        return plan(order, substituteKey, batchSize, start, Delivered.NONE);
    }

    /** The same without rows that were delivered before a resume, since samples could overtake. */
    EpochPlan plan(SampleOrder order, long substituteKey, int batchSize, long start, Delivered done) {
        EpochPlan.Ending rule = switch (ending) {
            case KEEP -> EpochPlan.Ending.KEEP;
            case DROP -> EpochPlan.Ending.DROP;
            case PAD -> EpochPlan.Ending.PAD;
        };
        return new EpochPlan(order, substituteKey, batchSize, rank, world, rule, start, done);
    }
}
