package dev.penstock.engine;

import dev.penstock.probe.DataWaitProbe;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

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
 * @param probe told of every wait
 * @param clock nanoseconds
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
        IntFunction<EpochPlan> plans,
        int firstEpoch,
        long firstNumber,
        int epochs,
        BadSampleRule badSamples,
        ReadRetry retry,
        DataWaitProbe probe,
        LongSupplier clock) {

    /** The largest number of slabs: finished ones, one with the trainer, and those in the making. */
    int slabs() {
        return prefetch + 1 + batchesInTheMaking();
    }

    /** Two: while the last pieces of one batch are decoded the next one's are read. */
    int batchesInTheMaking() {
        return 2;
    }

    /** What these settings need of memory. */
    public MemoryNeed need(dev.penstock.spi.SampleSource source) {
        return MemoryNeed.of(source, batchSize, decodeConcurrency, slabs());
    }
}
