package dev.penstock.engine;

import dev.penstock.spi.LoaderException;
import dev.penstock.spi.SampleException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One thread that gives up pieces of work whose reading and decoding together take longer than the deadline. It looks at
 * the workers from time to time, so work that keeps the deadline pays nothing for it.
 *
 * <p>Time is counted in looks, none for more than two periods: a pause of the whole process (a collection, a suspended
 * machine) does not make every sample late. A piece is given up between the deadline and a quarter more.
 */
final class DeadlineWatch {
    /** Workers stuck at the same time, past which nothing is gained by starting others. */
    private static final int MOST_STUCK = 16;

    private static final int LOOKS = 8;

    private final long deadlineNanos;
    private final long periodNanos;
    private final Lifecycle life;
    private final Pipeline pipeline;

    DeadlineWatch(long deadlineNanos, Lifecycle life, Pipeline pipeline) {
        this.deadlineNanos = deadlineNanos;
        this.periodNanos = Math.max(TimeUnit.MILLISECONDS.toNanos(1), deadlineNanos / LOOKS);
        this.life = life;
        this.pipeline = pipeline;
    }

    void start() {
        Thread thread = new Thread(this::run, "penstock-deadline");
        thread.setDaemon(true);
        life.threadStarted();
        thread.start();
    }

    private void run() {
        try {
            long last = System.nanoTime();
            while (!life.isClosed()) {
                life.pause(periodNanos);
                long now = System.nanoTime();
                look(Math.min(now - last, 2 * periodNanos));
                last = now;
            }
        } catch (InterruptedException e) {
            if (!life.isClosed()) {
                life.fail(new IllegalStateException("the deadline watch was interrupted from outside", e));
            }
        } catch (Throwable e) {
            life.fail(e);
        } finally {
            life.threadEnded();
        }
    }

    /** {@code nanos} have passed since the last look. */
    private void look(long nanos) {
        int stuck = 0;
        for (WorkerPool pool : pipeline.watchedPools()) {
            for (Worker worker : pool.workers()) {
                if (worker.givenUp()) {
                    stuck++;
                } else if (worker.isLate(nanos, deadlineNanos) && !life.isClosed()) {
                    pipeline.giveUp(worker, pool);
                }
            }
        }
        if (stuck > MOST_STUCK) {
            life.fail(new LoaderException(
                    stuck + " workers are stuck past sampleDeadline and ignore interrupts: "
                            + StallText.workers(pipeline.watchedPools()) + ". See to the source, or raise the deadline",
                    null));
        }
    }

    /** Why a piece was given up. */
    SampleException late(Piece piece, String stage) {
        return new SampleException(
                String.format(
                        Locale.ROOT,
                        "%s took longer than %.3f s (sampleDeadline), the last of it in %s; its source is slow or stuck,"
                                + " or the clip is damaged. Raise the deadline if such samples are in order",
                        piece,
                        deadlineNanos / 1e9,
                        stage),
                piece.camera(),
                -1,
                null);
    }
}
