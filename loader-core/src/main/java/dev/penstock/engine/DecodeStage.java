package dev.penstock.engine;

import dev.penstock.probe.WorkProbe;
import dev.penstock.spi.DecodeWork;
import dev.penstock.spi.SampleDecoder;
import dev.penstock.spi.SampleException;
import dev.penstock.spi.SampleSource;
import org.jspecify.annotations.Nullable;

/**
 * The decode workers: each owns one decoder, takes a piece with its bytes, lets the decoder write into the batch and
 * gives the bytes back. Whatever a decoder throws for a piece fails that piece's rows; an {@link Error} ends the loader.
 */
final class DecodeStage {
    private final Pipeline pipeline;
    private final SampleSource source;
    private final StageQueue<Piece> queue;
    final StageCounters counters = new StageCounters("decode");

    DecodeStage(Pipeline pipeline, SampleSource source, StageQueue<Piece> queue) {
        this.pipeline = pipeline;
        this.source = source;
        this.queue = queue;
    }

    void run(Worker worker) throws InterruptedException {
        try (SampleDecoder decoder = source.newDecoder()) {
            while (true) {
                long asked = pipeline.now();
                Piece piece = queue.take(worker);
                counters.takeWaitNanos.add(pipeline.now() - asked);
                if (piece == null) {
                    return;
                }
                worker.begin(piece);
                boolean ours;
                try {
                    ours = decode(piece, decoder, worker);
                } finally {
                    worker.end();
                    if (worker.givenUp()) {
                        pipeline.returnedDecoder(piece);
                    } else {
                        pipeline.release(piece);
                    }
                }
                if (!ours) {
                    return; // the deadline ended the piece
                }
                pipeline.pieceDone(piece);
            }
        }
    }

    /** False when the deadline took the piece from this worker. */
    private boolean decode(Piece piece, SampleDecoder decoder, Worker worker) {
        ReadBuffers.@Nullable Lease lease = piece.lease;
        DecodeWork work = piece.work;
        if (lease == null || work == null || pipeline.isStale(piece.job)) {
            return true;
        }
        long start = pipeline.now();
        long startCpu = pipeline.meter().cpuNow();
        worker.startTimed(piece);
        SampleException why = null;
        boolean ours;
        try {
            decoder.decode(work, lease.bytes(), piece.job.slab);
        } catch (SampleException e) {
            why = e;
        } catch (RuntimeException e) {
            why = new SampleException(work.describe() + ": decoder failed with " + e, e);
        } finally {
            ours = worker.endTimed();
            counters.busyNanos.add(pipeline.now() - start);
            counters.items.increment();
            pipeline.meter().worked(WorkProbe.Stage.DECODE, piece.job, piece.index, start, startCpu, 0);
        }
        if (ours && why != null) {
            piece.fail(why);
        }
        return ours;
    }
}
