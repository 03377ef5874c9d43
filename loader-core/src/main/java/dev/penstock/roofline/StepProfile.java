package dev.penstock.roofline;

import dev.penstock.probe.WaitSummary;
import dev.penstock.roofline.StepReport.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Times a training loop: data wait, copy to the device, compute, and the rest.
 *
 * <pre>{@code
 * StepProfile profile = StepProfile.builder().synchronize(device::synchronize).warmup(10).build();
 * for (Batch batch : profile.over(loader)) {
 *   var input = profile.hostToDevice(() -> device.upload(batch));
 *   profile.compute(() -> { trainer.step(input); return null; });
 * }
 * System.out.println(profile.report());
 * }</pre>
 *
 * <p>A step runs from one call of {@code next()} to the following one, so the phases of a step, {@link Phase#OTHER}
 * included, add up to it and the shares to 1.
 *
 * <p><b>What the figures can't say.</b> Accelerator kernels are asynchronous: without a synchronization hook a call
 * returns before its work is done and the time shows up in whatever blocks next, often the following copy or the data
 * wait. With the hook the attribution is right, and the loop loses what it had overlapped, so the profiled loop can be
 * slower than the bare one: profile to see where time goes, and take the throughput from a run without the hook.
 *
 * <p>One profile belongs to one training thread; {@link #report()} is called by it too.
 */
@SuppressWarnings("EnumOrdinal") // a step is an array with one slot a phase: no map for each step
public final class StepProfile {
    private final LongSupplier clock;
    private final LongSupplier gc;
    private final Runnable synchronize;
    private final int warmup;
    private final int tail;

    private final List<long[]> steps = new ArrayList<>(); // one slot for each phase, then the GC time
    private long @Nullable [] current;
    private long stepStart;
    private long gcAtStart;
    private long began;
    private long ended;
    private boolean started;
    private boolean requested;

    private StepProfile(Builder builder) {
        clock = builder.clock;
        gc = builder.gc;
        synchronize = builder.synchronize;
        warmup = builder.warmup;
        tail = builder.tail;
    }

    /** A builder with no synchronization hook, 10 steps of warm-up and a tail of 3. */
    public static Builder builder() {
        return new Builder();
    }

    /** The same elements, with the time in {@code next()} counted as data wait and steps cut at each call of it. */
    public <T> Iterable<T> over(Iterable<T> batches) {
        return () -> {
            if (!started) {
                started = true;
                began = clock.getAsLong();
            }
            return new Timed<>(batches.iterator());
        };
    }

    /** Runs and times the copy to the device. */
    public <T extends @Nullable Object> T hostToDevice(Callable<T> copy) throws Exception {
        return timed(Phase.HOST_TO_DEVICE, copy);
    }

    /** Runs and times the computation. */
    public <T extends @Nullable Object> T compute(Callable<T> work) throws Exception {
        return timed(Phase.COMPUTE, work);
    }

    private <T extends @Nullable Object> T timed(Phase phase, Callable<T> work) throws Exception {
        long from = clock.getAsLong();
        try {
            T result = work.call();
            synchronize.run();
            return result;
        } finally {
            if (current != null) {
                current[phase.ordinal()] += clock.getAsLong() - from;
            }
        }
    }

    /** What was measured so far, up to the last whole step. */
    public StepReport report() {
        int count = steps.size();
        int firstEnd = Math.min(1, count);
        int warmupEnd = Math.min(firstEnd + warmup, count);
        int tailStart = Math.max(warmupEnd, count - tail);
        return new StepReport(
                part(0, firstEnd),
                part(firstEnd, warmupEnd),
                part(warmupEnd, tailStart),
                part(tailStart, count),
                ended - began);
    }

    private Part part(int from, int to) {
        Map<Phase, Long> nanos = new EnumMap<>(Phase.class);
        long[] whole = new long[to - from];
        long pauses = 0;
        for (Phase phase : Phase.values()) {
            long sum = 0;
            for (int i = from; i < to; i++) {
                sum += steps.get(i)[phase.ordinal()];
                whole[i - from] += steps.get(i)[phase.ordinal()];
            }
            nanos.put(phase, sum);
        }
        for (int i = from; i < to; i++) {
            pauses += steps.get(i)[Phase.values().length];
        }
        return new Part(to - from, nanos, summary(whole), pauses);
    }

    private static WaitSummary summary(long[] values) {
        if (values.length == 0) {
            return WaitSummary.NONE;
        }
        Arrays.sort(values);
        return new WaitSummary(
                values.length,
                Arrays.stream(values).sum(),
                values[(values.length - 1) / 2],
                values[(int) Math.ceil(0.99 * values.length) - 1],
                values[values.length - 1]);
    }

    private void endStep(long now) {
        long[] step = current;
        if (step == null) {
            return;
        }
        long known = Arrays.stream(step).sum();
        step[Phase.OTHER.ordinal()] = Math.max(0, now - stepStart - known);
        step[Phase.values().length] = gc.getAsLong() - gcAtStart;
        steps.add(step);
        current = null;
        ended = now;
    }

    /** Ends the running step, if any, and begins the next with the request for its batch. */
    private void request() {
        if (requested) {
            return; // hasNext() before next(): the wait began there
        }
        requested = true;
        long now = clock.getAsLong();
        endStep(now);
        stepStart = now;
        gcAtStart = gc.getAsLong();
    }

    private final class Timed<T> implements Iterator<T> {
        private final Iterator<T> batches;

        Timed(Iterator<T> batches) {
            this.batches = batches;
        }

        @Override
        public boolean hasNext() {
            request();
            boolean more = batches.hasNext(); // a loader may block here as well as in next()
            if (!more) {
                requested = false;
                ended = clock.getAsLong();
            }
            return more;
        }

        @Override
        public T next() {
            request();
            T batch = batches.next();
            requested = false;
            long[] step = new long[Phase.values().length + 1];
            step[Phase.DATA_WAIT.ordinal()] = clock.getAsLong() - stepStart;
            current = step;
            return batch;
        }
    }

    /** Collects a profile's settings. Not thread-safe. */
    public static final class Builder {
        private LongSupplier clock = System::nanoTime;
        private LongSupplier gc = new GcPauses();
        private Runnable synchronize = () -> {};
        private int warmup = 10;
        private int tail = 3;

        private Builder() {}

        /** What blocks until the accelerator has finished its queue; called at the end of copy and compute. */
        public Builder synchronize(Runnable hook) {
            this.synchronize = hook;
            return this;
        }

        /** Steps after the first that are kept apart as warm-up. */
        public Builder warmup(int steps) {
            this.warmup = steps;
            return this;
        }

        /** Last steps that are kept apart: those whose batches were made when no new work competed. */
        public Builder tail(int steps) {
            this.tail = steps;
            return this;
        }

        /** The clock, in nanoseconds; for tests. */
        public Builder clock(LongSupplier nanos) {
            this.clock = nanos;
            return this;
        }

        /** Stop-the-world time so far, in nanoseconds; for tests. */
        Builder gcPauses(LongSupplier nanos) {
            this.gc = nanos;
            return this;
        }

        /**
         * The profile.
         *
         * @throws IllegalArgumentException naming every setting that is wrong
         */
        public StepProfile build() {
            List<String> wrong = new ArrayList<>();
            if (warmup < 0) {
                wrong.add("warmup was " + warmup + ", must be at least 0");
            }
            if (tail < 0) {
                wrong.add("tail was " + tail + ", must be at least 0");
            }
            if (!wrong.isEmpty()) {
                throw new IllegalArgumentException(String.join("; ", wrong));
            }
            return new StepProfile(this);
        }
    }
}
