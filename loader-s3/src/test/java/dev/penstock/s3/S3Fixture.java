package dev.penstock.s3;

import dev.penstock.s3.kit.FaultProxy;
import dev.penstock.s3.kit.S3Server;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** One server for all tests of this JVM, and stores that talk to it. */
final class S3Fixture {
    private static final AtomicInteger FOLDERS = new AtomicInteger();

    private static final class Shared {
        static final S3Server SERVER = start();

        private static S3Server start() {
            try {
                Path folder = Files.createTempDirectory("penstock-s3-test");
                S3Server server = S3Server.start(folder);
                server.bucket("data");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private S3Fixture() {}

    static S3Server server() {
        Assumptions.assumeTrue(
                S3Server.available(),
                "the S3 server's class path is absent: build with -am, or set penstock.s3proxy.classpath");
        return Shared.SERVER;
    }

    /** A folder that no other test uses. */
    static URI folder() {
        return URI.create("s3://data/test-" + FOLDERS.incrementAndGet() + "/");
    }

    /** A proxy before the server. */
    static FaultProxy proxy() throws IOException {
        return FaultProxy.start(server().endpoint());
    }

    /** Retries that wait next to nothing, so that no test does. */
    static RetryPolicy quickRetries() {
        return RetryPolicy.STANDARD
                .withWaits(Duration.ofMillis(1), Duration.ofMillis(4))
                .withTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(60));
    }

    static S3BlobStore.Builder to(URI endpoint) {
        return S3BlobStore.builder()
                .endpoint(endpoint)
                .region("us-east-1")
                .pathStyle(true)
                .credentials(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(S3Server.ACCESS_KEY, S3Server.SECRET_KEY)))
                .retry(quickRetries());
    }

    static byte[] bytes(long seed, int size) {
        byte[] bytes = new byte[size];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    static void write(S3BlobStore store, URI uri, byte[] content) throws IOException {
        store.write(uri, new ByteArrayInputStream(content), content.length);
    }

    private static void remove(Path folder) {
        try (java.util.stream.Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            return; // the server may still be writing; the folder is a temporary one
        }
    }
}
