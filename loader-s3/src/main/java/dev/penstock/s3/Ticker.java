package dev.penstock.s3;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Time, as the request loop sees it: tests put a clock of their own here and no test sleeps. Thread-safe. */
interface Ticker {

    /** Nanoseconds since some fixed instant. */
    long nanoTime();

    /** The next event, or null when none came within {@code nanos}. */
    <E> @Nullable E poll(BlockingQueue<E> events, long nanos) throws InterruptedException;

    /** The machine's clock. */
    Ticker SYSTEM = new Ticker() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public <E> @Nullable E poll(BlockingQueue<E> events, long nanos) throws InterruptedException {
            return events.poll(nanos, TimeUnit.NANOSECONDS);
        }
    };
}
