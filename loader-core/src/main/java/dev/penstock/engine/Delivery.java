package dev.penstock.engine;

import dev.penstock.data.Batch;
import dev.penstock.probe.DataWaitReport;
import dev.penstock.probe.SampleCounts;
import dev.penstock.probe.StageStats;
import dev.penstock.probe.WorkProbe;
import dev.penstock.spi.LoaderException;
import dev.penstock.spi.SampleSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's side of a pipeline: epochs as iterators, the borrowed batch, the waits, the counts, the position.
 *
 * <p>Iterators are used by one thread at a time, the trainer's. {@link #report}, {@link #position}, the concurrency
 * setters and {@link #close} may be called from any thread. A new iterator ends the one before it.
 */
public final class Delivery implements AutoCloseable {
    private final Settings settings;
    private final Pipeline pipeline;
    private final WaitLedger waits = new WaitLedger();
    private final @Nullable LiveTuning tuning;

    /** Guarded by this: the iterator in use, or the last one. */
    private @Nullable EpochRun run;
    /** Guarded by this: the epoch of the next iterator. */
    private int nextEpoch;
    /** Guarded by this. */
    private boolean started;
    /** Guarded by this: stage counters at the start of {@link #run}. */
    private List<StageStats> stagesAtStart = List.of();
    /** Guarded by this: retries at the start of {@link #run}. */
    private long retriesAtStart;
    /** Guarded by this. */
    private final StorageWatch storage;
    /** Read by next() on every batch; set by close. */
    private volatile boolean closed;

    /** The consumer's side of a new pipeline over {@code source}, which it closes in the end. */
    public Delivery(SampleSource source, Settings settings) {
        this.settings = settings;
        this.pipeline = new Pipeline(source, settings);
        this.storage = new StorageWatch(source);
        this.nextEpoch = settings.firstEpoch();
        this.tuning = settings.tuning() == null
                ? null
                : new LiveTuning(
                        new Autotuner(settings.tuning(), settings.readConcurrency(), settings.decodeConcurrency()),
                        pipeline,
                        source.decoderScratch(),
                        settings.probe());
    }

    /**
     * Where the trainer stands: what comes next.
     *
     * @param epoch from 0
     * @param position in the epoch's global order, what all ranks have delivered
     * @param epochSamples positions of that epoch
     * @param ahead where samples may overtake: this rank's rows that were delivered behind {@code position}
     */
    public record Position(int epoch, long position, long epochSamples, Delivered ahead) {}

    /** The next epoch. Leaves the present one where its iterator was not used up. */
    public synchronized Iterator<Batch> iterator() {
        requireOpen();
        leavePresent();
        if (nextEpoch >= settings.epochs()) {
            throw new IllegalStateException("the loader was built for " + settings.epochs()
                    + " epochs and they are over; raise epochs(n) or leave it out");
        }
        int epoch = nextEpoch++;
        EpochPlan plan = settings.plans().of(epoch);
        waits.reset(pipeline.now());
        stagesAtStart = pipeline.stages();
        retriesAtStart = pipeline.retries();
        storage.reset(pipeline.neededBytes(), pipeline.askedBytes());
        EpochRun next = new EpochRun(epoch, plan);
        run = next;
        if (!started) {
            started = true;
            pipeline.start();
        }
        pipeline.resume();
        settings.probe().epochStarted(epoch, plan.batches());
        return next;
    }

    /** Leaves the present epoch and prepares nothing until the next iterator: the cores are the trainer's alone. */
    public synchronized void idle() {
        requireOpen();
        leavePresent();
        pipeline.idle(nextEpoch);
    }

    /** How the present epoch went so far, or the last one. */
    public synchronized DataWaitReport report() {
        EpochRun current = run;
        List<StageStats> now = pipeline.stages();
        List<StageStats> stages = new ArrayList<>();
        for (int i = 0; i < now.size(); i++) {
            stages.add(stagesAtStart.isEmpty() ? now.get(i) : StageCounters.between(stagesAtStart.get(i), now.get(i)));
        }
        return new DataWaitReport(
                current == null ? settings.firstEpoch() : current.epoch,
                waits.batches(),
                waits.samples(),
                waits.firstNanos(),
                waits.steady(),
                waits.tail(),
                waits.waitNanos(),
                waits.stepNanos(),
                waits.wallNanos(),
                waits.awaited(),
                stages,
                current == null ? SampleCounts.NONE : current.counts(pipeline.retries() - retriesAtStart),
                storage.use(pipeline.neededBytes(), pipeline.askedBytes()),
                pipeline.memory(),
                pipeline.readyDepth(),
                settings.prefetch(),
                tuning == null ? List.of() : tuning.steps());
    }

    /** Where the trainer stands. */
    public synchronized Position position() {
        EpochRun current = run;
        int epoch = current == null ? settings.firstEpoch() : current.epoch;
        EpochPlan plan = current == null ? settings.plans().of(epoch) : current.plan;
        long delivered = current == null ? 0 : current.delivered;
        if (!settings.composes() || delivered >= plan.batches()) {
            long position = delivered >= plan.batches() ? plan.epochSamples() : plan.positionAfter(delivered);
            return new Position(epoch, position, plan.epochSamples(), Delivered.NONE);
        }
        Delivered done = current == null ? plan.done() : current.done;
        return new Position(epoch, plan.roundOf(done), plan.epochSamples(), plan.fromRound(done));
    }

    /** Changes the number of read workers. */
    public void setReadConcurrency(int threads) {
        pipeline.setReadConcurrency(threads);
    }

    /** Changes the number of decode workers. */
    public void setDecodeConcurrency(int threads) {
        pipeline.setDecodeConcurrency(threads);
    }

    /** Changes who is told of every piece of work. */
    public void setWorkProbe(WorkProbe probe) {
        pipeline.meter().tell(probe);
    }

    /** Batches in memory at most. */
    public int slabs() {
        return settings.slabs();
    }

    /** Read workers now. */
    public int readConcurrency() {
        return pipeline.readConcurrency();
    }

    /** Decode workers now. */
    public int decodeConcurrency() {
        return pipeline.decodeConcurrency();
    }

    /** Ends everything; see {@link Pipeline#close}. */
    @Override
    public void close() {
        closed = true;
        pipeline.close();
        synchronized (this) {
            leavePresent();
        }
        pipeline.reportKept();
    }

    /** Guarded by this. */
    private void leavePresent() {
        EpochRun current = run;
        if (current != null && !current.over) {
            current.leave();
            if (!closed) {
                pipeline.restartAt(nextEpoch);
            }
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new LoaderException("the loader is closed", null);
        }
    }

    /** One epoch. The trainer's thread uses it; fields that reports read are guarded by the delivery. */
    private final class EpochRun implements Iterator<Batch> {
        private final int epoch;
        private final EpochPlan plan;
        private final long batches;
        /** What the plan's first batch is called. */
        private final long firstNumber;

        private final long tailFrom;
        /** Guarded by Delivery.this for writing: batches of the plan that were delivered, empty ones too. */
        private long delivered;
        /** Guarded by Delivery.this: which rows those are, where samples may overtake. */
        private Delivered done;
        /** Guarded by Delivery.this: the sum of their numbers, to see that each came once. */
        private long rowSum;
        /** Guarded by Delivery.this: nothing more comes. */
        private boolean over;
        /** Guarded by Delivery.this: the trainer left before the end. */
        private boolean left;
        /** Guarded by Delivery.this. */
        private long plannedSeen;
        /** Guarded by Delivery.this. */
        private long early;
        /** Guarded by Delivery.this. */
        private long samples;
        /** Guarded by Delivery.this. */
        private long substituted;
        /** Guarded by Delivery.this. */
        private long skipped;
        /** Guarded by Delivery.this. */
        private long padding;
        /** The batch that is lent; trainer's thread, and the closer. Guarded by Delivery.this. */
        private @Nullable SlabBatch lent;
        /** A job that hasNext() had to fetch to know; trainer's thread only. */
        private @Nullable BatchJob peeked;
        /** When the call began that fetched {@link #peeked}. */
        private long askedAt;

        EpochRun(int epoch, EpochPlan plan) {
            this.epoch = epoch;
            this.plan = plan;
            this.batches = plan.batches();
            this.done = plan.done();
            this.firstNumber = epoch == settings.firstEpoch() ? settings.firstNumber() : 0;
            boolean last = epoch + 1 >= settings.epochs();
            this.tailFrom = last ? batches - settings.slabs() : Long.MAX_VALUE;
        }

        @Override
        public boolean hasNext() {
            if (over) {
                return false;
            }
            if (delivered >= batches) {
                finish();
                return false;
            }
            if (settings.badSamples().kind() == BadSampleRule.Kind.SKIP && peeked == null) {
                askedAt = pipeline.now();
                peeked = fetch();
                if (peeked == null) {
                    finish();
                    return false;
                }
            }
            return true;
        }

        @Override
        public Batch next() {
            if (over) {
                throw new NoSuchElementException(
                        closed ? "the loader is closed" : "epoch " + epoch + " is over, or a newer iterator was made");
            }
            long from = peeked == null ? pipeline.now() : askedAt;
            BatchJob job = peeked == null ? fetch() : peeked;
            peeked = null;
            if (job == null) {
                finish();
                throw new NoSuchElementException("epoch " + epoch + " has no further batch");
            }
            SlabBatch batch = lend(job);
            long now = pipeline.now();
            long wait = now - from;
            long step = waits.delivered(job, from, now, job.number >= tailFrom);
            pipeline.pace(step);
            settings.probe().delivered(epoch, firstNumber + job.number, wait, step);
            if (tuning != null && step > 0) {
                tuning.delivered(wait, step);
            }
            return batch;
        }

        /** The next batch that has a row; null at the end of the epoch. */
        private @Nullable BatchJob fetch() {
            takeBack();
            while (delivered < batches) {
                requireOpen();
                BatchJob job = pipeline.take();
                count(job);
                if (job.slab.rows() > 0) {
                    return job;
                }
                pipeline.recycle(job);
            }
            return null;
        }

        private void count(BatchJob job) {
            synchronized (Delivery.this) {
                delivered = job.number + 1;
                int rows = job.slab.rows();
                int padded = 0;
                for (int row = 0; row < rows; row++) {
                    padded += job.slab.padding[row] ? 1 : 0;
                }
                plannedSeen += job.planned;
                samples += rows - padded;
                padding += padded;
                substituted += job.substituted;
                skipped += job.skipped;
                early += job.early;
                rowSum += job.rowSum;
                if (job.done != null) {
                    done = job.done;
                }
            }
        }

        private SlabBatch lend(BatchJob job) {
            synchronized (Delivery.this) {
                requireOpen();
                pipeline.deliver(job);
                SlabBatch batch = new SlabBatch(job.slab, epoch, firstNumber + job.number, pipeline);
                lent = batch;
                return batch;
            }
        }

        private void takeBack() {
            SlabBatch batch;
            synchronized (Delivery.this) {
                batch = lent;
                lent = null;
            }
            if (batch != null) {
                batch.takeBack();
            }
        }

        private void finish() {
            synchronized (Delivery.this) {
                if (over) {
                    return;
                }
                over = true;
            }
            takeBack();
            SampleCounts counts = counts(0);
            if (!counts.balanced() || rowSum != plan.rowSum()) {
                throw new LoaderException(
                        "epoch " + epoch + " lost or repeated samples: " + counts + ", row sum " + rowSum + " of "
                                + plan.rowSum() + "; this is a fault of the loader, please report it",
                        null);
            }
            settings.probe().epochEnded(report());
        }

        /** Guarded by Delivery.this: the trainer left, or the loader closes. */
        private void leave() {
            over = true;
            left = true;
            BatchJob fetched = peeked;
            peeked = null;
            if (fetched != null && !closed) {
                pipeline.recycle(fetched);
            }
            takeBack();
            settings.probe().epochEnded(report());
        }

        /** At the epoch's end all is delivered or skipped; dropped is what the trainer left behind. */
        private SampleCounts counts(long retries) {
            synchronized (Delivery.this) {
                boolean ended = over || delivered >= batches;
                long planned = ended ? plan.plannedSamples() : plannedSeen;
                return new SampleCounts(
                        planned,
                        samples,
                        substituted,
                        skipped,
                        left ? planned - samples - skipped : 0,
                        padding,
                        retries,
                        early);
            }
        }
    }
}
