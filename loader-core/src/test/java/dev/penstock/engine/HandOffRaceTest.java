package dev.penstock.engine;

import dev.penstock.data.BatchSpec;
import dev.penstock.data.ElementType;
import dev.penstock.data.TensorSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/**
 * Model checking of the three hand-offs: the stage queue, the order gate, a batch's reference count. Lincheck runs each
 * block under many schedules and fails it where one ends in an assertion, an exception or a deadlock. What must not
 * happen: an element lost or given twice, a wake-up that goes to a worker that leaves, batches out of order, a slab given
 * back twice or never. {@code -Dpenstock.races=N} tries more schedules than the test run.
 */
class HandOffRaceTest {
    private static final int SCHEDULES = Integer.getInteger("penstock.races", 50);

    /** A thread's body, which may be interrupted. */
    private interface Body {
        void run() throws InterruptedException;
    }

    /** Not AssertJ: everything in a block is instrumented, and that is a lot of code. */
    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static Thread start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        return thread;
    }

    private static void join(Thread... threads) {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void everyElementOfAFullQueueComesOnceToOneWorker() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            StageQueue<Integer> queue = new StageQueue<>(1);
            Worker first = new Worker("a");
            Worker second = new Worker("b");
            AtomicInteger sum = new AtomicInteger();
            Thread takes = start(() -> sum.addAndGet(queue.take(first)));
            Thread takesToo = start(() -> sum.addAndGet(10 * queue.take(second)));
            Thread puts = start(() -> {
                queue.put(1);
                queue.put(2);
            });
            join(takes, takesToo, puts);
            check(sum.get() == 12 || sum.get() == 21, "an element was lost or given twice: " + sum);
            check(queue.size() == 0, "an element is left");
        });
    }

    @Test
    void anElementIsNotLostOnAWorkerThatIsToldToStop() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            StageQueue<Integer> queue = new StageQueue<>(2);
            Worker leaves = new Worker("leaves");
            Worker stays = new Worker("stays");
            Integer[] got = new Integer[2];
            Thread leaving = start(() -> got[0] = queue.take(leaves));
            Thread staying = start(() -> got[1] = queue.take(stays));
            Thread puts = start(() -> {
                queue.put(7);
                leaves.stop();
                queue.wake();
                if (got[0] != null) {
                    queue.put(8); // the one that stays waits for its own
                }
            });
            join(leaving, puts);
            if (got[0] != null && queue.size() == 0 && got[1] == null) {
                queue.putNow(8);
            }
            join(staying);
            check(got[1] == 7 || got[1] == 8, "the worker that stays has nothing");
        });
    }

    @Test
    void closingEndsEveryWait() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            StageQueue<Integer> queue = new StageQueue<>(1);
            queue.putNow(1);
            boolean[] put = new boolean[1];
            Thread puts = start(() -> put[0] = queue.put(2));
            Thread takes = start(() -> queue.take(new Worker("w")));
            queue.close();
            join(puts, takes);
        });
    }

    private static BatchJob job(long sequence) {
        return new BatchJob(sequence, 0, sequence, null, null, 1, 0, 0);
    }

    @Test
    void theGateGivesBatchesInOrderHoweverTheyCome() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            OrderGate gate = new OrderGate(4);
            long[] got = new long[2];
            Thread one = start(() -> gate.put(job(1)));
            Thread zero = start(() -> gate.put(job(0)));
            Thread consumer = start(() -> {
                got[0] = gate.take(Long.MAX_VALUE).sequence;
                got[1] = gate.take(Long.MAX_VALUE).sequence;
            });
            join(one, zero, consumer);
            check(got[0] == 0 && got[1] == 1, "out of order");
            check(gate.held() == 0, "a batch is left");
        });
    }

    @Test
    void aSkipNeitherLosesNorKeepsTheWrongBatch() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            OrderGate gate = new OrderGate(4);
            List<Long> returned = new ArrayList<>();
            Thread stale = start(() -> {
                if (!gate.put(job(1))) {
                    synchronized (returned) {
                        returned.add(1L);
                    }
                }
            });
            Thread fresh = start(() -> gate.put(job(2)));
            gate.skipTo(2, job -> {
                synchronized (returned) {
                    returned.add(job.sequence);
                }
            });
            join(stale, fresh);
            check(returned.equals(List.of(1L)), "given back: " + returned);
            check(gate.poll().sequence == 2, "another batch");
        });
    }

    /** What became of one slab. */
    private static final class Counts implements SlabBatch.Owner {
        private final AtomicInteger ended = new AtomicInteger();
        private final AtomicInteger keptOut = new AtomicInteger();
        private final AtomicInteger cameBack = new AtomicInteger();
        private final AtomicInteger refused = new AtomicInteger();

        @Override
        public void giveBack(Slab slab) {
            ended.incrementAndGet();
        }

        @Override
        public void keepOut(SlabBatch batch) {
            keptOut.incrementAndGet();
        }

        @Override
        public void comeBack(SlabBatch batch) {
            cameBack.incrementAndGet();
            ended.incrementAndGet();
        }
    }

    @Test
    void aBatchEndsOnceHoweverRetainCloseAndTheFollowingNextMeet() {
        BatchSpec spec = new BatchSpec(List.of(TensorSpec.dense("x", ElementType.UINT8)));
        Slab slab = new Slab(spec, 1, new MemoryBudget(1 << 20));
        slab.ready();
        slab.start(1);
        try {
            Lincheck.runConcurrentTest(SCHEDULES, () -> {
                Counts counts = new Counts();
                SlabBatch batch = new SlabBatch(slab, 0, 0, counts);
                batch.retain();
                Thread other = start(batch::close); // another thread ends the retained batch
                Thread next = start(batch::takeBack); // the iterator goes on
                Thread more = start(() -> {
                    try {
                        batch.retain().close();
                    } catch (IllegalStateException e) {
                        counts.refused.incrementAndGet();
                    }
                });
                join(other, next, more);
                check(counts.ended.get() == 1, "ended " + counts.ended + " times");
                check(counts.keptOut.get() == counts.cameBack.get(), "kept out and back differ");
                check(counts.refused.get() <= 1, "refused twice");
                batch.close();
                check(counts.ended.get() == 1, "ended again");
            });
        } finally {
            slab.free();
        }
    }
}
