package dev.penstock.s3;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkHttpContentPublisher;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.services.s3.S3Utilities;

/**
 * Ranged GETs by the SDK's HTTP client and signer alone, without its S3 client around them. Thread-safe.
 *
 * <p>A loader makes thousands of equal requests, and the S3 client's part of one (endpoint rules, interceptors, marshalling,
 * metrics; docs/performance.md has the figures) costs more than sending and receiving it. Everything else, and whatever is
 * special about a bucket, goes through the S3 client: see {@link #serves}.
 */
final class DirectGets {
    private static final AwsV4HttpSigner SIGNER = AwsV4HttpSigner.create();
    private static final String EXPRESS_BUCKET = "--x-s3";

    private final SdkAsyncHttpClient http;
    private final S3Utilities urls;
    private final String region;
    /** Null for anonymous reading. */
    private final @Nullable AwsCredentialsProvider credentials;

    private final boolean requesterPays;
    /** Set when a bucket turned out to be somewhere else; only ever goes from false to true. */
    private volatile boolean misled;

    DirectGets(
            SdkAsyncHttpClient http,
            S3Utilities urls,
            String region,
            @Nullable AwsCredentialsProvider credentials,
            boolean requesterPays) {
        this.http = http;
        this.urls = urls;
        this.region = region;
        this.credentials = credentials;
        this.requesterPays = requesterPays;
    }

    /** Whether a bucket's objects can be had this way: not where sessions or another region have to be found first. */
    boolean serves(String bucket) {
        return !misled && !bucket.endsWith(EXPRESS_BUCKET);
    }

    /** A bucket is in another region: from now on the S3 client, which finds regions, makes all GETs. */
    void misled() {
        misled = true;
    }

    /** A request for the whole object, to be kept and sent often. */
    SdkHttpFullRequest request(S3Location location) {
        URI uri =
                URI.create(urls.getUrl(where -> where.bucket(location.bucket()).key(location.key()))
                        .toString());
        SdkHttpFullRequest.Builder request =
                SdkHttpFullRequest.builder().method(SdkHttpMethod.GET).uri(uri).putHeader("User-Agent", "penstock");
        if (requesterPays) {
            request.putHeader("x-amz-request-payer", "requester");
        }
        return request.build();
    }

    /**
     * Sends it for one range.
     *
     * @param etag that the object must have; empty for any
     * @return completes when the exchange is over; cancelling it closes the connection
     */
    CompletableFuture<Void> send(SdkHttpFullRequest object, String range, String etag, DirectAnswer answer) {
        SdkHttpFullRequest.Builder request = object.toBuilder().putHeader("Range", range);
        if (!etag.isEmpty()) {
            request.putHeader("If-Match", etag);
        }
        return http.execute(AsyncExecuteRequest.builder()
                .request(signed(request.build()))
                .requestContentPublisher(NoContent.PUBLISHER)
                .responseHandler(answer)
                .build());
    }

    private SdkHttpRequest signed(SdkHttpFullRequest request) {
        if (credentials == null) {
            return request;
        }
        SignRequest<AwsCredentialsIdentity> toSign = SignRequest.<AwsCredentialsIdentity>builder(
                        credentials.resolveCredentials())
                .request(request)
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false)
                .build();
        return SIGNER.sign(toSign).request();
    }

    /** The body of a GET. */
    private static final class NoContent implements SdkHttpContentPublisher {
        static final NoContent PUBLISHER = new NoContent();

        @Override
        public Optional<Long> contentLength() {
            return Optional.of(0L);
        }

        @Override
        public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
            subscriber.onSubscribe(new Subscription() {
                private boolean over;

                @Override
                public void request(long count) {
                    if (!over) {
                        over = true;
                        subscriber.onComplete();
                    }
                }

                @Override
                public void cancel() {
                    over = true;
                }
            });
        }
    }
}
