package dev.penstock.roofline;

import dev.penstock.probe.ServiceTimes;
import dev.penstock.probe.ServiceTimes.BatchTimes;
import dev.penstock.probe.ServiceTimes.Piece;
import dev.penstock.probe.ServiceTimes.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/** Service times as a recorder would have them, in milliseconds; the waits are what the replay itself finds. */
final class PlantedTimes {
    double read = 0.1;
    double decode = 1;
    double collate = 0.1;
    double step = 1;
    int pieces = 4;
    double cpuShare = 0;
    IntToDoubleFunction jitter = batch -> 1;

    PipelineReplay replay(PipelineSettings settings) {
        ServiceTimes bare = times(0);
        double rate = new ReplayRun(bare, settings, Cores.alone(settings.cores()), Change.NONE, 0, 1, 1)
                .run()
                .batchesPerSecond();
        double wait = Math.max(0, 1e3 / rate - step);
        return PipelineReplay.of(times(wait), settings, 0);
    }

    ServiceTimes times(double waitMillis) {
        List<BatchTimes> batches = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            List<Piece> made = new ArrayList<>();
            for (int p = 0; p < pieces; p++) {
                made.add(new Piece(work(read, 0), work(decode * jitter.applyAsDouble(i), cpuShare), 1_000));
            }
            batches.add(new BatchTimes(0, i, made, work(collate, cpuShare), nanos(waitMillis), nanos(step)));
        }
        return new ServiceTimes(8, batches);
    }

    private static Work work(double millis, double cpuShare) {
        return new Work(nanos(millis), Math.round(1e6 * millis * cpuShare));
    }

    private static long nanos(double millis) {
        return Math.round(1e6 * millis);
    }
}
