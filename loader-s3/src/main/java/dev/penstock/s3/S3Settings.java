package dev.penstock.s3;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/** A store's settings as its builder checked them. Immutable. */
record S3Settings(
        @Nullable URI endpoint,
        @Nullable String region,
        boolean pathStyle,
        boolean anonymous,
        @Nullable AwsCredentialsProvider credentials,
        boolean requesterPays,
        int concurrency,
        int partSize,
        int partsAtOnce,
        RetryPolicy retry,
        double hedgePercentile,
        double hedgeBudget,
        Duration connectTimeout,
        Duration headMemory,
        SdkAsyncHttpClient.@Nullable Builder<?> httpClient) {

    boolean hedges() {
        return hedgeBudget > 0;
    }

    /** Connections of the HTTP client: more than may be in use, so that cancelled ones have time to close. */
    int poolSize() {
        return concurrency + Math.max(8, concurrency / 4);
    }
}
