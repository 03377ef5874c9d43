package dev.penstock.arrow.artifact;

import java.util.concurrent.Semaphore;

/** Lets work begin while the bytes that it needs fit under a cap, in the order of asking. Thread-safe. */
final class ByteGate {
    private static final int UNIT = 64 << 10;

    private final long cap;
    private final Semaphore units;

    ByteGate(long cap) {
        this.cap = cap;
        this.units = new Semaphore(units(cap), true);
    }

    long cap() {
        return cap;
    }

    /** Waits for the bytes; they must not be more than the cap. */
    void acquire(long bytes) throws InterruptedException {
        units.acquire(Math.min(units(bytes), units(cap)));
    }

    void release(long bytes) {
        units.release(Math.min(units(bytes), units(cap)));
    }

    private static int units(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE / 2, Math.max(1, (bytes + UNIT - 1) / UNIT));
    }
}
