package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.s3.S3BlobStore;
import dev.penstock.s3.S3Metrics;
import dev.penstock.s3.kit.Fault;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.spi.Blob;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How fast 16 readers over a link of 30 ms come back after 20 seconds in which the server told everybody to slow down. */
@Tag("quiet")
class S3ThrottleTest {
    private static final Logger LOG = LoggerFactory.getLogger(S3ThrottleTest.class);
    private static final int READERS = 16;
    private static final Duration SPAN = Duration.ofSeconds(2);

    @TempDir
    Path folder;

    private final LongAdder reads = new LongAdder();
    private final AtomicBoolean over = new AtomicBoolean();

    @Test
    void throughputIsBackWithinHalfAMinute() throws Exception {
        URI uri = URI.create("s3://data/throttled/clip");
        try (S3Bucket bucket = S3Bucket.start(folder.resolve("server"));
                S3BlobStore store = S3Bucket.store(bucket.proxy().endpoint())
                        .retry(dev.penstock.s3.RetryPolicy.STANDARD)
                        .build()) {
            store.write(uri, new ByteArrayInputStream(new byte[1 << 20]), 1 << 20);
            bucket.proxy().link(Duration.ofMillis(30), 50_000_000);
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            try (Blob blob = store.open(uri)) {
                for (int i = 0; i < READERS; i++) {
                    CompletableFuture<Void> ended = new CompletableFuture<>();
                    new Thread(() -> read(blob, ended)).start();
                    readers.add(ended);
                }
                rate(Duration.ofSeconds(8)); // warms up
                double before = rate(Duration.ofSeconds(8));
                bucket.proxy().plan(FaultPlan.always(Fault.status(503)));
                double during = rate(Duration.ofSeconds(20));
                S3Metrics throttled = store.metrics();
                bucket.proxy().plan(FaultPlan.none());
                long start = System.nanoTime();
                double after = rate(SPAN);
                while (after < 0.9 * before
                        && System.nanoTime() - start < Duration.ofSeconds(60).toNanos()) {
                    after = rate(SPAN);
                }
                double seconds = (System.nanoTime() - start) / 1e9;
                LOG.info(
                        "reads a second: {} before, {} while throttled (limit down to {}), {} after {} s",
                        before,
                        during,
                        throttled.limit(),
                        after,
                        seconds);
                assertThat(throttled.limit()).isLessThan(READERS);
                assertThat(seconds).isLessThan(30);
                over.set(true);
                readers.forEach(CompletableFuture::join);
            }
        }
    }

    private void read(Blob blob, CompletableFuture<Void> ended) {
        try {
            ByteBuffer memory = ByteBuffer.allocateDirect(24_000);
            while (!over.get()) {
                blob.read(0, memory.clear());
                reads.increment();
            }
            ended.complete(null);
        } catch (Exception e) {
            ended.completeExceptionally(e);
        }
    }

    /** Reads a second over a span that begins now. */
    private double rate(Duration span) {
        long from = reads.sum();
        long start = System.nanoTime();
        Awaitility.await().atMost(span.multipliedBy(2)).until(() -> System.nanoTime() - start >= span.toNanos());
        return (reads.sum() - from) * 1e9 / (System.nanoTime() - start);
    }
}
