package dev.penstock.s3;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many requests run at once, under the HTTP client's pool size, so that waiting happens here where it is
 * seen and named and never inside the client.
 *
 * <p>The limit follows TCP's rule: it grows by one after as many successes as it is high, and halves when the server
 * throttles; requests sent before the last halving say nothing new and do not halve it again. So it comes back from 1 to
 * 64 in about 64 round trips. Waiters are let in in order of arrival. Thread-safe.
 */
final class AdaptiveGate {

    /** How a request ended, for the limit. */
    enum Outcome {
        SUCCESS,
        THROTTLED,
        OTHER
    }

    /** One waiter; {@link #admit} is called once, from any thread, and must not block. */
    abstract static class Waiter {
        /** May send now. {@code pass} goes back to {@link #leave}. */
        abstract void admit(long pass);
    }

    private final int most;
    private final Object lock = new Object();
    /** Guarded by lock; admitted and not yet left. */
    private int running;
    /** Guarded by lock; at least 1, at most {@link #most}. */
    private double limit;
    /** Guarded by lock; whether the limit, as it is now, was reached: only then has it proved anything. */
    private boolean reached;
    /** Guarded by lock; number of halvings so far: a pass from before the last one can't halve again. */
    private long generation;
    /** Guarded by lock. */
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();

    AdaptiveGate(int most) {
        this.most = most;
        this.limit = most;
    }

    /** Lets the waiter in, now or in its turn. */
    void enter(Waiter waiter) {
        long pass;
        synchronized (lock) {
            if (!waiting.isEmpty() || running >= (int) limit) {
                waiting.add(waiter);
                return;
            }
            admitOne();
            pass = generation;
        }
        waiter.admit(pass);
    }

    /** A pass when there is room and nobody waits, for a hedge; null otherwise. */
    @Nullable
    Long tryEnter() {
        synchronized (lock) {
            if (!waiting.isEmpty() || running >= (int) limit) {
                return null;
            }
            admitOne();
            return generation;
        }
    }

    /** Takes a waiter out that gave up; false when it was admitted already (and must leave). */
    boolean forget(Waiter waiter) {
        synchronized (lock) {
            for (Iterator<Waiter> all = waiting.iterator(); all.hasNext(); ) {
                if (all.next() == waiter) {
                    all.remove();
                    return true;
                }
            }
            return false;
        }
    }

    /** Gives a pass back. */
    void leave(long pass, Outcome outcome) {
        List<Waiter> next = new ArrayList<>();
        long nextPass;
        synchronized (lock) {
            running--;
            if (outcome == Outcome.THROTTLED && pass == generation) {
                limit = Math.max(1, limit / 2);
                generation++;
            } else if (outcome == Outcome.SUCCESS && reached) {
                grow();
            }
            while (!waiting.isEmpty() && running < (int) limit) {
                next.add(waiting.remove());
                admitOne();
            }
            nextPass = generation;
        }
        for (Waiter waiter : next) {
            waiter.admit(nextPass);
        }
    }

    /** Holds the lock. */
    private void admitOne() {
        running++;
        reached |= running >= (int) limit;
    }

    /** Holds the lock. A hair more than one part, so that rounding never costs a round trip. */
    private void grow() {
        int before = (int) limit;
        limit = Math.min(most, limit + 1 / (double) before + 1e-9);
        if ((int) limit > before) {
            reached = running >= (int) limit;
        }
    }

    int limit() {
        synchronized (lock) {
            return (int) limit;
        }
    }

    int running() {
        synchronized (lock) {
            return running;
        }
    }

    int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }
}
