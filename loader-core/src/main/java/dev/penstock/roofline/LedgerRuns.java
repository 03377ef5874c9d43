package dev.penstock.roofline;

import dev.penstock.data.Batch;
import dev.penstock.roofline.Stretch.Length;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the runs of a {@link StallLedger}: trainer alone, trainer beside a loader whose output is dropped, trainer on the
 * loader, and the same with cold data. In rounds, best in turn. Runs on the training thread; the second run has a thread
 * of its own that takes from the pipeline, and ends with it.
 */
final class LedgerRuns {
    private final Pipeline pipeline;
    private final Iterator<Batch> replayed;
    private final TrainerStep step;
    private final Length length;
    private final @Nullable Runnable cool;

    LedgerRuns(Pipeline pipeline, Iterator<Batch> replayed, TrainerStep step, Length length, @Nullable Runnable cool) {
        this.pipeline = pipeline;
        this.replayed = replayed;
        this.step = step;
        this.length = length;
        this.cool = cool;
    }

    StallLedger measure(int rounds, long seed) throws Exception {
        List<List<long[]>> runs = new ArrayList<>();
        for (int run = 0; run < (cool == null ? 3 : 4); run++) {
            runs.add(new ArrayList<>());
        }
        for (int round = 0; round < rounds; round++) {
            runs.get(0).add(alone());
            runs.get(1).add(beside());
            runs.get(2).add(real());
            if (cool != null) {
                cool.run();
                runs.get(3).add(real());
            }
        }
        return StallLedger.of(runs, seed);
    }

    /** A. */
    private long[] alone() throws Exception {
        pipeline.idle();
        return steps(() -> {});
    }

    /** B: for each step that begins, one batch is taken from the loader and dropped. */
    private long[] beside() throws Exception {
        Semaphore pace = new Semaphore(0);
        Drain drain = new Drain(pace);
        Thread thread = new Thread(drain, "penstock-ledger-drain");
        thread.setDaemon(true);
        thread.start();
        long[] taken;
        try {
            taken = steps(pace::release);
        } finally {
            drain.over = true;
            thread.join();
        }
        Throwable failure = drain.failure;
        if (failure != null) {
            throw new IllegalStateException("the loader failed while the trainer ran beside it", failure);
        }
        return taken;
    }

    /** C and D. */
    private long[] real() throws Exception {
        return Stretch.measure(pipeline, step, pipeline.settings().slabs() + 1, length, System::nanoTime)
                .steps();
    }

    private long[] steps(Runnable beforeEach) throws Exception {
        int skip = pipeline.settings().slabs() + 1;
        for (int i = 0; i < skip; i++) {
            beforeEach.run();
            step.step(replayed.next());
        }
        long[] taken = new long[64];
        int count = 0;
        long start = System.nanoTime();
        long at = start;
        while (count < length.mostBatches() && (count < length.leastBatches() || at - start < length.leastNanos())) {
            beforeEach.run();
            step.step(replayed.next());
            long end = System.nanoTime();
            if (count == taken.length) {
                taken = Arrays.copyOf(taken, 2 * count);
            }
            taken[count++] = end - at;
            at = end;
        }
        return Arrays.copyOf(taken, count);
    }

    /** Takes one batch for each permit, until told that the run is over. */
    private final class Drain implements Runnable {
        private final Semaphore pace;

        /** Set by the training thread when the run is over, read by the drain between two batches. */
        volatile boolean over;

        /** Written by the drain, read after it was joined. */
        @Nullable
        Throwable failure;

        Drain(Semaphore pace) {
            this.pace = pace;
        }

        @Override
        public void run() {
            try {
                while (!over) {
                    if (pace.tryAcquire(20, TimeUnit.MILLISECONDS)) {
                        pipeline.next();
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
    }
}
