package dev.penstock.roofline;

import dev.penstock.Loader;
import dev.penstock.data.Batch;
import dev.penstock.probe.DataWaitReport;
import dev.penstock.probe.ServiceRecorder;
import dev.penstock.probe.StageStats;
import dev.penstock.probe.WorkProbe;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A loader as an endless pipeline: epoch follows epoch, and the counters run on. Used by one thread at a time. */
final class LoaderPipeline implements Pipeline {
    private final Loader loader;
    private @Nullable Iterator<Batch> epoch;
    private @Nullable Counters earlierEpochs;
    private @Nullable ServiceRecorder recorder;
    private long deliveredAt;

    LoaderPipeline(Loader loader) {
        this.loader = loader;
    }

    int batchSize() {
        return loader.settings().batchSize();
    }

    @Override
    public Batch next() {
        long asked = System.nanoTime();
        Iterator<Batch> current = epoch;
        while (current == null || !current.hasNext()) {
            endEpoch();
            current = loader.iterator();
            epoch = current;
        }
        Batch batch = current.next();
        long now = System.nanoTime();
        ServiceRecorder told = recorder;
        if (told != null) {
            told.delivered(batch.epoch(), batch.number(), now - asked, deliveredAt == 0 ? 0 : asked - deliveredAt);
        }
        deliveredAt = now;
        return batch;
    }

    private void endEpoch() {
        if (epoch != null) {
            earlierEpochs = counters();
            epoch = null;
        }
    }

    @Override
    public Counters counters() {
        Counters before = earlierEpochs;
        if (epoch == null && before != null) {
            return before;
        }
        DataWaitReport report = loader.dataWait();
        Counters now = new Counters(report.stages(), report.awaited());
        return before == null ? now : now.plus(before);
    }

    @Override
    public Depths depths() {
        DataWaitReport report = loader.dataWait();
        List<StageStats> stages = report.stages();
        return new Depths(
                stages.get(0).queueDepth(),
                stages.get(1).queueDepth(),
                stages.get(2).queueDepth(),
                report.readyDepth());
    }

    @Override
    public void record(@Nullable ServiceRecorder wanted) {
        recorder = wanted;
        deliveredAt = 0;
        loader.setWorkProbe(wanted == null ? WorkProbe.NONE : wanted);
    }

    @Override
    public void idle() {
        endEpoch();
        loader.idle();
        deliveredAt = 0;
    }

    @Override
    public PipelineSettings settings() {
        return new PipelineSettings(
                loader.readConcurrency(),
                loader.decodeConcurrency(),
                loader.settings().collateConcurrency(),
                loader.settings().prefetch(),
                loader.batchesInMemory(),
                CpuMeter.cores());
    }

    @Override
    public void setDecodeConcurrency(int threads) {
        loader.setDecodeConcurrency(threads);
    }

    @Override
    public void setReadConcurrency(int threads) {
        loader.setReadConcurrency(threads);
    }
}
