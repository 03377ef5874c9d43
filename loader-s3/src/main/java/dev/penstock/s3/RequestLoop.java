package dev.penstock.s3;

import dev.penstock.spi.BlobException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs the operations of one call (the parts of one range, say) to their end: sends, times, hedges, retries.
 *
 * <p>The thread that called drives everything: it sends the requests, so no work but copying is done on the HTTP
 * client's threads, and it waits for events. Answers, admissions by the {@link AdaptiveGate} and the store's closing
 * come as events through a queue, the only thing that threads share here. When {@link #run} returns or throws, every
 * attempt has been shut: nothing writes into the caller's memory any more.
 *
 * @param <T> what an operation answers
 */
final class RequestLoop<T> {
    private final RequestContext context;
    private final List<Task<T>> tasks = new ArrayList<>();
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    /** Confined to the calling thread, like all of {@link Task}. */
    private int unfinished;
    /** Confined to the calling thread. */
    private @Nullable BlobException failure;

    RequestLoop(RequestContext context, List<? extends Operation<T>> operations) {
        this.context = context;
        for (Operation<T> operation : operations) {
            tasks.add(new Task<>(operation, context, this));
        }
        unfinished = tasks.size();
    }

    /**
     * Runs all operations, {@code atOnce} at a time, and returns their answers in order.
     *
     * @throws BlobException when one of them failed for good; the others are given up
     * @throws InterruptedIOException when the thread was interrupted; its flag is set
     */
    List<T> run(int atOnce) throws BlobException, InterruptedIOException {
        context.opened(this);
        try {
            int next = 0;
            while (unfinished > 0) {
                for (int started = next - (tasks.size() - unfinished);
                        started < atOnce && next < tasks.size();
                        started++) {
                    tasks.get(next++).queue();
                }
                step(next);
            }
            List<T> answers = new ArrayList<>(tasks.size());
            for (Task<T> task : tasks) {
                answers.add(task.answer());
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException(tasks.get(0).what() + ": interrupted");
            interrupted.initCause(e);
            throw interrupted;
        } finally {
            context.ended(this);
            tasks.forEach(Task::abandon);
        }
    }

    private void step(int started) throws InterruptedException, BlobException {
        long now = context.ticker().nanoTime();
        long wake = Long.MAX_VALUE;
        for (int i = 0; i < started; i++) {
            wake = Math.min(wake, tasks.get(i).advance(now));
        }
        throwFailure();
        Runnable event = context.ticker().poll(events, wake == Long.MAX_VALUE ? Long.MAX_VALUE : wake - now);
        if (event != null) {
            event.run();
        }
        throwFailure();
    }

    private void throwFailure() throws BlobException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Has the calling thread run something; from any thread. */
    void post(Runnable event) {
        events.add(event);
    }

    /** Ends the call with an error; from any thread. */
    void close() {
        post(() -> failed(new BlobException(
                tasks.get(0).what() + ": " + FailureKind.CLOSED.reason() + " during the read", false)));
    }

    /** Calling thread only. */
    void finished() {
        unfinished--;
    }

    /** Calling thread only. */
    void failed(BlobException e) {
        if (failure == null) {
            failure = e;
        }
    }
}
