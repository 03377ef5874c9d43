package dev.penstock.s3;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Receives the answer to one ranged GET: checks its head, copies its body into the {@link RangeSink}, checks its length
 * and, where one is known, its digest. Called by the HTTP client's thread; nothing here blocks.
 *
 * <p>A body that is not wanted is cancelled, never left: an unread one would hold its connection for ever.
 */
final class RangeReceiver implements Subscriber<ByteBuffer> {
    private final RangeSink sink;
    private final long from;
    private final long objectSize;
    private final DigestCheck check;
    private final S3Counters counters;
    private final HedgeClock hedges;
    private final Ticker ticker;
    private final long sent;
    private final CompletableFuture<Integer> answer = new CompletableFuture<>();
    /** Written by the client's thread, read by the loop's to decide on a hedge. */
    private volatile boolean begun;
    /** Confined to the client's thread, which is one for one answer. */
    private long headAt;
    /** As above; null for none. */
    private @Nullable String contentRange;
    /** As above. */
    private @Nullable Subscription subscription;

    RangeReceiver(RangeSink sink, long from, long objectSize, DigestCheck check, RequestContext context) {
        this.sink = sink;
        this.from = from;
        this.objectSize = objectSize;
        this.check = check;
        this.counters = context.counters();
        this.hedges = context.hedges();
        this.ticker = context.ticker();
        this.sent = ticker.nanoTime();
    }

    /** Completes with the number of bytes once all are there and checked; cancelling it is up to who sent the request. */
    CompletableFuture<Integer> answer() {
        return answer;
    }

    boolean begun() {
        return begun;
    }

    /** After this nothing is written into the caller's memory any more. */
    void shut() {
        sink.shut();
    }

    /** The head of a good answer came, with this Content-Range or none. */
    void head(@Nullable String range) {
        contentRange = range;
        headAt = ticker.nanoTime();
        begun = true;
        counters.firstByteNanos.add(headAt - sent);
        hedges.firstByte(headAt - sent);
    }

    /** The request failed, or was answered with an error. */
    void fail(Throwable error) {
        answer.completeExceptionally(error);
    }

    @Override
    public void onSubscribe(Subscription s) {
        subscription = s;
        BodyException fault = headFault();
        if (fault != null) {
            s.cancel();
            fail(fault);
        } else {
            s.request(Long.MAX_VALUE); // copied at once: nothing piles up
        }
    }

    @Override
    public void onNext(ByteBuffer bytes) {
        counters.bytesFetched.add(bytes.remaining());
        if (!sink.put(bytes)) {
            if (subscription != null) {
                subscription.cancel();
            }
            fail(new BodyException(
                    FailureKind.LENGTH, "the body has more than the " + sink.size() + " bytes asked for"));
        }
    }

    @Override
    public void onError(Throwable error) {
        fail(error);
    }

    @Override
    public void onComplete() {
        counters.transferNanos.add(ticker.nanoTime() - headAt);
        int missing = sink.missing();
        if (missing > 0) {
            fail(new BodyException(
                    FailureKind.LENGTH, "the body ended " + missing + " of " + sink.size() + " bytes early"));
            return;
        }
        BodyException damage = check.fault(sink.digest());
        if (damage != null) {
            fail(damage);
        } else {
            answer.complete(sink.size());
        }
    }

    /** What is wrong with the answer's head; null when nothing is. */
    private @Nullable BodyException headFault() {
        String range = contentRange;
        if (range == null) {
            return from == 0 && sink.size() == objectSize
                    ? null
                    : new BodyException(FailureKind.RANGE_IGNORED, "an answer without Content-Range came");
        }
        String wanted = "bytes " + from + "-" + (from + sink.size() - 1) + "/" + objectSize;
        return range.equals(wanted)
                ? null
                : new BodyException(FailureKind.LENGTH, "Content-Range is " + range + ", asked was " + wanted);
    }
}
