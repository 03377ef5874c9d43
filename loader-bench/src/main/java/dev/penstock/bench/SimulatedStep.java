package dev.penstock.bench;

import dev.penstock.data.Batch;
import dev.penstock.roofline.TrainerStep;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands in for a training step: takes a given time and, as an accelerator's step does, next to no core of this machine
 * (it spins for the last 50 microseconds, so that the time is kept). Looks at no pixel. Thread-safe.
 */
final class SimulatedStep implements TrainerStep {
    private static final long PARKED_LEAST = TimeUnit.MICROSECONDS.toNanos(60);
    private static final long SPUN = TimeUnit.MICROSECONDS.toNanos(50);

    private final long nanos;

    SimulatedStep(double millis) {
        nanos = Math.round(1e6 * millis);
    }

    @Override
    public void step(Batch batch) {
        run();
    }

    void run() {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            if (left > PARKED_LEAST) {
                LockSupport.parkNanos(left - SPUN);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
