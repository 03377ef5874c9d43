package dev.penstock.engine;

import dev.penstock.probe.MemoryUse;
import dev.penstock.probe.StageStats;
import dev.penstock.spi.LoaderException;
import dev.penstock.spi.SampleSource;
import dev.penstock.spi.StallException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of one loader: source → read → decode → collate → order gate, from its start to {@link #close()}.
 *
 * <p>One consumer calls {@link #take}; everything else runs on named daemon threads. Normal end: the dispatcher runs out
 * of epochs and the workers wait. Failure of a sample: its batch carries it to the consumer, in its place. Failure of a
 * stage ({@link #fatal}): every later take throws it. The consumer walks away: {@link #restartAt} makes all that is under
 * way stale; stale batches give their memory back wherever they are.
 *
 * <p>How it ends stands in {@link Lifecycle}.
 */
final class Pipeline implements SlabBatch.Owner, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

    private final Settings settings;
    private final SampleSource source;
    private final WorkMeter meter;
    private final MemoryBudget budget;
    private final SlabPool slabs;
    private final ReadBuffers buffers;
    /** Puts batches together where samples may overtake; null in strict order. */
    private final @Nullable Overtaking overtaking;

    private final Dispatcher dispatcher;
    private final StageQueue<Piece> decodeQueue;
    private final StageQueue<BatchJob> collateQueue;
    private final OrderGate gate;
    private final ReadStage read;
    private final DecodeStage decode;
    private final CollateStage collate;
    private final WorkerPool readers;
    private final WorkerPool decoders;
    private final WorkerPool collators;

    /** Gives up what takes too long; null where there is no deadline. */
    private final @Nullable DeadlineWatch deadline;

    private final Lifecycle life = new Lifecycle(this::stopDelivering, this::letGo);
    /** Batches of a lower sequence are stale. Written by the consumer in {@link #restartAt}. */
    private volatile long floor;
    /** The consumer's: it has taken a batch. */
    private boolean tookFirst;

    /** Makes the pipeline; no thread runs before {@link #start}. */
    Pipeline(SampleSource source, Settings settings) {
        this.source = source;
        this.settings = settings;
        meter = new WorkMeter(settings);
        budget = new MemoryBudget(settings.memory());
        slabs = new SlabPool(source.spec(), settings.batchSize(), settings.slabs(), budget);
        buffers = new ReadBuffers(budget);
        overtaking =
                settings.composes() ? new Overtaking(settings.overtake(), settings.batchSize(), slabs, this) : null;
        dispatcher = new Dispatcher(source, slabs, settings, overtaking, this);
        decodeQueue =
                new StageQueue<>(Math.max(4, 4 * Math.max(settings.readConcurrency(), settings.decodeConcurrency())));
        collateQueue = new StageQueue<>(settings.slabs() + 1);
        gate = new OrderGate(settings.slabs() + 1);
        read = new ReadStage(this, dispatcher, buffers, decodeQueue, settings.retry());
        decode = new DecodeStage(this, source, decodeQueue);
        BadSampleLedger bad = new BadSampleLedger(settings.badSamples(), source);
        collate = new CollateStage(this, source, collateQueue, bad);
        deadline = settings.sampleDeadlineNanos() == 0
                ? null
                : new DeadlineWatch(settings.sampleDeadlineNanos(), life, this);
        readers = new WorkerPool("read", read::run, this::wakeReaders, life);
        decoders = new WorkerPool("decode", decode::run, decodeQueue::wake, life);
        collators = new WorkerPool("collate", collate::run, collateQueue::wake, life);
    }

    /** Starts the threads. */
    void start() {
        setReadConcurrency(settings.readConcurrency());
        setDecodeConcurrency(settings.decodeConcurrency());
        collators.resize(settings.collateConcurrency());
        if (deadline != null) {
            deadline.start();
        }
    }

    /** Changes the number of read workers while running. */
    void setReadConcurrency(int threadCount) {
        readers.resize(threadCount);
    }

    /** Changes the number of decode workers while running; each holds a decoder with its scratch. */
    void setDecodeConcurrency(int threadCount) {
        int before = decoders.size();
        budget.add(MemoryBudget.Use.DECODERS, (threadCount - before) * source.decoderScratch());
        decoders.resize(threadCount);
    }

    /** Read workers now. */
    int readConcurrency() {
        return readers.size();
    }

    /** Decode workers now. */
    int decodeConcurrency() {
        return decoders.size();
    }

    /**
     * The next batch in plan order, waiting for it. Called by one thread at a time.
     *
     * @throws LoaderException when the batch can't be had, the pipeline broke or was closed
     * @throws StallException when it did not come in time
     */
    BatchJob take() {
        BatchJob job = gate.poll();
        if (job == null) {
            dispatcher.wake(); // the slab that came back last, see freed()
            if (overtaking != null) {
                overtaking.want();
            }
            if (!tookFirst) {
                slabs.makeFirst();
            }
            job = await();
        }
        tookFirst = true;
        Throwable why = job.failure;
        if (why != null) {
            recycle(job);
            throw why instanceof LoaderException e ? rethrown(e) : broken(why);
        }
        return job;
    }

    private BatchJob await() {
        try {
            BatchJob job = gate.take(settings.nextTimeoutNanos());
            if (job != null) {
                return job;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoaderException("the trainer's thread was interrupted while it waited for a batch", e);
        }
        Throwable why = life.failure();
        if (why != null) {
            throw why instanceof LoaderException e ? rethrown(e) : broken(why);
        }
        if (life.isClosed()) {
            throw new LoaderException("the loader was closed while next() waited", null);
        }
        throw new StallException(stallMessage());
    }

    /** A failure found on a worker, thrown on the trainer's thread with both stacks. */
    private static LoaderException rethrown(LoaderException e) {
        return new LoaderException(String.valueOf(e.getMessage()), e.sample(), e);
    }

    private static LoaderException broken(Throwable why) {
        return new LoaderException("the loader broke: " + why + "; close it and see the cause", why);
    }

    private String stallMessage() {
        String queues = "to read " + dispatcher.depth() + ", to decode " + decodeQueue.size() + '/'
                + decodeQueue.capacity() + ", to collate " + collateQueue.size() + '/' + collateQueue.capacity()
                + ", finished and out of turn " + gate.held();
        return StallText.of(settings.nextTimeoutNanos(), queues, slabs.keptText(), pools());
    }

    private List<WorkerPool> pools() {
        return List.of(readers, decoders, collators);
    }

    /** Leaves the present epoch: all that is under way becomes stale, and {@code epoch} starts. Consumer only. */
    void restartAt(int epoch) {
        long first =
                overtaking == null ? dispatcher.restart(epoch) : overtaking.restart(() -> dispatcher.restart(epoch));
        floor = first;
        gate.skipTo(first, this::recycle);
    }

    /** Prepares nothing until {@link #resume}; what is under way becomes stale. */
    void idle(int nextEpoch) {
        dispatcher.pause();
        restartAt(nextEpoch);
    }

    /** Prepares batches again. */
    void resume() {
        dispatcher.resume();
    }

    boolean isStale(BatchJob job) {
        return job.sequence < floor || life.isClosed();
    }

    /** A piece is done, well or not; the last one sends its job on. */
    void pieceDone(Piece piece) {
        BatchJob job = piece.job;
        Overtaking.Cut cut = job.cut;
        if (cut != null && overtaking != null) {
            overtaking.pieceDone(piece, cut);
        } else if (job.pieces.decrementAndGet() == 0) {
            job.decodedAt = now();
            decode.counters.batches.increment();
            readyToCollate(job);
        }
    }

    /** A batch was put together from decoded rows: what is missing is its truth. */
    void composed(BatchJob job) {
        dispatcher.readTruth(job);
    }

    void readyToCollate(BatchJob job) {
        collateQueue.putNow(job);
    }

    /** Rows of a batch under way hold other samples now: they are read and decoded again. */
    void again(BatchJob job, int[] rows) {
        dispatcher.again(job, rows);
    }

    /** The job is finished, well or not: it waits for its turn, or its memory goes back when nobody wants it. */
    void finish(BatchJob job) {
        dispatcher.finished();
        if (!gate.put(job)) {
            recycle(job);
        }
    }

    /** The job's slab may be used again. */
    void recycle(BatchJob job) {
        recycle(job.slab);
    }

    private void recycle(Slab slab) {
        handBack(slab);
        slabFreed();
    }

    /** A slab may be used again. */
    void handBack(Slab slab) {
        slabs.release(slab);
        dispatcher.wake();
    }

    private void slabFreed() {
        if (overtaking != null) {
            overtaking.slabFreed();
        }
    }

    /** The job's slab goes to the trainer. */
    void deliver(BatchJob job) {
        slabs.deliver(job.slab);
    }

    @Override
    public void giveBack(Slab slab) {
        slabs.release(slab);
        freed();
    }

    @Override
    public void keepOut(SlabBatch batch) {
        slabs.keepOut(batch);
        freed();
    }

    @Override
    public void comeBack(SlabBatch batch) {
        slabs.comeBack(batch);
        freed();
    }

    @Override
    public boolean tracksLeaks() {
        return settings.trackLeaks();
    }

    /** The trainer let go of a slab. While it has finished batches to go on with, the dispatcher's watch finds it. */
    private void freed() {
        if (gate.held() == 0) {
            dispatcher.wake();
            slabFreed();
        }
    }

    /** The trainer's last step took {@code stepNanos}. */
    void pace(long stepNanos) {
        dispatcher.pace(stepNanos);
    }

    /** Pools whose workers the deadline holds for. */
    List<WorkerPool> watchedPools() {
        return List.of(readers, decoders);
    }

    /** Deadline watch: ends the piece that {@code worker} is late with, as bad, and puts another worker in its place. */
    void giveUp(Worker worker, WorkerPool pool) {
        Piece piece = worker.giveUp(late -> {
            if (pool == decoders || late.work == null) {
                late.pinned = late.job.slab;
                slabs.pin(late.job.slab);
            }
        });
        if (piece == null || deadline == null) {
            return;
        }
        LOG.debug("{} gives up {}", worker.name(), piece);
        piece.fail(deadline.late(piece, pool.stage()));
        if (pool == decoders) {
            budget.add(MemoryBudget.Use.DECODERS, source.decoderScratch());
        } else {
            read.wasRead(piece.job);
        }
        pool.replace(worker);
        pieceDone(piece);
    }

    /** A worker came back from a piece that was given up: what it could write to may be used again. */
    void returned(Piece piece) {
        release(piece);
        Slab pinned = piece.pinned;
        if (pinned != null) {
            slabs.unpin(pinned);
            dispatcher.wake();
            slabFreed();
        }
    }

    /** The same of a decode worker, whose decoder ends with it. */
    void returnedDecoder(Piece piece) {
        budget.remove(MemoryBudget.Use.DECODERS, source.decoderScratch());
        returned(piece);
    }

    /** Moves the rows of {@code job} into memory that no stuck worker writes to; false when there is none. */
    boolean moveOut(BatchJob job) {
        Slab old = job.slab;
        Slab fresh = slabs.tryExchange();
        if (fresh == null) {
            return false;
        }
        fresh.start(old.rows());
        for (int row = 0; row < old.rows(); row++) {
            fresh.take(old, row, row);
        }
        if (job.truth != null) {
            fresh.swapTruth(old);
        }
        job.slab = fresh;
        slabs.release(old);
        return true;
    }

    void release(Piece piece) {
        ReadBuffers.Lease lease = piece.lease;
        if (lease != null) {
            piece.lease = null;
            buffers.release(lease);
        }
    }

    /** A stage broke: the consumer is told at its next take; nothing more is made. */
    void fatal(Throwable why) {
        life.fail(why);
    }

    private void stopDelivering() {
        gate.end();
    }

    long now() {
        return settings.clock().getAsLong();
    }

    /** What tells of every piece of work. */
    WorkMeter meter() {
        return meter;
    }

    /** Waits between two tries; ends early when the pipeline closes. */
    void pause(long nanos) throws InterruptedException {
        life.pause(nanos);
    }

    /** Pieces that wait for a decoder. */
    int decodeDepth() {
        return decodeQueue.size();
    }

    boolean isClosed() {
        return life.isClosed();
    }

    List<StageStats> stages() {
        return List.of(
                read.counters.snapshot(readers.size(), readers.cpuNanos(), dispatcher.depth(), settings.slabs()),
                decode.counters.snapshot(
                        decoders.size(), decoders.cpuNanos(), decodeQueue.size(), decodeQueue.capacity()),
                collate.counters.snapshot(
                        collators.size(), collators.cpuNanos(), collateQueue.size(), collateQueue.capacity()));
    }

    MemoryUse memory() {
        return slabs.memory();
    }

    long retries() {
        return read.retries.sum();
    }

    /** Bytes read that are used. */
    long neededBytes() {
        return read.needed.sum();
    }

    /** Bytes read. */
    long askedBytes() {
        return read.counters.bytes.sum();
    }

    int readyDepth() {
        return gate.held();
    }

    private void wakeReaders() {
        dispatcher.wake();
        buffers.wake();
    }

    /**
     * Ends all threads and frees all memory. Idempotent, from any thread. A worker that does not end within the deadline
     * (a source that ignores interrupts) is named in a warning; it is a daemon, and frees the memory when it ends.
     */
    @Override
    public void close() {
        life.close();
        gate.end();
        dispatcher.close();
        decodeQueue.close();
        collateQueue.close();
        pools().forEach(WorkerPool::close);
        buffers.wake();
        if (!life.awaitThreads(settings.closeTimeoutNanos(), () -> pools().forEach(WorkerPool::interrupt))) {
            LOG.warn(
                    "close() left after its deadline; still running, memory kept until they end: {}",
                    StallText.workers(pools()));
        }
        life.releaseIfLast();
    }

    private void letGo() {
        slabs.close();
        buffers.close();
        source.close();
    }

    /** Says which batches the trainer still keeps. */
    void reportKept() {
        slabs.reportKept();
    }
}
