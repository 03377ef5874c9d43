package dev.penstock.bench;

import dev.penstock.s3.DiskCache;
import dev.penstock.s3.RetryPolicy;
import dev.penstock.s3.S3BlobStore;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.BlobStores;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How s3:// addresses are reached. Credentials, region and endpoint come from the SDK's default chain where not given. */
final class StorageOptions {
    /** Of the times to first byte: those beyond it are hedged. */
    private static final double SLOW = 0.95;

    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Option(names = "--endpoint", paramLabel = "URL", description = "S3 server instead of AWS: http://127.0.0.1:9000.")
    @Nullable
    URI endpoint;

    @Option(names = "--region", paramLabel = "NAME", description = "S3 region. Default: AWS_REGION or the profile's.")
    @Nullable
    String region;

    @Option(names = "--path-style", description = "Bucket in the path, not in the host: MinIO, Ceph.")
    boolean pathStyle;

    @Option(names = "--anonymous", description = "Sign no request: public buckets.")
    boolean anonymous;

    @Option(names = "--requester-pays", description = "Agree to pay for the requests.")
    boolean requesterPays;

    @Option(
            names = "--requests",
            paramLabel = "N",
            defaultValue = "64",
            description = "Most S3 requests at once (${DEFAULT-VALUE}).")
    int requests;

    @Option(
            names = "--hedge",
            paramLabel = "SHARE",
            defaultValue = "0",
            description =
                    "Ask again where S3's first byte is among the slowest 5 %%, for at most this share of requests,"
                            + " such as 0.05. Default: never.")
    double hedge;

    @Option(
            names = "--retry-for",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description =
                    "Most time for all attempts of one S3 request: longer outages end the run (${DEFAULT-VALUE}).")
    double retryFor;

    @Option(names = "--cache", paramLabel = "DIR", description = "Keep what is read from S3 in this folder.")
    @Nullable
    Path cache;

    @Option(
            names = "--cache-size",
            paramLabel = "SIZE",
            defaultValue = "10g",
            description = "Most that the cache may hold (${DEFAULT-VALUE}).")
    String cacheSize;

    /** Confined to the thread that runs the command. */
    private @Nullable BlobStore opened;

    /** Makes s3:// addresses of this JVM use these settings until the command ends. */
    void register() {
        BlobStore store = store();
        opened = store;
        BlobStores.register(store);
    }

    /** Ends its connections; without any, nothing. */
    void close() {
        BlobStore store = opened;
        if (store != null) {
            store.close();
        }
    }

    private BlobStore store() {
        try {
            BlobStore store = S3BlobStore.builder()
                    .endpoint(endpoint)
                    .region(region)
                    .pathStyle(pathStyle)
                    .anonymous(anonymous)
                    .requesterPays(requesterPays)
                    .concurrency(requests)
                    .hedge(SLOW, hedge)
                    .retry(RetryPolicy.STANDARD.lasting(Duration.ofMillis(Math.round(1_000 * retryFor))))
                    .build();
            return cache == null
                    ? store
                    : DiskCache.over(store)
                            .folder(cache)
                            .limit(LoadOptions.bytes(cacheSize))
                            .build();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
