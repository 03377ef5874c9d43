package dev.penstock.s3;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    /** Every wrong setting, with its value and what it needs. */
    List<String> complaints() {
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
        return wrong;
    }

    private static void check(boolean right, String text, List<String> wrong) {
        if (!right) {
            wrong.add(text);
        }
    }

    boolean hedges() {
        return hedgeBudget > 0;
    }

    /** Connections of the HTTP client: more than may be in use, so that cancelled ones have time to close. */
    int poolSize() {
        return concurrency + Math.max(8, concurrency / 4);
    }
}
