package dev.penstock.engine;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts batches together from decoded rows, so that a late sample may be overtaken: the room between decode and collate
 * where overtaking is on. Thread-safe.
 *
 * <p>The dispatcher cuts the order as ever, and decoders fill the slabs of those cuts. Here rows are taken in order while
 * they are ready; where the trainer waits and a row is late, rows behind it are taken in its place, at most {@code window}
 * behind the first row that was not delivered. So a trainer that need not wait gets the strict order, each batch has the
 * planned size, and what was delivered is known by one bit for each row of the window.
 *
 * <p>Where a batch is exactly one cut nothing is copied. Otherwise it takes the slab of a cut that nobody writes to any
 * more and from which no row has to stay, and only the other rows are copied into it; or a spare slab, for which the
 * dispatcher always leaves one. A cut's slab goes back when all of its rows have left.
 */
final class Overtaking {
    private static final byte PENDING = 0;
    private static final byte READY = 1;
    private static final byte TAKEN = 2;

    /** One cut of the order, and how far each of its rows is. Guarded by the lock. */
    static final class Cut {
        private final BatchJob job;
        private final int rows;
        private final byte[] state;
        private final int[] piecesOfRow;
        private int pieces;
        private int left;
        private boolean dropped;

        private Cut(BatchJob job, List<Piece> of) {
            this.job = job;
            rows = job.slab.rows();
            left = rows;
            state = new byte[rows];
            piecesOfRow = new int[rows];
            pieces = of.size();
            for (Piece piece : of) {
                for (int i = 0; i < piece.rows(); i++) {
                    piecesOfRow[piece.row(i)]++;
                }
            }
            for (int row = 0; row < rows; row++) {
                state[row] = piecesOfRow[row] == 0 ? READY : PENDING;
            }
        }
    }

    private final int window;
    private final int batchSize;
    private final SlabPool slabs;
    private final Pipeline pipeline;

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock: cuts with rows that have not left, in order. */
    private final ArrayDeque<Cut> open = new ArrayDeque<>();
    /** Guarded by lock: cuts of a lower sequence are stale. */
    private long floor;
    /** Guarded by lock: the sequence of the next batch. */
    private long sequence;
    /** Guarded by lock: the epoch that batches are made of; -1 before the first. */
    private int epoch = -1;
    /** Guarded by lock: batches made of it. */
    private long number;
    /** Guarded by lock: rows of it that have not left. */
    private long rowsLeft;
    /** Guarded by lock: what those batches and earlier runs delivered of it. */
    private Delivered done = Delivered.NONE;
    /** Guarded by lock: the trainer waits for the next batch. */
    private boolean wanted;

    // the choice for one batch, guarded by lock; used again for each
    private final @Nullable Cut[] chosenCut;
    private final int[] chosenRow;
    private final long[] chosenIndex;
    private int chosen;
    private int early;

    /**
     * @param window rows that may be delivered behind one that was not
     */
    Overtaking(int window, int batchSize, SlabPool slabs, Pipeline pipeline) {
        this.window = window;
        this.batchSize = batchSize;
        this.slabs = slabs;
        this.pipeline = pipeline;
        chosenCut = new @Nullable Cut[batchSize];
        chosenRow = new int[batchSize];
        chosenIndex = new long[batchSize];
    }

    /** Slabs beyond those of a strict order: cuts that wait behind a late row, and a spare one. */
    static int slabs(int window, int batchSize) {
        return (window + batchSize - 1) / batchSize + 1;
    }

    /** A cut was opened; called in order, before any of its pieces is dealt out. */
    void opened(BatchJob job, List<Piece> pieces) {
        lock.lock();
        try {
            Cut cut = new Cut(job, pieces);
            job.cut = cut;
            if (job.sequence < floor) {
                drop(cut);
            } else if (cut.rows == 0) {
                letGo(cut); // all of it was delivered before a resume
            } else {
                open.add(cut);
                compose();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A piece of a cut is done, well or not. */
    void pieceDone(Piece piece, Cut cut) {
        lock.lock();
        try {
            cut.pieces--;
            for (int i = 0; i < piece.rows(); i++) {
                int row = piece.row(i);
                if (--cut.piecesOfRow[row] == 0) {
                    cut.state[row] = READY;
                }
            }
            if (cut.dropped) {
                drop(cut);
            } else {
                compose();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The trainer is about to wait: from now until the next batch is made, rows may overtake. */
    void want() {
        lock.lock();
        try {
            wanted = true;
            compose();
        } finally {
            lock.unlock();
        }
    }

    /** A slab came free, perhaps the one that a batch was waiting for. */
    void slabFreed() {
        lock.lock();
        try {
            if (wanted) {
                compose();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * What is open becomes stale; the next batch has the sequence that {@code dispatcher} gives, which is returned. It is
     * asked under the lock, so that no cut of the new epoch comes in before.
     */
    long restart(LongSupplier dispatcher) {
        lock.lock();
        try {
            floor = dispatcher.getAsLong();
            sequence = floor;
            epoch = -1;
            wanted = false;
            open.forEach(this::drop);
            open.clear();
            return floor;
        } finally {
            lock.unlock();
        }
    }

    /** Guarded by lock: a stale cut goes back when no worker has a piece of it. */
    private void drop(Cut cut) {
        cut.dropped = true;
        if (cut.pieces == 0) {
            letGo(cut);
        }
    }

    private void letGo(Cut cut) {
        pipeline.handBack(cut.job.slab); // not recycle(): it would come back in here
    }

    /** Guarded by lock: makes all batches that can be made. */
    private void compose() {
        while (true) {
            Cut head = open.peekFirst();
            if (head == null) {
                return;
            }
            if (head.job.epoch != epoch) {
                begin(head.job);
            }
            int need = (int) Math.min(batchSize, rowsLeft);
            if (!choose(need)) {
                return;
            }
            Cut carrier = carrier();
            Slab slab = carrier == null ? slabs.tryTake(0) : carrier.job.slab;
            if (slab == null) {
                return;
            }
            fill(slab, carrier, need);
            BatchJob job = job(head.job, slab);
            leave(carrier);
            wanted = false;
            pipeline.composed(job);
        }
    }

    private void begin(BatchJob first) {
        epoch = first.epoch;
        number = 0;
        done = first.plan.done();
        rowsLeft = first.plan.rowCount() - done.below(first.plan.rowCount());
    }

    /** Guarded by lock: chooses the rows of the next batch; false when they are not there yet. */
    private boolean choose(int need) {
        chosen = 0;
        early = 0;
        long late = -1;
        for (Cut cut : open) {
            if (cut.job.epoch != epoch) {
                return false;
            }
            for (int row = 0; row < cut.rows; row++) {
                long index = cut.job.plan.rowAt(cut.job.slab.positions[row]);
                if (cut.state[row] == READY) {
                    if (late >= 0 && index > late + window) {
                        return false;
                    }
                    chosenCut[chosen] = cut;
                    chosenRow[chosen] = row;
                    chosenIndex[chosen++] = index;
                    early += late >= 0 ? 1 : 0;
                    if (chosen == need) {
                        return true;
                    }
                } else if (cut.state[row] == PENDING) {
                    if (!wanted) {
                        return false;
                    }
                    late = late < 0 ? index : late;
                }
            }
        }
        return false;
    }

    /** Guarded by lock: the cut whose slab the batch may have, with most of the chosen rows in it; null if there is none. */
    private @Nullable Cut carrier() {
        Cut best = null;
        int most = 0;
        for (int from = 0; from < chosen; ) {
            Cut cut = chosenCut[from];
            int to = from;
            while (to < chosen && chosenCut[to] == cut) {
                to++;
            }
            if (cut != null && cut.pieces == 0 && cut.left == to - from && cut.left > most && !cut.job.slab.isStuck()) {
                best = cut;
                most = cut.left;
            }
            from = to;
        }
        return best;
    }

    /** Guarded by lock: brings the chosen rows into {@code slab}; those of the carrier stay where they are. */
    private void fill(Slab slab, @Nullable Cut carrier, int need) {
        boolean[] used = new boolean[batchSize];
        if (carrier == null) {
            slab.start(need);
        }
        for (int i = 0; i < chosen; i++) {
            if (chosenCut[i] == carrier && chosenRow[i] < need) {
                used[chosenRow[i]] = true;
            }
        }
        int slot = 0;
        for (int i = 0; i < chosen; i++) {
            Cut cut = chosenCut[i];
            if (cut != null && (cut != carrier || chosenRow[i] >= need)) {
                while (used[slot]) {
                    slot++;
                }
                slab.take(cut.job.slab, chosenRow[i], slot++);
            }
        }
        slab.trim(need);
    }

    /** Guarded by lock: the batch of the chosen rows. */
    private BatchJob job(BatchJob head, Slab slab) {
        done = done.with(chosenIndex, chosen);
        rowsLeft -= chosen;
        BatchJob job = BatchJob.over(slab, sequence++, epoch, number++, head.plan, head.startedAt);
        job.done = done;
        job.early = early;
        for (int i = 0; i < chosen; i++) {
            Cut cut = chosenCut[i];
            if (cut != null) {
                job.readAt = Math.max(job.readAt, cut.job.readAt);
            }
        }
        return job;
    }

    /** Guarded by lock: the chosen rows have left; slabs without rows go back, but for the carrier's. */
    private void leave(@Nullable Cut carrier) {
        for (int i = 0; i < chosen; i++) {
            Cut cut = chosenCut[i];
            if (cut != null) {
                cut.state[chosenRow[i]] = TAKEN;
                if (--cut.left == 0 && cut != carrier) {
                    letGo(cut);
                }
                chosenCut[i] = null;
            }
        }
        open.removeIf(cut -> cut.left == 0);
    }
}
