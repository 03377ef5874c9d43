package dev.penstock.engine;

import dev.penstock.probe.WorkProbe;
import dev.penstock.spi.LoaderException;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleCollator;
import dev.penstock.spi.SampleException;
import dev.penstock.spi.SampleSource;

/**
 * The collate workers: gather the truth of a batch whose pixels stand, apply the bad-sample rule, and put the batch into
 * the order gate. A batch whose bad rows are substituted goes round once more, with just those rows.
 */
final class CollateStage {
    private final Pipeline pipeline;
    private final SampleSource source;
    private final StageQueue<BatchJob> queue;
    private final BadSampleLedger bad;
    final StageCounters counters = new StageCounters("collate");

    CollateStage(Pipeline pipeline, SampleSource source, StageQueue<BatchJob> queue, BadSampleLedger bad) {
        this.pipeline = pipeline;
        this.source = source;
        this.queue = queue;
        this.bad = bad;
    }

    void run(Worker worker) throws InterruptedException {
        try (SampleCollator collator = source.newCollator()) {
            while (true) {
                long asked = pipeline.now();
                BatchJob job = queue.take(worker);
                counters.takeWaitNanos.add(pipeline.now() - asked);
                if (job == null) {
                    return;
                }
                worker.begin(job);
                try {
                    collate(job, collator);
                } finally {
                    worker.end();
                }
            }
        }
    }

    private void collate(BatchJob job, SampleCollator collator) {
        if (pipeline.isStale(job)) {
            pipeline.finish(job);
            return;
        }
        long start = pipeline.now();
        long startCpu = pipeline.meter().cpuNow();
        if (job.slab.isStuck() && bad.rule() != BadSampleRule.Kind.FAIL && !pipeline.moveOut(job)) {
            job.failure = new LoaderException(
                    job + " can't be moved out of memory that a worker past sampleDeadline may still write to: no other"
                            + " is free. Raise memory(...)",
                    null);
            pipeline.finish(job);
            return;
        }
        if (!job.slab.anyFailed() || bad.keepsGoodRows()) {
            gather(job, collator);
        }
        boolean again = job.slab.anyFailed() && settleBadRows(job);
        counters.busyNanos.add(pipeline.now() - start);
        pipeline.meter()
                .worked(
                        WorkProbe.Stage.COLLATE,
                        job,
                        -1,
                        start,
                        startCpu,
                        job.slab.spec().denseBytesPerSample() * job.slab.rows());
        if (again) {
            return;
        }
        counters.items.increment();
        counters.batches.increment();
        counters.bytes.add(job.slab.spec().denseBytesPerSample() * job.slab.rows());
        job.collatedAt = pipeline.now();
        pipeline.finish(job);
    }

    private void gather(BatchJob job, SampleCollator collator) {
        Slab slab = job.slab;
        slab.rewindRagged();
        try {
            ReadRequest request = source.truth(slab.samples, slab.rows());
            collator.collate(slab.samples, slab.rows(), request, job.truth, slab);
        } catch (SampleException e) {
            failAll(slab, e);
        } catch (RuntimeException e) {
            failAll(slab, new SampleException("collating " + job + " failed with " + e, e));
        }
    }

    private static void failAll(Slab slab, SampleException why) {
        for (int row = 0; row < slab.rows(); row++) {
            slab.fail(row, why);
        }
    }

    /** Applies the rule; true when the batch goes round again. */
    private boolean settleBadRows(BatchJob job) {
        try {
            switch (bad.rule()) {
                case FAIL -> throw bad.failed(job);
                case SKIP -> {
                    bad.skip(job);
                    int planned = job.slab.samplesLeft();
                    job.slab.compact();
                    job.skipped = planned - job.slab.samplesLeft();
                    return false;
                }
                case SUBSTITUTE -> {
                    int[] rows = bad.substitute(job);
                    job.slab.clearFailures();
                    pipeline.again(job, rows);
                    return true;
                }
            }
            throw new IllegalStateException("unknown rule " + bad.rule());
        } catch (LoaderException e) {
            job.failure = e;
            return false;
        }
    }
}
