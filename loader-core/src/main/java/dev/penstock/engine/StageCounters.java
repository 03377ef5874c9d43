package dev.penstock.engine;

import dev.penstock.probe.StageStats;
import java.util.concurrent.atomic.LongAdder;

/** What one stage has done since the loader was made. Written by its workers, read by reports; thread-safe. */
final class StageCounters {
    final String stage;
    final LongAdder items = new LongAdder();
    final LongAdder batches = new LongAdder();
    final LongAdder busyNanos = new LongAdder();
    final LongAdder takeWaitNanos = new LongAdder();
    final LongAdder putWaitNanos = new LongAdder();
    final LongAdder bytes = new LongAdder();

    StageCounters(String stage) {
        this.stage = stage;
    }

    StageStats snapshot(int threads, long cpuNanos, int depth, int capacity) {
        return new StageStats(
                stage,
                threads,
                items.sum(),
                batches.sum(),
                busyNanos.sum(),
                cpuNanos,
                takeWaitNanos.sum(),
                putWaitNanos.sum(),
                depth,
                capacity,
                bytes.sum());
    }

    /** {@code later} less {@code earlier}; depth, capacity and threads as they are later. */
    static StageStats between(StageStats earlier, StageStats later) {
        return new StageStats(
                later.stage(),
                later.threads(),
                later.items() - earlier.items(),
                later.batches() - earlier.batches(),
                later.busyNanos() - earlier.busyNanos(),
                later.cpuNanos() < 0 ? -1 : later.cpuNanos() - earlier.cpuNanos(),
                later.takeWaitNanos() - earlier.takeWaitNanos(),
                later.putWaitNanos() - earlier.putWaitNanos(),
                later.queueDepth(),
                later.queueCapacity(),
                later.bytes() - earlier.bytes());
    }
}
