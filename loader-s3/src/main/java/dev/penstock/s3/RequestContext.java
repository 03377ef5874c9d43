package dev.penstock.s3;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;

/** What the {@link RequestLoop}s of one store share. Thread-safe. */
final class RequestContext {
    private final AdaptiveGate gate;
    private final RetryPolicy policy;
    private final HedgeClock hedges;
    private final S3Counters counters;
    private final Ticker ticker;
    private final DoubleSupplier jitter;
    /** Guarded by being concurrent. */
    private final Set<RequestLoop<?>> open = ConcurrentHashMap.newKeySet();
    /** Set before the open loops are closed, read after a loop was added to them: none slips through. */
    private volatile boolean closed;

    /** @param jitter random numbers in [0, 1); called by many threads */
    RequestContext(AdaptiveGate gate, RetryPolicy policy, HedgeClock hedges, Ticker ticker, DoubleSupplier jitter) {
        this.gate = gate;
        this.policy = policy;
        this.hedges = hedges;
        this.counters = new S3Counters();
        this.ticker = ticker;
        this.jitter = jitter;
    }

    AdaptiveGate gate() {
        return gate;
    }

    RetryPolicy policy() {
        return policy;
    }

    HedgeClock hedges() {
        return hedges;
    }

    S3Counters counters() {
        return counters;
    }

    Ticker ticker() {
        return ticker;
    }

    double jitter() {
        return jitter.getAsDouble();
    }

    void opened(RequestLoop<?> loop) {
        open.add(loop);
        if (closed) {
            loop.close();
        }
    }

    void ended(RequestLoop<?> loop) {
        open.remove(loop);
    }

    /** Ends every call under way and all that come. */
    void close() {
        closed = true;
        open.forEach(RequestLoop::close);
    }
}
