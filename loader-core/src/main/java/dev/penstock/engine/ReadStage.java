package dev.penstock.engine;

import dev.penstock.probe.WorkProbe;
import dev.penstock.spi.BlobException;
import dev.penstock.spi.ReadRequest;
import dev.penstock.spi.SampleException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The read workers: take a piece in plan order, lease memory for its bytes, read its ranges, hand it to decode.
 *
 * <p>A read that may succeed later is tried again, with a pause that doubles and is jittered; any other failure, or the
 * last one, fails the rows of the piece.
 */
final class ReadStage {
    private final Pipeline pipeline;
    private final Dispatcher dispatcher;
    private final ReadBuffers buffers;
    private final StageQueue<Piece> decodeQueue;
    private final ReadRetry retry;
    final StageCounters counters = new StageCounters("read");
    final LongAdder retries = new LongAdder();
    final LongAdder needed = new LongAdder();

    ReadStage(
            Pipeline pipeline,
            Dispatcher dispatcher,
            ReadBuffers buffers,
            StageQueue<Piece> decodeQueue,
            ReadRetry retry) {
        this.pipeline = pipeline;
        this.dispatcher = dispatcher;
        this.buffers = buffers;
        this.decodeQueue = decodeQueue;
        this.retry = retry;
    }

    void run(Worker worker) throws InterruptedException {
        while (true) {
            long asked = pipeline.now();
            Piece piece = dispatcher.next(worker);
            long dealt = pipeline.now();
            counters.putWaitNanos.add(dealt - asked); // nothing to deal: no batch memory is free
            if (piece == null) {
                return;
            }
            worker.begin(piece);
            try {
                read(piece, worker);
            } finally {
                worker.end();
                if (worker.givenUp()) {
                    pipeline.returned(piece);
                }
            }
            if (worker.givenUp()) {
                return;
            }
        }
    }

    private void read(Piece piece, Worker worker) throws InterruptedException {
        BatchJob job = piece.job;
        long total = piece.request.totalLength();
        if (pipeline.isStale(job)) {
            pipeline.pieceDone(piece);
            return;
        }
        if (total > Integer.MAX_VALUE - 2 * NativeMemory.ALIGNMENT) {
            piece.fail(new SampleException(piece + " asks for " + total + " bytes at once, more than 2 GiB", null));
            pipeline.pieceDone(piece);
            return;
        }
        ByteBuffer target = memory(piece, (int) total, worker);
        if (target == null) {
            return; // closed: nothing is delivered any more
        }
        worker.startTimed(piece);
        SampleException why;
        boolean ours;
        try {
            why = readAll(piece, target, worker);
        } finally {
            ours = worker.endTimed();
        }
        if (!ours) {
            return; // the deadline ended the piece
        }
        if (why != null) {
            piece.fail(why);
        }
        wasRead(job);
        handOn(piece, why == null ? target : null);
    }

    /** A piece was read, or given up. */
    void wasRead(BatchJob job) {
        if (job.unread.decrementAndGet() == 0) {
            job.readAt = pipeline.now();
            counters.batches.increment();
        }
        counters.items.increment();
    }

    private @Nullable ByteBuffer memory(Piece piece, int total, Worker worker) throws InterruptedException {
        if (piece.work == null) {
            return piece.job.slab.truthBuffer(total);
        }
        long asked = pipeline.now();
        ReadBuffers.Lease lease = buffers.lease(total, worker);
        counters.putWaitNanos.add(pipeline.now() - asked);
        if (lease == null) {
            if (!pipeline.isClosed()) {
                dispatcher.again(java.util.List.of(piece)); // this worker is one too many; another takes it
            }
            return null;
        }
        piece.lease = lease;
        return lease.bytes();
    }

    /** Why the piece can't be read; null when it was. */
    private @Nullable SampleException readAll(Piece piece, ByteBuffer target, Worker worker)
            throws InterruptedException {
        long start = pipeline.now();
        long startCpu = pipeline.meter().cpuNow();
        int at = 0;
        try {
            ReadRequest request = piece.request;
            for (int i = 0; i < request.ranges(); i++) {
                readRange(request, i, target.limit(at + request.length(i)).position(at), worker);
                at += request.length(i);
            }
            target.limit(at).position(0);
            counters.bytes.add(at);
            needed.add(request.neededLength());
            return null;
        } catch (IOException | RuntimeException e) {
            return new SampleException(piece + " could not be read: " + e.getMessage(), e);
        } finally {
            counters.busyNanos.add(pipeline.now() - start);
            pipeline.meter().worked(WorkProbe.Stage.READ, piece.job, piece.index, start, startCpu, at);
        }
    }

    private void readRange(ReadRequest request, int i, ByteBuffer target, Worker worker)
            throws IOException, InterruptedException {
        int start = target.position();
        long pause = retry.firstPauseNanos();
        for (int attempt = 1; ; attempt++) {
            try {
                request.blob(i).read(request.offset(i), target);
                requireWhole(request, i, target);
                return;
            } catch (IOException e) {
                if (attempt >= retry.attempts() || !mayPass(e) || pipeline.isClosed() || worker.givenUp()) {
                    throw e;
                }
                retries.increment();
                target.position(start);
                long jittered = pause / 2 + new SplittableRandom(request.offset(i) + attempt).nextLong(1 + pause / 2);
                pipeline.pause(jittered);
                pause *= 2;
            }
        }
    }

    /** A blob that returns with less would leave the bytes of an earlier read in place. */
    private static void requireWhole(ReadRequest request, int i, ByteBuffer target) throws EOFException {
        if (target.hasRemaining()) {
            throw new EOFException(request.blob(i).uri() + " gave " + (request.length(i) - target.remaining()) + " of "
                    + request.length(i) + " bytes at offset " + request.offset(i)
                    + "; its store broke the contract of Blob.read, or the file shrank");
        }
    }

    /** Whether the same read may succeed later: a cut connection, a time-out; not a file that is absent or short. */
    private static boolean mayPass(IOException e) {
        if (e instanceof BlobException blob) {
            return blob.isRetryable();
        }
        return !(e instanceof EOFException) && !(e instanceof FileSystemException);
    }

    private void handOn(Piece piece, @Nullable ByteBuffer bytes) throws InterruptedException {
        if (piece.work == null) {
            piece.job.truth = bytes;
            pipeline.pieceDone(piece);
            return;
        }
        if (bytes == null) {
            pipeline.release(piece);
            pipeline.pieceDone(piece);
            return;
        }
        long offered = pipeline.now();
        boolean taken = decodeQueue.put(piece);
        counters.putWaitNanos.add(pipeline.now() - offered);
        if (!taken) {
            pipeline.release(piece);
        }
    }
}
