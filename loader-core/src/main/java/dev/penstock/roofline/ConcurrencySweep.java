package dev.penstock.roofline;

import dev.penstock.probe.StageStats;
import dev.penstock.roofline.Stretch.Length;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Turns one stage's threads up and down on a running pipeline and measures, at each number, what the pipeline makes
 * without a trainer and what the trainer gets.
 *
 * <p>Runs on the caller's thread, which is the training thread; afterwards the pipeline has the threads it had before.
 */
final class ConcurrencySweep {
    private final Pipeline pipeline;
    private final TrainerStep step;
    private final Length length;

    ConcurrencySweep(Pipeline pipeline, TrainerStep step, Length length) {
        this.pipeline = pipeline;
        this.step = step;
        this.length = length;
    }

    /** Sweeps the decode threads. */
    ConcurrencyReport decode(int... threads) throws Exception {
        int before = pipeline.settings().decodeThreads();
        try {
            return sweep("decode", pipeline::setDecodeConcurrency, threads);
        } finally {
            pipeline.setDecodeConcurrency(before);
        }
    }

    /** Sweeps the read threads. */
    ConcurrencyReport read(int... threads) throws Exception {
        int before = pipeline.settings().readThreads();
        try {
            return sweep("read", pipeline::setReadConcurrency, threads);
        } finally {
            pipeline.setReadConcurrency(before);
        }
    }

    private ConcurrencyReport sweep(String stage, IntConsumer set, int[] threads) throws Exception {
        int[] sorted = Arrays.stream(threads).distinct().sorted().toArray();
        List<ConcurrencyReport.Point> points = new ArrayList<>();
        for (int n : sorted) {
            set.accept(n);
            points.add(point(stage, n));
        }
        LockWatch watch = new LockWatch();
        watch.start();
        long watchedNanos = 0;
        Stretch watched = null;
        List<LockWait> locks;
        try {
            long from = System.nanoTime();
            watched = Stretch.measure(pipeline, TrainerStep.DRAIN, skip(), length, System::nanoTime);
            watchedNanos = System.nanoTime() - from;
        } finally {
            locks = watch.stop();
        }
        long waited = locks.stream().mapToLong(LockWait::nanos).sum();
        double busy =
                of(watched, stage).busyNanos() * (double) watchedNanos / watched.nanos(); // with the skipped batches
        return new ConcurrencyReport(stage, points, locks, busy == 0 ? 0 : Math.min(1, waited / busy));
    }

    private ConcurrencyReport.Point point(String stage, int threads) throws Exception {
        Stretch drained = Stretch.measure(pipeline, TrainerStep.DRAIN, skip(), length, System::nanoTime);
        Stretch training = Stretch.measure(pipeline, step, skip(), length, System::nanoTime);
        return new ConcurrencyReport.Point(
                threads,
                drained.batchesPerSecond(),
                training.batchesPerSecond(),
                training.waitShare(),
                drained.processCpu(),
                drained.machineCpu(),
                of(drained, stage).serviceSeconds());
    }

    /** Batches begun under the previous setting, which must not count. */
    private int skip() {
        return pipeline.settings().slabs() + 1;
    }

    private static StageStats of(Stretch stretch, String stage) {
        return stretch.stages().stream()
                .filter(stats -> stats.stage().equals(stage))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the pipeline has no stage " + stage));
    }
}
