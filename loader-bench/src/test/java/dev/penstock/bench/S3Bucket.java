package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.s3.DiskCache;
import dev.penstock.s3.RetryPolicy;
import dev.penstock.s3.S3BlobStore;
import dev.penstock.s3.kit.FaultPlan;
import dev.penstock.s3.kit.FaultProxy;
import dev.penstock.s3.kit.S3Server;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real S3 server with one bucket, a fault proxy before it, and the command line to reach it. */
final class S3Bucket implements AutoCloseable {
    private final S3Server server;
    private final FaultProxy proxy;

    private S3Bucket(S3Server server, FaultProxy proxy) {
        this.server = server;
        this.proxy = proxy;
    }

    /** Starts both, and gives this JVM the server's credentials. */
    static S3Bucket start(Path folder) throws IOException {
        Assumptions.assumeTrue(
                S3Server.available(),
                "the S3 server's class path is absent: build with -am, or set penstock.s3proxy.classpath");
        rightCredentials();
        S3Server server = S3Server.start(Files.createDirectories(folder));
        server.bucket("data");
        return new S3Bucket(server, FaultProxy.start(server.endpoint()));
    }

    static void rightCredentials() {
        System.setProperty("aws.accessKeyId", S3Server.ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", S3Server.SECRET_KEY);
    }

    FaultProxy proxy() {
        return proxy;
    }

    S3Server server() {
        return server;
    }

    /** A store over {@code endpoint} with short waits; the caller closes it. */
    static S3BlobStore.Builder store(URI endpoint) {
        return S3BlobStore.builder()
                .endpoint(endpoint)
                .region("us-east-1")
                .pathStyle(true)
                .retry(RetryPolicy.STANDARD.withWaits(Duration.ofMillis(5), Duration.ofMillis(200)));
    }

    /** Makes s3:// addresses of this JVM go through {@code store}. */
    static S3BlobStore register(S3BlobStore store) {
        BlobStores.register(store);
        return store;
    }

    /** The same with a cache before it. */
    static DiskCache register(S3BlobStore store, Path cache, long limit) {
        DiskCache cached = DiskCache.over(store).folder(cache).limit(limit).build();
        BlobStores.register(cached);
        return cached;
    }

    /** Uploads a folder; returns its address. */
    String upload(Path folder, String name) throws IOException {
        URI target = URI.create("s3://data/" + name + "/");
        try (S3BlobStore store = store(server.endpoint()).build();
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String key = folder.relativize(file).toString().replace('\\', '/');
                try (InputStream content = Files.newInputStream(file)) {
                    store.write(target.resolve(key), content, Files.size(file));
                }
            }
        }
        return target.toString();
    }

    /** Runs a command with the options that lead through the proxy. */
    Said run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--endpoint", proxy.endpoint().toString(), "--region", "us-east-1", "--path-style"));
        return Said.by(all.toArray(String[]::new));
    }

    /** The same, and it has to succeed in silence. */
    Said succeed(String... arguments) {
        Said said = run(arguments);
        assertThat(said.err()).isEmpty();
        assertThat(said.code()).isZero();
        return said;
    }

    /** GETs of objects that the proxy saw; lists are GETs of the bucket. */
    long objectGets() {
        return proxy.seen().stream().filter(S3Bucket::isObjectGet).count();
    }

    static boolean isObjectGet(FaultPlan.Exchange exchange) {
        return exchange.method().equals("GET") && !exchange.path().contains("list-type");
    }

    @Override
    public void close() {
        proxy.close();
        server.close();
    }
}
