package dev.penstock.s3;

import dev.penstock.spi.BlobException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a {@link RequestLoop}: queued, sent, waiting to be sent again, or done. Confined to the loop's
 * thread, but for {@link Attempt}'s end, which gives the gate's pass back wherever it happens: at once and exactly once,
 * also when nobody waits for the answer any more.
 */
final class Task<T> {
    private final Operation<T> operation;
    private final RequestContext context;
    private final RequestLoop<T> loop;
    private final List<Attempt> live = new ArrayList<>(2);
    private @Nullable Admission admission;
    private @Nullable T answer;
    private boolean done;
    private int failures;
    /** When to queue again; MAX_VALUE for never. */
    private long again = Long.MAX_VALUE;
    /** When to hedge; MAX_VALUE for never. */
    private long hedgeAt = Long.MAX_VALUE;
    /** Time used by ended attempts and waits between them; the store's own queue is not counted. */
    private long spent;

    Task(Operation<T> operation, RequestContext context, RequestLoop<T> loop) {
        this.operation = operation;
        this.context = context;
        this.loop = loop;
    }

    String what() {
        return operation.what();
    }

    T answer() {
        return Objects.requireNonNull(answer);
    }

    /** Waits for a place. */
    void queue() {
        Admission mine = new Admission(context.ticker().nanoTime());
        admission = mine;
        context.gate().enter(mine);
    }

    /** Does what is due, and says when to come again. */
    long advance(long now) {
        if (done) {
            return Long.MAX_VALUE;
        }
        if (now >= again) {
            again = Long.MAX_VALUE;
            queue();
        }
        if (now >= hedgeAt) {
            hedgeAt = Long.MAX_VALUE;
            hedge(now);
        }
        long wake = Math.min(again, hedgeAt);
        for (Attempt attempt : List.copyOf(live)) {
            if (now >= attempt.deadline) {
                timeOut(attempt);
            }
        }
        for (Attempt attempt : live) {
            wake = Math.min(wake, attempt.deadline);
        }
        return done ? Long.MAX_VALUE : Math.min(wake, again);
    }

    private void timeOut(Attempt attempt) {
        attempt.giveUp();
        ended(
                attempt,
                null,
                new TimeoutException(
                        "no complete answer within " + (attempt.deadline - attempt.start) / 1_000_000 + " ms"));
    }

    private void hedge(long now) {
        if (live.size() != 1 || live.get(0).sent.begun()) {
            return;
        }
        Long pass = context.gate().tryEnter();
        if (pass == null) {
            return;
        }
        if (context.hedges().take()) {
            context.counters().hedges.increment();
            send(pass, now, true);
        } else {
            context.gate().leave(pass, AdaptiveGate.Outcome.OTHER);
        }
    }

    private void send(long pass, long now, boolean isHedge) {
        context.counters().requests.increment();
        long allowed = Math.min(
                context.policy().attemptTimeout().toNanos(),
                context.policy().totalTimeout().toNanos() - spent);
        Operation.Sent<T> sent;
        try {
            sent = operation.send();
        } catch (RuntimeException e) {
            context.gate().leave(pass, AdaptiveGate.Outcome.OTHER);
            failed(e, 0);
            return;
        }
        Attempt attempt = new Attempt(sent, now, now + Math.max(1, allowed), isHedge);
        live.add(attempt);
        if (!isHedge && operation.hedgeable()) {
            context.hedges().sent();
            long delay = context.hedges().delayNanos();
            hedgeAt = delay == Long.MAX_VALUE ? Long.MAX_VALUE : now + delay;
        }
        var unused = sent.future().whenComplete((value, error) -> {
            context.gate().leave(pass, outcome(error));
            loop.post(() -> ended(attempt, value, error));
        });
    }

    private AdaptiveGate.Outcome outcome(@Nullable Throwable error) {
        if (error == null) {
            return AdaptiveGate.Outcome.SUCCESS;
        }
        if (Failures.kindOf(error) == FailureKind.THROTTLED) {
            context.counters().throttles.increment();
            return AdaptiveGate.Outcome.THROTTLED;
        }
        return AdaptiveGate.Outcome.OTHER;
    }

    private void ended(Attempt attempt, @Nullable T value, @Nullable Throwable error) {
        if (done || !live.remove(attempt)) {
            return; // given up before it ended
        }
        if (error == null) {
            succeeded(attempt, value);
        } else if (live.isEmpty() || !Failures.kindOf(error).retryable()) {
            attempt.sent.shut();
            failed(error, attempt.tookBy(context.ticker().nanoTime()));
        } else {
            attempt.sent.shut(); // its twin is still under way
        }
    }

    private void succeeded(Attempt attempt, @Nullable T value) {
        if (attempt.isHedge) {
            context.counters().hedgesWon.increment();
        }
        answer = value;
        done = true;
        abandon();
        loop.finished();
    }

    private void failed(Throwable error, long took) {
        failures++;
        spent += took;
        hedgeAt = Long.MAX_VALUE;
        FailureKind kind = Failures.kindOf(error);
        long wait = context.policy().waitNanos(failures, context.jitter());
        boolean inTime = spent + wait < context.policy().totalTimeout().toNanos();
        if (kind.retryable() && failures < context.policy().attempts() && inTime) {
            context.counters().retried(kind);
            spent += wait;
            again = context.ticker().nanoTime() + wait;
            return;
        }
        done = true;
        context.counters().failures.increment();
        loop.failed(message(kind, Failures.unwrap(error)));
    }

    private BlobException message(FailureKind kind, Throwable cause) {
        String tries = failures == 1
                ? ""
                : " on the last of " + failures + " attempts in "
                        + seconds(spent) + " s (at most "
                        + context.policy().attempts() + " in "
                        + seconds(context.policy().totalTimeout().toNanos()) + " s)";
        return new BlobException(
                operation.what() + ": " + kind.reason() + tries + "; " + kind.advice() + " [" + cause.getMessage()
                        + "]",
                kind.retryable() && context.policy().attempts() == 1, // else this store has tried for the caller
                cause);
    }

    /** To a tenth. */
    private static double seconds(long nanos) {
        return Math.round(nanos / 1e8) / 10.0;
    }

    /** Gives up whatever is under way. */
    void abandon() {
        Admission mine = admission;
        if (mine != null) {
            mine.giveUp();
        }
        for (Attempt attempt : List.copyOf(live)) {
            attempt.giveUp();
        }
        live.clear();
        done = true;
    }

    private void admitted(Admission mine, long pass) {
        admission = null;
        long now = context.ticker().nanoTime();
        context.counters().queueNanos.add(now - mine.since);
        send(pass, now, false);
    }

    /** A place in the gate's queue. */
    private final class Admission extends AdaptiveGate.Waiter {
        private final long since;
        /** Guarded by this. */
        private boolean givenUp;
        /** Guarded by this; -1 before admission and after the pass was used or given back. */
        private long pass = -1;

        Admission(long since) {
            this.since = since;
        }

        @Override
        void admit(long pass) {
            boolean late;
            synchronized (this) {
                late = givenUp;
                this.pass = pass;
            }
            if (late) {
                release();
            } else {
                loop.post(this::use);
            }
        }

        private void use() {
            long admitted;
            synchronized (this) {
                admitted = pass;
                pass = -1;
            }
            if (admitted >= 0) {
                admitted(this, admitted);
            }
        }

        void giveUp() {
            context.gate().forget(this);
            synchronized (this) {
                givenUp = true;
            }
            release();
        }

        /** Gives the pass back if it has one that nobody used. */
        private void release() {
            long unused;
            synchronized (this) {
                unused = pass;
                pass = -1;
            }
            if (unused >= 0) {
                context.gate().leave(unused, AdaptiveGate.Outcome.OTHER);
            }
        }
    }

    /** A request under way. */
    private final class Attempt {
        private final Operation.Sent<T> sent;
        private final long start;
        private final long deadline;
        private final boolean isHedge;

        Attempt(Operation.Sent<T> sent, long start, long deadline, boolean isHedge) {
            this.sent = sent;
            this.start = start;
            this.deadline = deadline;
            this.isHedge = isHedge;
        }

        /** No more than it was allowed: the rest is time in which this process was stopped, not the server slow. */
        long tookBy(long now) {
            return Math.min(now, deadline) - start;
        }

        void giveUp() {
            sent.shut();
            sent.future().cancel(true);
        }
    }
}
