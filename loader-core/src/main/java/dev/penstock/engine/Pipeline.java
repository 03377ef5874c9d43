package dev.penstock.engine;

import dev.penstock.probe.MemoryUse;
import dev.penstock.probe.StageStats;
import dev.penstock.probe.WorkProbe;
import dev.penstock.spi.LoaderException;
import dev.penstock.spi.SampleSource;
import dev.penstock.spi.StallException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
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
 * <p>Memory is freed by whoever is last: the closer, or a worker thread that outlived the close deadline (stuck in a
 * source that ignores interrupts), since freeing under a thread that still writes would crash the JVM.
 */
final class Pipeline implements SlabBatch.Owner, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);

    private final Settings settings;
    private final SampleSource source;
    private final MemoryBudget budget;
    private final SlabPool slabs;
    private final ReadBuffers buffers;
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

    private final ReentrantLock lifecycle = new ReentrantLock();
    private final Condition threadEnded = lifecycle.newCondition();
    /** Guarded by lifecycle: worker threads that have not ended. */
    private int threads;
    /** Guarded by lifecycle: memory and source were let go. */
    private boolean released;
    /** Guarded by lifecycle for writing; read without it. */
    private volatile boolean closed;
    /** The first failure of a whole stage; written once under lifecycle. */
    private volatile @Nullable Throwable failure;
    /** Told of every piece of work; replaced by {@link #setWorkProbe}, or by NONE when it throws. */
    private volatile WorkProbe work;
    /** Batches of a lower sequence are stale. Written by the consumer in {@link #restartAt}. */
    private volatile long floor;

    /** Makes the pipeline; no thread runs before {@link #start}. */
    Pipeline(SampleSource source, Settings settings) {
        this.source = source;
        this.settings = settings;
        work = settings.work();
        budget = new MemoryBudget(settings.memory());
        slabs = new SlabPool(source.spec(), settings.batchSize(), settings.slabs(), budget);
        buffers = new ReadBuffers(budget);
        dispatcher = new Dispatcher(source, slabs, settings, this);
        decodeQueue =
                new StageQueue<>(Math.max(4, 4 * Math.max(settings.readConcurrency(), settings.decodeConcurrency())));
        collateQueue = new StageQueue<>(settings.slabs() + 1);
        gate = new OrderGate(settings.slabs() + 1);
        read = new ReadStage(this, dispatcher, buffers, decodeQueue, settings.retry());
        decode = new DecodeStage(this, source, decodeQueue);
        BadSampleLedger bad = new BadSampleLedger(settings.badSamples(), source);
        collate = new CollateStage(this, source, collateQueue, bad);
        readers = new WorkerPool("read", read::run, this::wakeReaders, this);
        decoders = new WorkerPool("decode", decode::run, decodeQueue::wake, this);
        collators = new WorkerPool("collate", collate::run, collateQueue::wake, this);
    }

    /** Starts the threads. */
    void start() {
        setReadConcurrency(settings.readConcurrency());
        setDecodeConcurrency(settings.decodeConcurrency());
        collators.resize(settings.collateConcurrency());
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
            job = await();
        }
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
        Throwable why = failure;
        if (why != null) {
            throw why instanceof LoaderException e ? rethrown(e) : broken(why);
        }
        if (closed) {
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
        StringBuilder text = new StringBuilder();
        text.append("no batch for ")
                .append(TimeUnit.NANOSECONDS.toMillis(settings.nextTimeoutNanos()))
                .append(" ms (nextTimeout). ");
        text.append("Queues: to read ").append(dispatcher.depth());
        text.append(", to decode ").append(decodeQueue.size()).append('/').append(decodeQueue.capacity());
        text.append(", to collate ").append(collateQueue.size()).append('/').append(collateQueue.capacity());
        text.append(", finished and out of turn ").append(gate.held());
        text.append("; batches retained by the trainer ")
                .append(slabs.retained())
                .append(". Workers: ");
        text.append(String.join("; ", describeWorkers()));
        text.append(
                ". A worker that is long on one piece has a blocked source or a damaged clip; idle workers with retained"
                        + " batches mean that the trainer keeps too many");
        for (WorkerPool pool : List.of(readers, decoders, collators)) {
            for (Thread thread : pool.threads()) {
                text.append('\n').append(thread.getName());
                for (StackTraceElement frame : thread.getStackTrace()) {
                    text.append("\n    at ").append(frame);
                }
            }
        }
        return text.toString();
    }

    private List<String> describeWorkers() {
        return java.util.stream.Stream.of(readers, decoders, collators)
                .flatMap(pool -> pool.describe().stream())
                .toList();
    }

    /** Leaves the present epoch: all that is under way becomes stale, and {@code epoch} starts. Consumer only. */
    void restartAt(int epoch) {
        long first = dispatcher.restart(epoch);
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
        return job.sequence < floor || closed;
    }

    /** One piece of {@code job} is done, well or not; the last one sends the job on. */
    void pieceDone(BatchJob job) throws InterruptedException {
        if (job.pieces.decrementAndGet() == 0) {
            job.decodedAt = now();
            decode.counters.batches.increment();
            readyToCollate(job);
        }
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
        if (!gate.put(job)) {
            recycle(job);
        }
    }

    /** The job's slab may be used again. */
    void recycle(BatchJob job) {
        slabs.release(job.slab);
        dispatcher.wake();
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
    public void keepOut(Slab slab) {
        slabs.keepOut();
        freed();
    }

    @Override
    public void comeBack(Slab slab) {
        slabs.comeBack(slab);
        freed();
    }

    /** The trainer let go of a slab. While it has finished batches to go on with, the dispatcher's watch finds it. */
    private void freed() {
        if (gate.held() == 0) {
            dispatcher.wake();
        }
    }

    /** The trainer's last step took {@code stepNanos}. */
    void pace(long stepNanos) {
        dispatcher.pace(stepNanos);
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
        lifecycle.lock();
        try {
            if (failure == null) {
                failure = why;
            } else if (failure != why) {
                LOG.debug("a further failure after the first", why);
            }
        } finally {
            lifecycle.unlock();
        }
        gate.end();
    }

    long now() {
        return settings.clock().getAsLong();
    }

    /** Tells {@code probe} of every piece of work that ends from now on, and nobody else. */
    void setWorkProbe(WorkProbe probe) {
        work = probe;
    }

    /** CPU time of this thread, for {@link #worked}; 0, at no cost, while nobody asks. */
    long cpuNow() {
        return work == WorkProbe.NONE ? 0 : WorkerPool.currentCpuNanos();
    }

    /** A worker did a piece of work. */
    void worked(WorkProbe.Stage stage, BatchJob job, int piece, long start, long startCpu, long bytes) {
        WorkProbe told = work;
        if (told == WorkProbe.NONE) {
            return;
        }
        long cpu = WorkerPool.currentCpuNanos();
        try {
            told.worked(
                    stage,
                    job.epoch,
                    settings.numberOf(job),
                    piece,
                    start,
                    now() - start,
                    cpu < 0 || startCpu <= 0 ? -1 : cpu - startCpu,
                    bytes);
        } catch (RuntimeException | LinkageError e) {
            work = WorkProbe.NONE;
            LOG.warn("work probe {} threw and is switched off; loading goes on", told, e);
        }
    }

    /** Waits between two tries; ends early when the pipeline closes. */
    void pause(long nanos) throws InterruptedException {
        lifecycle.lockInterruptibly();
        try {
            long left = nanos;
            while (left > 0 && !closed) {
                left = threadEnded.awaitNanos(left);
            }
        } finally {
            lifecycle.unlock();
        }
    }

    boolean isClosed() {
        return closed;
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
        return budget.snapshot(slabs.retained());
    }

    long retries() {
        return read.retries.sum();
    }

    int readyDepth() {
        return gate.held();
    }

    void threadStarted() {
        lifecycle.lock();
        try {
            threads++;
        } finally {
            lifecycle.unlock();
        }
    }

    void threadEnded() {
        lifecycle.lock();
        try {
            threads--;
            threadEnded.signalAll();
        } finally {
            lifecycle.unlock();
        }
        releaseIfLast();
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
        lifecycle.lock();
        try {
            closed = true;
            threadEnded.signalAll();
        } finally {
            lifecycle.unlock();
        }
        gate.end();
        dispatcher.close();
        decodeQueue.close();
        collateQueue.close();
        readers.close();
        decoders.close();
        collators.close();
        buffers.wake();
        if (!awaitThreads(settings.closeTimeoutNanos() / 2)) {
            readers.interrupt();
            decoders.interrupt();
            collators.interrupt();
            if (!awaitThreads(settings.closeTimeoutNanos() / 2)) {
                LOG.warn(
                        "close() left after its deadline; still running, memory kept until they end: {}",
                        String.join("; ", describeWorkers()));
            }
        }
        releaseIfLast();
    }

    private boolean awaitThreads(long nanos) {
        boolean interrupted = false;
        lifecycle.lock();
        try {
            long left = nanos;
            while (threads > 0 && left > 0) {
                try {
                    left = threadEnded.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true; // close() finishes its work first
                }
            }
            return threads == 0;
        } finally {
            lifecycle.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void releaseIfLast() {
        lifecycle.lock();
        try {
            if (!closed || threads > 0 || released) {
                return;
            }
            released = true; // under the lock, so that close() does not return before all is let go
            slabs.close();
            buffers.close();
            source.close();
        } finally {
            lifecycle.unlock();
        }
    }
}
