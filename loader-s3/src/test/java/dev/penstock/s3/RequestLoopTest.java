package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.BlobException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Retries, time limits and hedges on a clock that only moves when the loop waits. */
class RequestLoopTest {
    private static final long SECOND = 1_000_000_000L;

    /** Time stands still but for waiting. Confined to the test's thread. */
    private static final class FakeTicker implements Ticker {
        long now;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public <E> E poll(BlockingQueue<E> events, long nanos) {
            E event = events.poll();
            if (event == null) {
                assertThat(nanos).as("the loop would wait for ever").isLessThan(Long.MAX_VALUE);
                now += Math.max(1, nanos);
            }
            return event;
        }
    }

    private final FakeTicker ticker = new FakeTicker();
    private final List<Long> sent = new ArrayList<>();
    private final HedgeClock hedges = new HedgeClock(0.9, 0.5, Duration.ofMillis(5));
    private final AdaptiveGate gate = new AdaptiveGate(4);
    private final RequestContext context = new RequestContext(gate, RetryPolicy.STANDARD, hedges, ticker, () -> 0.5);

    /** An operation that answers as {@code answer} says for the time it was sent at. */
    private Operation<String> operation(LongFunction<CompletableFuture<String>> answer) {
        return new Operation<>() {
            @Override
            public String what() {
                return "s3 bucket b, key k";
            }

            @Override
            public boolean hedgeable() {
                return true;
            }

            @Override
            public Sent<String> send() {
                sent.add(ticker.now);
                CompletableFuture<String> future = answer.apply(ticker.now);
                return () -> future;
            }
        };
    }

    private String run(LongFunction<CompletableFuture<String>> answer) throws Exception {
        return new RequestLoop<>(context, List.of(operation(answer))).run(1).get(0);
    }

    @Test
    void anOutageOfAMinuteIsRiddenOut() throws Exception {
        String answer = run(at -> at < 60 * SECOND
                ? CompletableFuture.failedFuture(new ConnectException("refused"))
                : CompletableFuture.completedFuture("right"));
        assertThat(answer).isEqualTo("right");
        assertThat(ticker.now).isBetween(60 * SECOND, 75 * SECOND);
        assertThat(context.counters().snapshot(gate).retriesByReason().get("connect"))
                .isEqualTo(sent.size() - 1L);
    }

    @Test
    void anOutageLongerThanTheBudgetIsReportedWithItsLength() {
        assertThatThrownBy(() -> run(at -> CompletableFuture.failedFuture(new ConnectException("refused"))))
                .isInstanceOfSatisfying(
                        BlobException.class, e -> assertThat(e.isRetryable()).isFalse())
                .hasMessageContaining("bucket b, key k")
                .hasMessageContaining("attempts")
                .hasMessageContaining("refused");
        assertThat(ticker.now).isLessThanOrEqualTo(120 * SECOND);
        assertThat(gate.running()).isZero();
    }

    @Test
    void waitsGrowUpToTheirLimitAndStayJittered() {
        RetryPolicy policy = RetryPolicy.STANDARD;
        assertThat(policy.waitNanos(1, 0)).isEqualTo(50_000_000);
        assertThat(policy.waitNanos(1, 0.999)).isBetween(99_000_000L, 100_000_000L);
        assertThat(policy.waitNanos(4, 0)).isEqualTo(400_000_000);
        assertThat(policy.waitNanos(50, 0)).isEqualTo(5 * SECOND);
    }

    @Test
    void whatCannotPassIsNotTriedAgain() {
        S3Exception refused = (S3Exception)
                S3Exception.builder().statusCode(403).message("no").build();
        assertThatThrownBy(() -> run(at -> CompletableFuture.failedFuture(refused)))
                .isInstanceOfSatisfying(
                        BlobException.class, e -> assertThat(e.isRetryable()).isFalse())
                .hasMessageContaining("check the credentials");
        assertThat(sent).hasSize(1);
    }

    @Test
    void anAttemptWithoutAnAnswerEndsAtItsLimit() throws Exception {
        List<CompletableFuture<String>> silent = new ArrayList<>();
        String answer = run(at -> {
            if (silent.isEmpty()) {
                silent.add(new CompletableFuture<>());
                return silent.get(0);
            }
            return CompletableFuture.completedFuture("second");
        });
        assertThat(answer).isEqualTo("second");
        assertThat(silent.get(0)).isCancelled();
        assertThat(sent.get(1)).isGreaterThanOrEqualTo(30 * SECOND);
        assertThat(gate.running()).isZero();
    }

    @Test
    void timeInWhichTheProcessWasStoppedUsesUpNoBudget() throws Exception {
        String answer = run(at -> {
            if (sent.size() == 1) {
                ticker.now += 300 * SECOND; // more than all attempts may take together
                return new CompletableFuture<>();
            }
            return CompletableFuture.completedFuture("second");
        });
        assertThat(answer).isEqualTo("second");
        assertThat(sent).hasSize(2);
    }

    @Test
    void aHedgeIsSentAfterThePercentileAndTheLoserIsCancelled() throws Exception {
        for (int i = 0; i < 32; i++) {
            hedges.firstByte((i + 1) * 1_000_000L);
        }
        hedges.sent(); // the budget of a half allows one hedge for two requests
        List<CompletableFuture<String>> all = new ArrayList<>();
        String answer = run(at -> {
            all.add(all.isEmpty() ? new CompletableFuture<>() : CompletableFuture.completedFuture("hedge"));
            return all.get(all.size() - 1);
        });
        assertThat(answer).isEqualTo("hedge");
        assertThat(sent).containsExactly(0L, 29_000_000L); // the percentile 0.9 of 1, 2, … 32 ms
        assertThat(context.counters().snapshot(gate).hedgesWon()).isEqualTo(1);
        assertThat(context.counters().snapshot(gate).retries()).isZero();
        assertThat(all.get(0)).isCancelled();
        assertThat(gate.running()).isZero();
    }

    @Test
    void oneFailureEndsAllPartsOfACall() {
        S3Exception absent = (S3Exception)
                S3Exception.builder().statusCode(404).message("gone").build();
        CompletableFuture<String> other = new CompletableFuture<>();
        RequestLoop<String> loop = new RequestLoop<>(
                context, List.of(operation(at -> other), operation(at -> CompletableFuture.failedFuture(absent))));
        assertThatThrownBy(() -> loop.run(2)).hasMessageContaining("does not exist");
        assertThat(other).isCancelled();
        assertThat(gate.running()).isZero();
    }

    @Test
    void noMorePartsRunAtOnceThanAllowed() throws Exception {
        List<Operation<String>> parts = new ArrayList<>();
        int[] most = {0};
        for (int i = 0; i < 10; i++) {
            parts.add(operation(at -> {
                most[0] = Math.max(most[0], gate.running());
                return CompletableFuture.completedFuture("part");
            }));
        }
        assertThat(new RequestLoop<>(context, parts).run(2)).hasSize(10);
        assertThat(most[0]).isLessThanOrEqualTo(2);
    }

    @Test
    void aClosedContextTakesNoMoreCalls() {
        context.close();
        assertThatThrownBy(() -> run(at -> new CompletableFuture<>())).hasMessageContaining("closed");
        assertThat(gate.running()).isZero();
        assertThat(gate.waiting()).isZero();
    }
}
