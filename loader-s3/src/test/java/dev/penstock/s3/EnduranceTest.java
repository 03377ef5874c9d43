package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.s3.kit.Fault;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.s3.kit.FaultProxy;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Many faults, many openings, many abandoned reads: nothing wrong, lost or left. */
class EnduranceTest {

    @Test
    void mixedFailuresCostNoReadAndNoByte() throws Exception {
        try (FaultProxy proxy = S3Fixture.proxy()) {
            MixedFaultsRun.Result result =
                    MixedFaultsRun.run(proxy, S3Fixture.folder().resolve("clip"), 300, 0.05, 3);
            assertThat(result.right()).isEqualTo(300);
            assertThat(result.metrics().retries()).isPositive();
            assertThat(result.metrics().failures()).isZero();
            assertThat(result.metrics().running()).isZero();
        }
    }

    @Test
    void abandonedReadsLeaveNoConnectionBehind() throws Exception {
        try (FaultProxy proxy = S3Fixture.proxy()) {
            URI uri = S3Fixture.folder().resolve("clip");
            RetryPolicy once =
                    S3Fixture.quickRetries().withAttempts(1).withTimeouts(Duration.ofMillis(20), Duration.ofSeconds(1));
            try (S3BlobStore patient = S3Fixture.to(proxy.endpoint()).build()) {
                S3Fixture.write(patient, uri, S3Fixture.bytes(1, 100_000));
            }
            // A pool of ten: were one connection in five lost, the reads would fail by waiting for one.
            try (S3BlobStore store = S3Fixture.to(proxy.endpoint())
                            .concurrency(2)
                            .retry(once)
                            .build();
                    S3BlobStore reader =
                            S3Fixture.to(proxy.endpoint()).concurrency(2).build();
                    Blob blob = reader.open(uri)) {
                String etag = blob.identity().substring(blob.identity().indexOf('-') + 1);
                store.heads().put(S3Location.of(uri), new ObjectHead(100_000, "\"" + etag + "\""));
                Blob hasty = store.open(uri);
                proxy.plan(FaultPlan.always(Fault.stall(5_000)));
                for (int i = 0; i < 60; i++) {
                    assertTimesOut(hasty);
                }
                proxy.plan(FaultPlan.none());
                Awaitility.await().until(() -> proxy.connections() <= 2);
                for (int i = 0; i < 30; i++) {
                    blob.read(i, ByteBuffer.allocate(1_000));
                }
                assertThat(store.metrics().running()).isZero();
            }
            Awaitility.await().until(() -> proxy.connections() == 0);
        }
    }

    private static void assertTimesOut(Blob blob) throws IOException {
        try {
            blob.read(0, ByteBuffer.allocate(50_000));
            throw new AssertionError("a stalled read came to its end");
        } catch (BlobException e) {
            assertThat(e).hasMessageContaining("time");
        }
    }

    @Test
    void aThousandOpenedBlobsAndThirtyClosedStoresLeaveNothing() throws Exception {
        try (FaultProxy proxy = S3Fixture.proxy()) {
            URI uri = S3Fixture.folder().resolve("clip");
            try (S3BlobStore store = S3Fixture.to(proxy.endpoint()).build()) {
                S3Fixture.write(store, uri, S3Fixture.bytes(1, 1_000));
                for (int i = 0; i < 1_000; i++) {
                    try (Blob blob = store.open(uri)) {
                        assertThat(blob.size()).isEqualTo(1_000);
                    }
                }
                assertThat(store.metrics().requests()).isEqualTo(2); // the PUT and one HEAD
            }
            for (int i = 0; i < 30; i++) {
                try (S3BlobStore store = S3Fixture.to(proxy.endpoint()).build();
                        Blob blob = store.open(uri)) {
                    blob.read(0, ByteBuffer.allocate(1_000));
                }
            }
            Awaitility.await().until(() -> proxy.connections() == 0);
            Awaitility.await()
                    .until(() -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().startsWith("penstock-s3-io")));
        }
    }

    @Test
    void closingUnderLoadIsSilent() throws Exception {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try (FaultProxy proxy = S3Fixture.proxy()) {
            URI uri = S3Fixture.folder().resolve("clip");
            try (S3BlobStore store = S3Fixture.to(proxy.endpoint()).build()) {
                S3Fixture.write(store, uri, S3Fixture.bytes(1, 300_000));
            }
            System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8)); // where the tests' logger writes
            for (int round = 0; round < 10; round++) {
                S3BlobStore store = S3Fixture.to(proxy.endpoint()).build();
                Blob blob = store.open(uri);
                CountDownLatch reading = new CountDownLatch(8);
                List<Thread> readers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    Thread reader = new Thread(() -> readUntilClosed(blob, reading));
                    reader.start();
                    readers.add(reader);
                }
                reading.await();
                store.close();
                for (Thread reader : readers) {
                    reader.join();
                }
            }
        } finally {
            System.setErr(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).doesNotContain("ERROR", "RejectedExecutionException");
    }

    private static void readUntilClosed(Blob blob, CountDownLatch reading) {
        try {
            while (true) {
                blob.read(0, ByteBuffer.allocate(300_000));
                reading.countDown();
            }
        } catch (IOException e) {
            reading.countDown(); // the store was closed
        }
    }

    @Test
    void metersShowWhatTheStoreDid() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (S3BlobStore store = S3Fixture.to(S3Fixture.server().endpoint()).build()) {
            new S3Meters(store, null).bindTo(registry);
            S3Fixture.write(store, S3Fixture.folder().resolve("x"), new byte[10]);
            assertThat(registry.get("penstock.s3.requests").functionCounter().count())
                    .isEqualTo(1);
            assertThat(store.exists(S3Fixture.folder().resolve("absent"))).isFalse();
            assertThat(registry.get("penstock.s3.failures").functionCounter().count())
                    .isZero();
            assertThat(registry.get("penstock.s3.written").functionCounter().count())
                    .isEqualTo(10);
            assertThat(registry.get("penstock.s3.limit").gauge().value()).isEqualTo(64);
        }
    }

    @Test
    void wrongSettingsAreAllReported() {
        S3BlobStore.Builder builder =
                S3BlobStore.builder().concurrency(0).partSize(1).hedge(2, 3).endpoint(URI.create("localhost"));
        org.assertj.core.api.Assertions.assertThatThrownBy(builder::build)
                .hasMessageContaining("concurrency was 0")
                .hasMessageContaining("partSize was 1")
                .hasMessageContaining("percentile was 2")
                .hasMessageContaining("endpoint was localhost");
    }
}
