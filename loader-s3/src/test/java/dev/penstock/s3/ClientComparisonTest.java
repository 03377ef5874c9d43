package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.s3.kit.RangeServer;
import dev.penstock.s3.kit.S3Server;
import dev.penstock.spi.Blob;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The same ranged reads by 16 threads through Netty, CRT and the sync Apache client, and through Netty with the SDK's S3 client before it, over a link of 30 ms and 50 MB/s per
 * connection, served by a JVM of its own: reads per second and CPU of this JVM per read. The figures and the choice stand in
 * docs/decisions.md. System properties: {@code penstock.reads}, {@code penstock.readBytes}.
 */
@Tag("quiet")
class ClientComparisonTest {
    private static final Logger LOG = LoggerFactory.getLogger(ClientComparisonTest.class);
    private static final int THREADS = 16;
    private static final int ROUNDS = 4; // the first warms up
    private static final int OBJECT = 8 << 20;
    private static final URI CLIP = URI.create("s3://data/comparison/clip");
    private static final byte[] CONTENT = S3Fixture.bytes(1, OBJECT);

    private interface Reader {
        void read(long from, ByteBuffer target) throws Exception;
    }

    @TempDir
    Path folder;

    @Test
    void eachClientReadsTheSameBytesAndItsCostIsSaid() throws Exception {
        int reads = Integer.getInteger("penstock.reads", 1_000);
        int size = Integer.getInteger("penstock.readBytes", 512 << 10);
        Files.createDirectories(folder.resolve("data/comparison"));
        Files.write(folder.resolve("data/comparison/clip"), CONTENT);
        try (RangeServer link = RangeServer.start(folder, Duration.ofMillis(30), 50_000_000)) {
            for (int round = 0; round < ROUNDS; round++) {
                async("netty", S3Fixture.to(link.endpoint()).build(), true, reads, size);
                async("netty, S3 client", S3Fixture.to(link.endpoint()).build(), false, reads, size);
                async(
                        "crt",
                        S3Fixture.to(link.endpoint())
                                .httpClient(AwsCrtAsyncHttpClient.builder().maxConcurrency(80))
                                .build(),
                        true,
                        reads,
                        size);
                sync(link.endpoint(), reads, size);
            }
        }
    }

    /** @param direct as a store does it, or by the SDK's S3 client */
    private static void async(String name, S3BlobStore store, boolean direct, int reads, int size) throws Exception {
        if (!direct) {
            store.clients().direct().misled();
        }
        try (store;
                Blob blob = store.open(CLIP)) {
            measure(name, reads, size, blob::read);
        }
    }

    private static void sync(URI endpoint, int reads, int size) throws Exception {
        ThreadLocal<byte[]> scratch = ThreadLocal.withInitial(() -> new byte[64 << 10]);
        try (S3Client client = S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(S3Server.ACCESS_KEY, S3Server.SECRET_KEY)))
                .httpClientBuilder(Apache5HttpClient.builder().maxConnections(80))
                .build()) {
            measure("sync", reads, size, (from, target) -> {
                String range = "bytes=" + from + "-" + (from + target.remaining() - 1);
                try (InputStream in = client.getObject(
                        request -> request.bucket("data").key("comparison/clip").range(range))) {
                    byte[] some = scratch.get();
                    for (int count = in.read(some); count > 0; count = in.read(some)) {
                        target.put(some, 0, count);
                    }
                }
            });
        }
    }

    private static void measure(String name, int reads, int size, Reader reader) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            ThreadLocal<ByteBuffer> memory = ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(size));
            List<Callable<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < reads; i++) {
                long from = new SplittableRandom(i).nextInt(OBJECT - size);
                all.add(() -> {
                    ByteBuffer target = memory.get().clear();
                    reader.read(from, target);
                    return target.flip().equals(ByteBuffer.wrap(CONTENT, (int) from, size));
                });
            }
            long cpu = cpuNanos();
            long start = System.nanoTime();
            for (Future<Boolean> done : threads.invokeAll(all)) {
                assertThat(done.get()).as(name).isTrue();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            LOG.info(String.format(
                    Locale.ROOT,
                    "%-16s %6.1f reads/s %7.1f MB/s %6.2f ms CPU per read",
                    name,
                    reads / seconds,
                    reads / seconds * size / 1e6,
                    (cpuNanos() - cpu) / 1e6 / reads));
        } finally {
            threads.shutdownNow();
        }
    }

    /** Of this JVM. */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }
}
