package dev.penstock.bench;

import dev.penstock.data.Batch;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The loop that stands in for a trainer: takes batches and lets each take a given time, without touching a core, as an
 * accelerator's step does. Owned by one thread.
 */
final class TrainingLoop {
    private final long stepNanos;
    private final Progress progress;

    TrainingLoop(double stepMillis, Progress progress) {
        this.stepNanos = (long) (stepMillis * 1e6);
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
            step();
            after.accept(batch);
            progress.show(++taken, Math.min(most, expected));
        }
        progress.clear();
        return taken;
    }

    private void step() {
        long end = System.nanoTime() + stepNanos;
        for (long left = stepNanos; left > 0; left = end - System.nanoTime()) {
            if (left > TimeUnit.MICROSECONDS.toNanos(60)) {
                LockSupport.parkNanos(left - TimeUnit.MICROSECONDS.toNanos(50));
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
