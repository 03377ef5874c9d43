package dev.penstock.engine;

import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Opens batches in plan order, one at a time, whenever a slab is free, and deals their pieces out to the read workers in
 * that order. Runs from one epoch into the next without a stop. Thread-safe.
 *
 * <p>Opening a batch (plan, decode plan) is done by the read worker that finds nothing left to deal, outside the lock;
 * {@code opening} keeps it to one at a time, so batches are opened in order.
 *
 * <p>Waking a parked thread costs its waker tens of microseconds, and the trainer's thread must not pay that for every
 * batch that it gives back while finished ones wait. So a trainer that is ahead does not wake anybody: one idle worker,
 * the watch, looks for a free slab by itself, four times in the time that the trainer took between its last two batches.
 * A trainer that finds no batch ready calls {@link #wake} before it waits.
 */
final class Dispatcher {
    private static final long SHORTEST_WATCH_NANOS = 2_000_000;
    private static final long LONGEST_WATCH_NANOS = 5_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final SampleSource source;
    private final SlabPool slabs;
    private final EpochPlans plans;
    private final int epochs;
    private final Pipeline pipeline;
    private final @Nullable Overtaking overtaking;
    /** Slabs that are left for batches that are put together from several. */
    private final int spare;

    private final int[] allRows;

    /** Guarded by lock: pieces to deal out, in plan order; pieces to do again stand in front. */
    private final ArrayDeque<Piece> ready = new ArrayDeque<>();
    /** Guarded by lock: a worker is opening a batch. */
    private boolean opening;
    /** Guarded by lock: a worker looks for a free slab from time to time. */
    private boolean watched;
    /** A batch was finished. Set by any worker. */
    private volatile boolean finished;
    /** How long the watch sleeps. Written by the trainer's thread, read by the watch. */
    private volatile long watchNanos = SHORTEST_WATCH_NANOS;
    /** Guarded by lock. */
    private boolean closed;
    /** Guarded by lock: no batch is opened until the next iterator. */
    private boolean paused;
    /** Guarded by lock: the epoch of the batch to open next. */
    private int epoch;
    /** Guarded by lock: its number in the epoch. */
    private long number;
    /** Guarded by lock: its sequence number. */
    private long sequence;

    Dispatcher(
            SampleSource source,
            SlabPool slabs,
            Settings settings,
            @Nullable Overtaking overtaking,
            Pipeline pipeline) {
        this.overtaking = overtaking;
        this.spare = overtaking == null ? 0 : 1;
        this.source = source;
        this.slabs = slabs;
        this.plans = settings.plans();
        this.epoch = settings.firstEpoch();
        this.epochs = settings.epochs();
        this.pipeline = pipeline;
        allRows = new int[settings.batchSize()];
        for (int i = 0; i < allRows.length; i++) {
            allRows[i] = i;
        }
    }

    /** The next piece; waits for one. Null when closed or when {@code worker} is to stop. */
    @Nullable
    Piece next(Worker worker) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && !worker.stopped()) {
                Piece piece = ready.poll();
                if (piece != null) {
                    return piece;
                }
                boolean wanted = !opening && !paused && epoch < epochs;
                Slab slab = wanted && mayOpen() ? slabs.tryTake(spare) : null;
                if (slab != null) {
                    open(slab);
                } else if (wanted && !watched) {
                    watched = true;
                    try {
                        changed.awaitNanos(watchNanos);
                    } finally {
                        watched = false;
                    }
                } else {
                    changed.await();
                }
            }
            changed.signal(); // a signal may have come to this worker, which leaves
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Until the first batch is finished, another is opened only when a decoder has nothing to do: reading and decoding for
     * it, and making its memory, would take the cores from the first. The watch asks again.
     */
    private boolean mayOpen() {
        return finished || sequence == 0 || pipeline.decodeDepth() == 0;
    }

    /** A batch was finished. */
    void finished() {
        finished = true;
    }

    /** The trainer's step takes {@code stepNanos}: the watch looks four times in that time. Wakes nobody. */
    void pace(long stepNanos) {
        watchNanos = Math.max(SHORTEST_WATCH_NANOS, Math.min(stepNanos / 4, LONGEST_WATCH_NANOS));
    }

    /** Holds lock; lets go of it while the plan is made. */
    private void open(Slab slab) {
        opening = true;
        int openEpoch = epoch;
        long openNumber = number;
        long openSequence = sequence;
        lock.unlock();
        List<Piece> pieces = List.of();
        long batches = Long.MAX_VALUE;
        Throwable failure = null;
        try {
            EpochPlan plan = plans.of(openEpoch);
            batches = plan.cuts();
            pieces = pieces(plan, slab, openSequence, openEpoch, openNumber);
        } catch (Throwable e) {
            failure = e;
        } finally {
            lock.lock();
        }
        opening = false;
        if (failure != null) {
            pipeline.fatal(failure);
            slabs.release(slab);
            return;
        }
        if (sequence == openSequence) { // no restart came in between
            sequence++;
            number++;
            if (number >= batches) {
                number = 0;
                epoch++;
            }
        }
        ready.addAll(pieces);
        changed.signalAll();
    }

    private List<Piece> pieces(EpochPlan from, Slab slab, long openSequence, int openEpoch, long openNumber) {
        slab.start(from.fill(openNumber, slab.samples, slab.padding, slab.positions));
        BatchJob job = BatchJob.over(slab, openSequence, openEpoch, openNumber, from, pipeline.now());
        if (overtaking == null) {
            return pieces(job, allRows, slab.rows());
        }
        List<Piece> pieces = decodePieces(job, allRows, slab.rows());
        job.unread.set(pieces.size());
        overtaking.opened(job, pieces);
        return pieces;
    }

    /** The pieces of some rows of {@code job}; a job without any goes straight to collate. */
    private List<Piece> pieces(BatchJob job, int[] rows, int rowCount) {
        List<Piece> pieces = decodePieces(job, rows, rowCount);
        ReadRequest truth = source.truth(job.slab.samples, job.slab.rows());
        if (truth != null) {
            pieces.add(new Piece(job, truth, null, -1));
        }
        job.pieces.set(pieces.size());
        job.unread.set(pieces.size());
        if (pieces.isEmpty()) {
            pipeline.readyToCollate(job);
        }
        return pieces;
    }

    private List<Piece> decodePieces(BatchJob job, int[] rows, int rowCount) {
        if (rowCount == 0) {
            return new ArrayList<>();
        }
        List<? extends DecodeWork> work = source.plan(job.slab.samples, rows, rowCount);
        List<Piece> pieces = new ArrayList<>(work.size() + 1);
        for (int i = 0; i < work.size(); i++) {
            pieces.add(new Piece(job, work.get(i), work.get(i), i));
        }
        return pieces;
    }

    /** A batch whose rows are decoded: its truth is read before anything else, then it goes to collate. */
    void readTruth(BatchJob job) {
        ReadRequest truth = source.truth(job.slab.samples, job.slab.rows());
        if (truth == null) {
            job.decodedAt = pipeline.now();
            pipeline.readyToCollate(job);
            return;
        }
        job.pieces.set(1);
        again(List.of(new Piece(job, truth, null, -1)));
    }

    /** Deals out some rows of a batch that is under way once more, before all others. */
    void again(BatchJob job, int[] rows) {
        again(pieces(job, rows, rows.length));
    }

    /** Pieces of a batch that is under way, to be dealt out before all others. */
    void again(Collection<Piece> pieces) {
        lock.lock();
        try {
            pieces.forEach(ready::addFirst);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Goes on at the start of {@code nextEpoch}; returns the sequence number of its first batch. */
    long restart(int nextEpoch) {
        lock.lock();
        try {
            epoch = nextEpoch;
            number = 0;
            sequence += 1; // above a batch that is being opened right now
            changed.signalAll();
            return sequence;
        } finally {
            lock.unlock();
        }
    }

    /** Opens no batch until {@link #resume}. */
    void pause() {
        lock.lock();
        try {
            paused = true;
        } finally {
            lock.unlock();
        }
    }

    /** Goes on after {@link #pause}. */
    void resume() {
        lock.lock();
        try {
            paused = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A slab came free, or a worker is to look whether it must stop. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Pieces waiting to be read. */
    int depth() {
        lock.lock();
        try {
            return ready.size();
        } finally {
            lock.unlock();
        }
    }
}
