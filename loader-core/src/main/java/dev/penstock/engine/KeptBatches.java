package dev.penstock.engine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The batches that the trainer retains, oldest first. Guarded by its owner, the slab pool. */
final class KeptBatches {
    /** Batches named one by one in a message. */
    private static final int NAMED = 8;

    private final Set<SlabBatch> batches = new LinkedHashSet<>();
    private int highWater;

    /** One more is kept. It may have ended meanwhile on another thread: it is then not taken in. */
    void add(SlabBatch batch) {
        if (batch.isRetained()) {
            batches.add(batch);
            highWater = Math.max(highWater, batches.size());
        }
    }

    void remove(SlabBatch batch) {
        batches.remove(batch);
    }

    int count() {
        return batches.size();
    }

    /** The most that were ever kept. */
    int highWater() {
        return highWater;
    }

    /** The oldest ones by name. */
    List<String> names() {
        return batches.stream().limit(NAMED).map(SlabBatch::toString).toList();
    }

    /** Count and names: {@code 3 (batch 0 of epoch 0, …)}. */
    String text() {
        int more = batches.size() - NAMED;
        return batches.isEmpty()
                ? "0"
                : batches.size() + " (" + String.join(", ", names()) + (more > 0 ? " and " + more + " more" : "") + ")";
    }

    /** Where the oldest ones were retained, for those that noted it. */
    List<Throwable> stacks() {
        List<Throwable> stacks = new ArrayList<>();
        for (SlabBatch batch : batches) {
            Throwable stack = batch.retainedAt();
            if (stack != null && stacks.size() < NAMED) {
                stacks.add(stack);
            }
        }
        return stacks;
    }
}
