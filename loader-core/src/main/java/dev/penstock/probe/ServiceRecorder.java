package dev.penstock.probe;

import dev.penstock.probe.ServiceTimes.BatchTimes;
import dev.penstock.probe.ServiceTimes.Piece;
import dev.penstock.probe.ServiceTimes.Work;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps what each piece of work took, for the batches delivered last.
 *
 * <p>Give it to a loader both as work probe and as data-wait probe. Workers and the trainer add to it under one lock,
 * once for each piece (a piece takes milliseconds, the lock tens of nanoseconds). It holds the last {@code keep}
 * delivered batches, and what is recorded of batches still being made.
 */
public final class ServiceRecorder implements WorkProbe, DataWaitProbe {
    private final int batchSize;
    private final int keep;

    /** Guarded by this: batches that are being made, by (epoch, batch). */
    private final Map<Key, Making> making = new HashMap<>();

    /** Guarded by this: delivered batches, the oldest first. */
    private final Deque<BatchTimes> delivered = new ArrayDeque<>();

    /** Keeps the last {@code keep} batches of {@code batchSize} rows. */
    public ServiceRecorder(int batchSize, int keep) {
        if (keep < 2) {
            throw new IllegalArgumentException("keep was " + keep + ", must be at least 2 batches");
        }
        this.batchSize = batchSize;
        this.keep = keep;
    }

    @Override
    public synchronized void worked(
            Stage stage, int epoch, long batch, int piece, long startNanos, long nanos, long cpuNanos, long bytes) {
        Making made = making.computeIfAbsent(new Key(epoch, batch), key -> new Making());
        Work work = new Work(nanos, cpuNanos);
        switch (stage) {
            case READ -> {
                made.reads.put(piece, work);
                made.bytes.put(piece, bytes);
            }
            case DECODE -> made.decodes.put(piece, work);
            case COLLATE -> made.collate = work;
        }
    }

    @Override
    public synchronized void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {
        Making made = making.remove(new Key(epoch, batch));
        if (made == null) {
            return; // made before the recorder was switched on
        }
        making.keySet().removeIf(key -> key.epoch < epoch); // of an epoch that was left: never delivered
        delivered.add(made.times(epoch, batch, waitNanos, betweenNanos));
        if (delivered.size() > keep) {
            delivered.remove();
        }
    }

    /** Forgets everything: for the end of a warm-up. Batches in the making are kept whole. */
    public synchronized void clear() {
        delivered.clear();
    }

    /** What was recorded so far. */
    public synchronized ServiceTimes times() {
        return new ServiceTimes(batchSize, new ArrayList<>(delivered));
    }

    private record Key(int epoch, long batch) {}

    private static final class Making {
        final Map<Integer, Work> reads = new TreeMap<>();
        final Map<Integer, Long> bytes = new HashMap<>();
        final Map<Integer, Work> decodes = new TreeMap<>();
        Work collate = Work.NONE;

        BatchTimes times(int epoch, long batch, long waitNanos, long stepNanos) {
            List<Piece> pieces = new ArrayList<>();
            reads.forEach((piece, read) ->
                    pieces.add(new Piece(read, decodes.getOrDefault(piece, Work.NONE), bytes.getOrDefault(piece, 0L))));
            decodes.forEach((piece, decode) -> {
                if (!reads.containsKey(piece)) {
                    pieces.add(new Piece(Work.NONE, decode, 0));
                }
            });
            return new BatchTimes(epoch, batch, pieces, collate, waitNanos, stepNanos);
        }
    }
}
