package dev.penstock.s3;

import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobException;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.StoreStats;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.RequestPayer;

/**
 * Objects of S3, or of a server that speaks its protocol, as blobs: {@code s3://bucket/key}. Thread-safe.
 *
 * <p>Reads go straight into the caller's memory; long ranges are fetched in parts side by side. Failures that may pass
 * are tried again by {@link RetryPolicy}; the others, and those that did not pass, are {@link BlobException}s that name
 * bucket, key and what to check. At most {@link Builder#concurrency} requests run at once, fewer while the server
 * throttles. Time spent waiting for that is {@link S3Metrics#queueNanos}, apart from the time of the transfer.
 *
 * <p>A store that nobody uses asks for no region or credentials. {@link #close}
 * ends every call under way with an error and closes all connections.
 */
public final class S3BlobStore implements BlobStore {
    private final S3Settings settings;
    private final RequestContext context;
    private final HeadMemory heads;
    private final AtomicBoolean etagsAreDigests = new AtomicBoolean(true);
    private final S3Connection connection;

    /** With the SDK's default credentials, region and endpoint, for {@link java.util.ServiceLoader}. */
    public S3BlobStore() {
        this(builder().settings(), Ticker.SYSTEM);
    }

    S3BlobStore(S3Settings settings, Ticker ticker) {
        this.settings = settings;
        this.connection = new S3Connection(settings);
        this.context = new RequestContext(
                new AdaptiveGate(settings.concurrency()),
                settings.retry(),
                new HedgeClock(settings.hedgePercentile(), settings.hedgeBudget(), Duration.ofMillis(5)),
                ticker,
                () -> ThreadLocalRandom.current().nextDouble());
        this.heads = new HeadMemory(settings.headMemory().toNanos(), ticker);
    }

    /** Settings to change. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String scheme() {
        return "s3";
    }

    /** What was done so far. */
    public S3Metrics metrics() {
        return context.counters().snapshot(context.gate());
    }

    @Override
    public StoreStats stats() {
        return metrics().stats(scheme());
    }

    @Override
    public Blob open(URI uri) throws IOException {
        S3Location location = S3Location.ofObject(uri);
        ObjectHead known = heads.get(location);
        return new S3Blob(this, uri, location, known != null ? known : head(location));
    }

    private ObjectHead head(S3Location location) throws IOException {
        S3AsyncClient s3 = clients().sdk();
        HeadObjectResponse answer = run(
                what(location, "HEAD"),
                () -> s3.headObject(request ->
                        request.bucket(location.bucket()).key(location.key()).requestPayer(payer())));
        ObjectHead head = new ObjectHead(answer.contentLength(), answer.eTag() == null ? "" : answer.eTag());
        heads.put(location, head);
        return head;
    }

    @Override
    public List<Entry> list(URI folder) throws IOException {
        S3Location location = S3Location.of(folder);
        S3AsyncClient s3 = clients().sdk();
        S3Listing listing = new S3Listing(location, heads);
        ListObjectsV2Request request = ListObjectsV2Request.builder()
                .bucket(location.bucket())
                .prefix(location.prefix())
                .delimiter("/")
                .requestPayer(payer())
                .build();
        while (true) {
            ListObjectsV2Request page = request;
            ListObjectsV2Response answer = run(what(location, "LIST"), () -> s3.listObjectsV2(page));
            listing.add(answer);
            if (!Boolean.TRUE.equals(answer.isTruncated())) {
                return listing.sorted();
            }
            request = request.toBuilder()
                    .continuationToken(answer.nextContinuationToken())
                    .build();
        }
    }

    @Override
    public boolean exists(URI uri) throws IOException {
        S3Location location = S3Location.of(uri);
        if (location.key().isEmpty() || location.key().endsWith("/")) {
            return false;
        }
        try {
            head(location);
            return true;
        } catch (BlobException e) {
            if (e.getCause() != null && Failures.kindOf(e.getCause()) == FailureKind.ABSENT) {
                heads.forget(location);
                context.counters().failures.decrement(); // an answer, and none that was given up
                return false;
            }
            throw e;
        }
    }

    /** Reads a small object whole by one request, without opening it. */
    @Override
    public byte[] readAll(URI uri) throws IOException {
        S3Location location = S3Location.ofObject(uri);
        S3AsyncClient s3 = clients().sdk();
        byte[] bytes = run(
                        what(location, "GET"),
                        () -> s3.getObject(
                                request -> request.bucket(location.bucket())
                                        .key(location.key())
                                        .requestPayer(payer()),
                                AsyncResponseTransformer.toBytes()))
                .asByteArrayUnsafe();
        context.counters().reads.increment();
        context.counters().bytesFetched.add(bytes.length);
        context.counters().bytesUsed.add(bytes.length);
        return bytes;
    }

    @Override
    public void write(URI uri, InputStream content, long size) throws IOException {
        S3Location location = S3Location.ofObject(uri);
        try {
            new S3Writer(clients().sdk(), context, settings.partSize(), payer()).write(location, content, size);
        } finally {
            heads.forget(location);
        }
    }

    @Override
    public void delete(URI uri) throws IOException {
        S3Location location = S3Location.ofObject(uri);
        S3AsyncClient s3 = clients().sdk();
        heads.forget(location);
        run(
                what(location, "DELETE"),
                () -> s3.deleteObject(request ->
                        request.bucket(location.bucket()).key(location.key()).requestPayer(payer())));
    }

    @Override
    public void close() {
        context.close();
        connection.close();
    }

    S3Settings settings() {
        return settings;
    }

    RequestContext context() {
        return context;
    }

    HeadMemory heads() {
        return heads;
    }

    AtomicBoolean etagsAreDigests() {
        return etagsAreDigests;
    }

    @Nullable
    RequestPayer payer() {
        return settings.requesterPays() ? RequestPayer.REQUESTER : null;
    }

    S3Clients clients() throws BlobException {
        return connection.clients();
    }

    private <T> T run(String what, Supplier<CompletableFuture<T>> request) throws IOException {
        return new RequestLoop<T>(context, List.of(Operation.of(what, request)))
                .run(1)
                .get(0);
    }

    private static String what(S3Location location, String action) {
        return "s3 bucket " + location.bucket() + ", key " + location.key() + ", " + action;
    }

    /** Settings of a store; {@link #build} checks them all. Not thread-safe. */
    public static final class Builder {
        private @Nullable URI endpoint;
        private @Nullable String region;
        private boolean pathStyle;
        private boolean anonymous;
        private @Nullable AwsCredentialsProvider credentials;
        private boolean requesterPays;
        private int concurrency = 64;
        private int partSize = 8 << 20;
        private int partsAtOnce = 8;
        private RetryPolicy retry = RetryPolicy.STANDARD;
        private double hedgePercentile = 0.95;
        private double hedgeBudget;
        private Duration connectTimeout = Duration.ofSeconds(5);
        private Duration headMemory = Duration.ofMinutes(5);
        private SdkAsyncHttpClient.@Nullable Builder<?> httpClient;

        private Builder() {}

        /** The server to talk to ({@code http://127.0.0.1:9000}) instead of AWS. */
        public Builder endpoint(@Nullable URI value) {
            endpoint = value;
            return this;
        }

        /** The region, instead of the SDK's default chain. */
        public Builder region(@Nullable String value) {
            region = value;
            return this;
        }

        /** Puts the bucket into the path and not into the host's name, as MinIO and Ceph need it mostly. */
        public Builder pathStyle(boolean value) {
            pathStyle = value;
            return this;
        }

        /** Signs no request, for public buckets. */
        public Builder anonymous(boolean value) {
            anonymous = value;
            return this;
        }

        /** Credentials, instead of the SDK's default chain. */
        public Builder credentials(@Nullable AwsCredentialsProvider value) {
            credentials = value;
            return this;
        }

        /** Agrees to pay for requests to buckets whose owner does not. */
        public Builder requesterPays(boolean value) {
            requesterPays = value;
            return this;
        }

        /** Most requests at once; 64. The client has some connections more, so none ever waits inside it. */
        public Builder concurrency(int value) {
            concurrency = value;
            return this;
        }

        /** Bytes of one request, about; 8 MiB. Ranges of more than 1.5 times as many are fetched in parts. */
        public Builder partSize(int value) {
            partSize = value;
            return this;
        }

        /** Most parts of one read under way at once; 8. */
        public Builder partsAtOnce(int value) {
            partsAtOnce = value;
            return this;
        }

        /** When to try again. */
        public Builder retry(RetryPolicy value) {
            retry = value;
            return this;
        }

        /**
         * Sends a second, equal request when the first gave no byte within a percentile of the recent times to first
         * byte. Off unless called.
         *
         * @param percentile in (0, 1): 0.95 hedges the slowest twentieth
         * @param budget most hedges per request: 0.05 adds at most 5 % of requests
         */
        public Builder hedge(double percentile, double budget) {
            hedgePercentile = percentile;
            hedgeBudget = budget;
            return this;
        }

        /** Time to get a connection; 5 s. */
        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        /** How long size and etag of an object are believed without asking again; 5 min. Zero asks at every opening. */
        public Builder headMemory(Duration value) {
            headMemory = value;
            return this;
        }

        /** Another HTTP client, which must have at least as many connections; for comparisons. */
        Builder httpClient(SdkAsyncHttpClient.@Nullable Builder<?> value) {
            httpClient = value;
            return this;
        }

        /**
         * The store.
         *
         * @throws IllegalArgumentException naming every wrong setting, its value and what it needs
         */
        public S3BlobStore build() {
            return new S3BlobStore(settings(), Ticker.SYSTEM);
        }

        S3Settings settings() {
            S3Settings settings = new S3Settings(
                    endpoint,
                    region,
                    pathStyle,
                    anonymous,
                    credentials,
                    requesterPays,
                    concurrency,
                    partSize,
                    partsAtOnce,
                    retry,
                    hedgePercentile,
                    hedgeBudget,
                    connectTimeout,
                    headMemory,
                    httpClient);
            List<String> wrong = settings.complaints();
            if (!wrong.isEmpty()) {
                throw new IllegalArgumentException(String.join("; ", wrong));
            }
            return settings;
        }
    }
}
