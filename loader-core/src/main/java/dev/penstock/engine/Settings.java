package dev.penstock.engine;

import dev.penstock.probe.DataWaitProbe;
import dev.penstock.probe.WorkProbe;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a pipeline runs with: the loader's settings, checked, as the engine needs them. Immutable.
 *
 * @param batchSize rows of a full batch
 * @param readConcurrency read workers at the start
 * @param decodeConcurrency decode workers at the start
 * @param collateConcurrency collate workers
 * @param prefetch finished batches that may wait for the trainer
 * @param memory cap in bytes
 * @param nextTimeoutNanos longest wait of {@code next()}
 * @param closeTimeoutNanos longest wait of {@code close()}
 * @param plans the plan of each epoch, that of the first cut where a resumed loader goes on
 * @param firstEpoch epoch of the first iterator
 * @param firstNumber what its first batch is called: 0, or the number at which a resumed loader goes on
 * @param epochs the epoch at which nothing more is prepared
 * @param badSamples the bad-sample rule
 * @param retry of reads
 * @param sampleDeadlineNanos longest work on one piece, read and decode; 0: no limit
 * @param overtake rows that may be delivered behind one that was not; 0: strict order
 * @param composes whether batches are put together from decoded rows: samples may overtake, or did before a resume
 * @param trackLeaks whether retained batches note where they were retained
 * @param probe told of every wait
 * @param work told of every piece of work, at the start
 * @param clock nanoseconds
 * @param tuning limits of the tuning on line; null where it is off
 */
public record Settings(
        int batchSize,
        int readConcurrency,
        int decodeConcurrency,
        int collateConcurrency,
        int prefetch,
        long memory,
        long nextTimeoutNanos,
        long closeTimeoutNanos,
        EpochPlans plans,
        int firstEpoch,
        long firstNumber,
        int epochs,
        BadSampleRule badSamples,
        ReadRetry retry,
        long sampleDeadlineNanos,
        int overtake,
        boolean composes,
        boolean trackLeaks,
        DataWaitProbe probe,
        WorkProbe work,
        LongSupplier clock,
        Autotuner.@Nullable Limits tuning) {

    /** The largest number of slabs: finished ones, one with the trainer, and those in the making. */
    int slabs() {
        return prefetch + 1 + batchesInTheMaking() + (composes ? Overtaking.slabs(overtake, batchSize) : 0);
    }

    /** What a batch is called: its position in the whole epoch, also where a resumed loader begins in the middle. */
    long numberOf(BatchJob job) {
        return job.number + (job.epoch == firstEpoch ? firstNumber : 0);
    }

    /** Two: while the last pieces of one batch are decoded the next one's are read. */
    int batchesInTheMaking() {
        return 2;
    }

    /** What these settings need of memory. */
    public MemoryNeed need(dev.penstock.spi.SampleSource source) {
        return MemoryNeed.of(source, batchSize, decodeConcurrency, slabs() + (sampleDeadlineNanos > 0 ? 1 : 0));
    }
}
