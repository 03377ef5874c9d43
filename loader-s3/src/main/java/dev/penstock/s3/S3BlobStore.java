package dev.penstock.s3;

import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobException;
import dev.penstock.spi.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
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
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.RequestPayer;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects of S3, or of a server that speaks its protocol, as blobs: {@code s3://bucket/key}. Thread-safe.
 *
 * <p>Reads go straight into the caller's memory; long ranges are fetched in parts side by side. Failures that may pass
 * are tried again by {@link RetryPolicy}; the others, and those that did not pass, are {@link BlobException}s that name
 * bucket, key and what to check. At most {@link Builder#concurrency} requests run at once, fewer while the server
 * throttles. Time spent waiting for that is {@link S3Metrics#queueNanos}, apart from the time of the transfer.
 *
 * <p>The client is made at the first use, so that a store nobody uses asks for no region or credentials. {@link #close}
 * ends every call under way with an error and closes all connections.
 */
public final class S3BlobStore implements BlobStore {
    private final S3Settings settings;
    private final RequestContext context;
    private final HeadMemory heads;
    private final AtomicBoolean etagsAreDigests = new AtomicBoolean(true);
    /** Guarded by this. */
    private S3Clients.@Nullable Connection connection;
    /** Guarded by this. */
    private boolean closed;

    /** With the SDK's default credentials, region and endpoint, for {@link java.util.ServiceLoader}. */
    public S3BlobStore() {
        this(builder().settings(), Ticker.SYSTEM);
    }

    S3BlobStore(S3Settings settings, Ticker ticker) {
        this.settings = settings;
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
    public Blob open(URI uri) throws IOException {
        S3Location location = S3Location.ofObject(uri);
        ObjectHead known = heads.get(location);
        return new S3Blob(this, uri, location, known != null ? known : head(location));
    }

    private ObjectHead head(S3Location location) throws IOException {
        S3AsyncClient s3 = client();
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
        List<Entry> entries = new ArrayList<>();
        ListObjectsV2Request request = ListObjectsV2Request.builder()
                .bucket(location.bucket())
                .prefix(location.prefix())
                .delimiter("/")
                .requestPayer(payer())
                .build();
        while (true) {
            S3AsyncClient s3 = client();
            ListObjectsV2Request page = request;
            ListObjectsV2Response answer = run(what(location, "LIST"), () -> s3.listObjectsV2(page));
            addEntries(location, answer, entries);
            if (!Boolean.TRUE.equals(answer.isTruncated())) {
                break;
            }
            request = request.toBuilder()
                    .continuationToken(answer.nextContinuationToken())
                    .build();
        }
        entries.sort(Comparator.comparing(Entry::name));
        return entries;
    }

    private void addEntries(S3Location folder, ListObjectsV2Response answer, List<Entry> entries) {
        String prefix = folder.prefix();
        for (CommonPrefix common : answer.commonPrefixes()) {
            String name =
                    common.prefix().substring(prefix.length(), common.prefix().length() - 1);
            entries.add(new Entry(new S3Location(folder.bucket(), common.prefix()).uri(), name, 0, true));
        }
        for (S3Object object : answer.contents()) {
            if (object.key().equals(prefix)) {
                continue; // the marker that some tools put for a folder
            }
            S3Location location = new S3Location(folder.bucket(), object.key());
            if (object.eTag() != null) {
                heads.put(location, new ObjectHead(object.size(), object.eTag()));
            }
            entries.add(new Entry(location.uri(), object.key().substring(prefix.length()), object.size(), false));
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
                return false;
            }
            throw e;
        }
    }

    /** Reads a small object whole by one request, without opening it. */
    @Override
    public byte[] readAll(URI uri) throws IOException {
        S3Location location = S3Location.ofObject(uri);
        S3AsyncClient s3 = client();
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
            new S3Writer(client(), context, settings.partSize(), payer()).write(location, content, size);
        } finally {
            heads.forget(location);
        }
    }

    @Override
    public void delete(URI uri) throws IOException {
        S3Location location = S3Location.ofObject(uri);
        S3AsyncClient s3 = client();
        heads.forget(location);
        run(
                what(location, "DELETE"),
                () -> s3.deleteObject(request ->
                        request.bucket(location.bucket()).key(location.key()).requestPayer(payer())));
    }

    @Override
    public void close() {
        S3Clients.Connection last;
        synchronized (this) {
            closed = true;
            last = connection;
            connection = null;
        }
        context.close();
        if (last != null) {
            last.close();
        }
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

    synchronized S3AsyncClient client() throws BlobException {
        if (closed) {
            throw new BlobException("the S3 store was closed; make another", false);
        }
        S3Clients.Connection current = connection;
        if (current == null) {
            current = S3Clients.connect(settings);
            connection = current;
        }
        return current.client();
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
            List<String> wrong = new ArrayList<>();
            check(concurrency >= 1, "concurrency was " + concurrency + ", must be at least 1", wrong);
            check(partSize >= 5 << 20, "partSize was " + partSize + ", must be at least 5 MiB, S3's least part", wrong);
            check(partsAtOnce >= 1, "partsAtOnce was " + partsAtOnce + ", must be at least 1", wrong);
            check(
                    hedgePercentile > 0 && hedgePercentile < 1,
                    "the hedge's percentile was " + hedgePercentile + ", must be between 0 and 1",
                    wrong);
            check(
                    hedgeBudget >= 0 && hedgeBudget <= 1,
                    "the hedge's budget was " + hedgeBudget + ", must be from 0 to 1",
                    wrong);
            check(
                    !connectTimeout.isNegative() && !connectTimeout.isZero(),
                    "connectTimeout was " + connectTimeout + ", must be more than zero",
                    wrong);
            check(!headMemory.isNegative(), "headMemory was " + headMemory + ", must not be negative", wrong);
            check(
                    endpoint == null || (endpoint.getScheme() != null && endpoint.getHost() != null),
                    "endpoint was " + endpoint + ", must be like https://host:port",
                    wrong);
            check(!anonymous || credentials == null, "both anonymous and credentials were set, choose one", wrong);
            if (!wrong.isEmpty()) {
                throw new IllegalArgumentException(String.join("; ", wrong));
            }
            return new S3Settings(
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
        }

        private static void check(boolean right, String text, List<String> wrong) {
            if (!right) {
                wrong.add(text);
            }
        }
    }
}
