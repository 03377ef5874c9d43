package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.s3.kit.Fault;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.s3.kit.FaultPlan.Exchange;
import dev.penstock.s3.kit.FaultProxy;
import dev.penstock.s3.kit.S3Server;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Each fault between client and server, alone: what may pass is ridden out, what may not is said at once. */
class FaultsTest {
    private static final int SIZE = 300_000;
    private static final byte[] CONTENT = S3Fixture.bytes(77, SIZE);

    private static boolean gets(Exchange exchange) {
        return exchange.method().equals("GET");
    }

    private FaultProxy proxy;
    private S3BlobStore store;
    private URI uri;

    @BeforeEach
    void open() throws IOException {
        proxy = S3Fixture.proxy();
        store = S3Fixture.to(proxy.endpoint()).build();
        uri = S3Fixture.folder().resolve("clip.mp4");
        S3Fixture.write(store, uri, CONTENT);
    }

    @AfterEach
    void close() {
        if (store != null) {
            store.close();
            proxy.close();
        }
    }

    static Stream<Fault> passing() {
        return Stream.of(
                Fault.status(503),
                Fault.status(500),
                Fault.cut(0),
                Fault.cut(100_000),
                Fault.reset(50_000),
                Fault.refuse(),
                Fault.shorter(1_000));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void aFaultThatPassesIsTriedAgainAndTheBytesAreRight(Fault fault) throws IOException {
        try (Blob blob = store.open(uri)) {
            proxy.plan(FaultPlan.first(FaultsTest::gets, fault, fault));
            assertRange(blob, 20_000, 250_000);
        }
        assertThat(proxy.injected(fault.kind())).isEqualTo(2);
        assertThat(store.metrics().retries()).isEqualTo(2);
        assertThat(store.metrics().failures()).isZero();
    }

    @Test
    void aStalledBodyEndsWithItsAttempt() throws IOException {
        try (S3BlobStore impatient = S3Fixture.to(proxy.endpoint())
                        .retry(S3Fixture.quickRetries().withTimeouts(Duration.ofMillis(400), Duration.ofSeconds(60)))
                        .build();
                Blob blob = impatient.open(uri)) {
            proxy.plan(FaultPlan.first(FaultsTest::gets, Fault.stall(10_000)));
            assertRange(blob, 0, 200_000);
            assertThat(impatient.metrics().retriesByReason().get("timeout")).isGreaterThanOrEqualTo(1);
        }
    }

    @Test
    void aTurnedBitOfAWholeObjectIsNoticedByItsEtag() throws IOException {
        try (Blob blob = store.open(uri)) {
            proxy.plan(FaultPlan.first(FaultsTest::gets, Fault.flip(12_345)));
            assertRange(blob, 0, SIZE);
        }
        assertThat(store.metrics().retriesByReason()).containsEntry("digest", 1L);
    }

    @Test
    void throttlingHalvesTheLimitAndSuccessBringsItBack() throws IOException {
        try (Blob blob = store.open(uri)) {
            proxy.plan(FaultPlan.first(FaultsTest::gets, Fault.status(503), Fault.status(503), Fault.status(503)));
            assertRange(blob, 0, 1_000);
            assertThat(store.metrics().limit()).isEqualTo(8);
            assertThat(store.metrics().throttles()).isEqualTo(3);
        }
    }

    @Test
    void aReplacedObjectIsAnErrorAtOnceAndOpensAnew() throws IOException {
        try (Blob old = store.open(uri)) {
            S3Fixture.write(store, uri, S3Fixture.bytes(78, SIZE));
            long before = store.metrics().requests();
            assertThatThrownBy(() -> old.read(0, ByteBuffer.allocate(100)))
                    .isInstanceOfSatisfying(
                            BlobException.class,
                            e -> assertThat(e.isRetryable()).isFalse())
                    .hasMessageContaining("bucket data")
                    .hasMessageContaining("clip.mp4")
                    .hasMessageContaining("replaced");
            assertThat(store.metrics().requests() - before).isEqualTo(1);
        }
        try (Blob now = store.open(uri)) {
            ByteBuffer first = ByteBuffer.allocate(100);
            now.read(0, first);
            assertThat(first.array()).isEqualTo(java.util.Arrays.copyOf(S3Fixture.bytes(78, SIZE), 100));
        }
    }

    @Test
    void aDeletedObjectIsAnErrorAtOnce() throws IOException {
        try (Blob blob = store.open(uri)) {
            store.delete(uri);
            assertThatThrownBy(() -> blob.read(0, ByteBuffer.allocate(100)))
                    .isInstanceOf(BlobException.class)
                    .hasMessageContaining("key test-")
                    .hasMessageContaining("does not exist");
            assertThat(store.metrics().retries()).isZero();
        }
    }

    @Test
    void wrongCredentialsAreSaidAtOnce() {
        try (S3BlobStore stranger = S3Fixture.to(proxy.endpoint())
                .credentials(StaticCredentialsProvider.create(AwsBasicCredentials.create(S3Server.ACCESS_KEY, "wrong")))
                .build()) {
            assertThatThrownBy(() -> stranger.open(uri))
                    .isInstanceOf(BlobException.class)
                    .hasMessageContaining("bucket data")
                    .hasMessageContaining("refused")
                    .hasMessageContaining("credentials");
            assertThat(stranger.metrics().requests()).isEqualTo(1);
        }
    }

    @Test
    void anAnonymousStoreSignsNothing() {
        try (S3BlobStore anonymous =
                S3Fixture.to(proxy.endpoint()).credentials(null).anonymous(true).build()) {
            assertThatThrownBy(() -> anonymous.readAll(uri)).hasMessageContaining("refused");
        }
    }

    @Test
    void anAnonymousStoreSignsNoRangeAndAPayingOneAgreesWithEachRequest() throws IOException {
        try (Blob blob = store.open(uri)) {
            assertRange(blob, 5, 100);
        }
        assertThat(lastGet()).containsIgnoringCase("\nauthorization: AWS4-HMAC-SHA256");
        assertThat(lastGet()).doesNotContainIgnoringCase("x-amz-request-payer");
        proxy.plan(FaultPlan.always(Fault.status(403))); // S3Proxy knows no requester pays, and has no public bucket
        refusedRange(S3Fixture.to(proxy.endpoint()).requesterPays(true));
        assertThat(lastGet()).contains("x-amz-request-payer: requester").contains("bytes=0-9");
        refusedRange(S3Fixture.to(proxy.endpoint()).credentials(null).anonymous(true));
        assertThat(lastGet()).contains("bytes=0-9").doesNotContainIgnoringCase("authorization:");
    }

    private void refusedRange(S3BlobStore.Builder builder) throws IOException {
        try (S3BlobStore other = builder.build()) {
            Blob blob = new S3Blob(other, uri, S3Location.ofObject(uri), new ObjectHead(SIZE, "\"e\""));
            assertThatThrownBy(() -> blob.read(0, ByteBuffer.allocate(10))).hasMessageContaining("refused");
        }
    }

    @Test
    void whatTheServerDoesNotKnowIsNotAskedAgain() throws IOException {
        try (Blob blob = store.open(uri)) {
            proxy.plan(FaultPlan.always(Fault.status(501)));
            assertThatThrownBy(() -> blob.read(0, ByteBuffer.allocate(10)))
                    .hasMessageContaining("does not accept the request");
            assertThat(store.metrics().retries()).isZero();
        }
    }

    private String lastGet() {
        return proxy.seen().get(proxy.seen().size() - 1).head();
    }

    @Test
    void aBucketThatIsElsewhereIsReadByTheS3ClientWhichFindsRegions() throws IOException {
        try (Blob blob = store.open(uri)) {
            proxy.plan(FaultPlan.first(FaultsTest::gets, Fault.status(301)));
            assertRange(blob, 0, 1_000);
            assertThat(store.metrics().retriesByReason()).containsEntry("moved", 1L);
            assertThat(lastGet()).contains("aws-sdk-java");
            assertRange(blob, 7, 1_000);
            assertThat(lastGet()).contains("aws-sdk-java");
            assertThat(store.metrics().retries()).isEqualTo(1);
        }
    }

    @Test
    void keysOfAnyLettersAreReadByRanges() throws IOException {
        for (String name : List.of("a b.mp4", "plus+and&=.mp4", "ümläut.mp4", "100%25.mp4", "(br)ack~et'!*.mp4")) {
            URI odd = URI.create(uri.resolve(".")
                    + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"));
            S3Fixture.write(store, odd, CONTENT);
            try (Blob blob = store.open(odd)) {
                assertRange(blob, 3, 1_000);
            }
        }
    }

    @Test
    void anOutageThatOutlastsTheBudgetIsReported() throws IOException {
        try (Blob blob = store.open(uri)) {
            proxy.down(true);
            assertThatThrownBy(() -> blob.read(0, ByteBuffer.allocate(100)))
                    .isInstanceOfSatisfying(
                            BlobException.class,
                            e -> assertThat(e.isRetryable()).isFalse())
                    .hasMessageContaining("20 attempts")
                    .hasMessageContaining("bytes 0 to 99");
            proxy.down(false);
            assertRange(blob, 0, 1_000);
        }
    }

    @Test
    void aWriteIsTriedAgainToo() throws IOException {
        URI other = uri.resolve("other");
        proxy.plan(
                FaultPlan.first(e -> e.method().equals("PUT"), Fault.status(500), Fault.refuse(), Fault.status(503)));
        S3Fixture.write(store, other, CONTENT);
        proxy.plan(FaultPlan.none());
        assertThat(store.readAll(other)).isEqualTo(CONTENT);
    }

    @Test
    void aHedgeOvertakesASlowFirstByte() throws IOException {
        try (S3BlobStore hedging =
                        S3Fixture.to(proxy.endpoint()).hedge(0.9, 0.1).build();
                Blob blob = hedging.open(uri)) {
            for (int i = 0; i < 64; i++) {
                assertRange(blob, i * 100, 100);
            }
            proxy.plan(FaultPlan.first(FaultsTest::gets, Fault.delay(Duration.ofSeconds(19))));
            assertRange(blob, 1_000, 100_000);
            S3Metrics metrics = hedging.metrics();
            assertThat(metrics.hedgesWon()).isGreaterThanOrEqualTo(1);
            assertThat(metrics.hedges()).isLessThanOrEqualTo(metrics.requests() / 10);
            assertThat(metrics.retries()).isZero();
        }
    }

    @Test
    void closingTheStoreEndsAReadUnderWay() throws Exception {
        Blob blob = store.open(uri);
        proxy.plan(FaultPlan.always(Fault.stall(0)));
        Outcome outcome = readInBackground(blob);
        Awaitility.await().until(() -> proxy.injected(Fault.Kind.STALL) == 1);
        store.close();
        assertThat(outcome.await()).isInstanceOf(BlobException.class).hasMessageContaining("closed");
    }

    @Test
    void anInterruptEndsAReadAndWritesNothingAfterwards() throws Exception {
        Blob blob = store.open(uri);
        proxy.plan(FaultPlan.always(Fault.slow(20_000)));
        Outcome outcome = readInBackground(blob);
        Awaitility.await().until(() -> store.metrics().bytesFetched() > 0);
        int before = proxy.connections();
        outcome.thread().interrupt();
        assertThat(outcome.await()).isInstanceOf(InterruptedIOException.class);
        byte[] then = outcome.memory().array().clone();
        Awaitility.await().until(() -> proxy.connections() < before); // the request is cut, not drained
        assertThat(outcome.memory().array()).isEqualTo(then);
    }

    private record Outcome(
            Thread thread, ByteBuffer memory, java.util.concurrent.CompletableFuture<Throwable> failure) {
        Throwable await() throws Exception {
            return failure.get(60, java.util.concurrent.TimeUnit.SECONDS);
        }
    }

    private static Outcome readInBackground(Blob blob) {
        java.util.concurrent.CompletableFuture<Throwable> failure = new java.util.concurrent.CompletableFuture<>();
        ByteBuffer memory = ByteBuffer.allocate(SIZE);
        Thread thread = new Thread(() -> {
            try {
                blob.read(0, memory);
                failure.complete(new AssertionError("the read came to its end"));
            } catch (IOException e) {
                failure.complete(e);
            }
        });
        thread.start();
        return new Outcome(thread, memory, failure);
    }

    private static void assertRange(Blob blob, int from, int size) throws IOException {
        ByteBuffer target = ByteBuffer.allocateDirect(size);
        blob.read(from, target);
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(CONTENT, from, size));
    }
}
