package dev.penstock.bench;

import dev.penstock.data.Batch;
import java.util.Iterator;

/**
 * The loop that stands in for a trainer: takes batches and lets each take a given time, without touching a core, as an
 * accelerator's step does. Owned by one thread.
 */
final class TrainingLoop {
    private final SimulatedStep step;
    private final Progress progress;

    TrainingLoop(double stepMillis, Progress progress) {
        this.step = new SimulatedStep(stepMillis);
        this.progress = progress;
    }

    /** Told after each batch, while it is still held. */
    interface AfterBatch {
        void accept(Batch batch) throws java.io.IOException;
    }

    /**
     * Runs one epoch or {@code most} batches of it; returns the batches taken.
     *
     * @param expected batches that the epoch has, for the progress line
     */
    long run(Iterable<Batch> batches, long most, long expected, AfterBatch after) throws java.io.IOException {
        long taken = 0;
        Iterator<Batch> iterator = batches.iterator();
        while (taken < most && iterator.hasNext()) {
            Batch batch = iterator.next();
            step.run();
            after.accept(batch);
            progress.show(++taken, Math.min(most, expected));
        }
        progress.clear();
        return taken;
    }
}
