package dev.penstock.s3;

import dev.penstock.spi.BlobException;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/**
 * The SDK's parts that one store uses: one HTTP client (Netty; why, by measurement, is in docs/decisions.md), the S3 client
 * over it, and {@link DirectGets} over it too. No retries of its own, futures completed on the client's thread, checksums
 * only where the protocol demands them, because most S3-compatible servers know no others. Thread-safe.
 */
final class S3Clients {
    private static final int RECEIVE_BUFFER = 64 << 10;

    private final SdkAsyncHttpClient http;
    private final S3AsyncClient sdk;
    private final DirectGets direct;
    /** Made here and to be closed here; null where the settings bring credentials or need none. */
    private final @Nullable DefaultCredentialsProvider chain;

    private S3Clients(
            SdkAsyncHttpClient http, S3AsyncClient sdk, DirectGets direct, @Nullable DefaultCredentialsProvider chain) {
        this.http = http;
        this.sdk = sdk;
        this.direct = direct;
        this.chain = chain;
    }

    /**
     * Makes them.
     *
     * @param threads the HTTP client's; null where the settings name another HTTP client, which brings others
     */
    static S3Clients make(S3Settings settings, @Nullable IoThreads threads) throws BlobException {
        SdkAsyncHttpClient.Builder<?> other = settings.httpClient();
        if (other == null && threads == null) {
            throw new IllegalArgumentException("neither threads nor an HTTP client");
        }
        Region region = region(settings);
        SdkAsyncHttpClient http = (other != null ? other : netty(settings, Objects.requireNonNull(threads))).build();
        DefaultCredentialsProvider chain = settings.anonymous() || settings.credentials() != null
                ? null
                : DefaultCredentialsProvider.builder().build();
        AwsCredentialsProvider credentials = chain != null ? chain : settings.credentials();
        S3AsyncClient sdk = sdk(settings, region, http, credentials);
        DirectGets direct = new DirectGets(http, sdk.utilities(), region.id(), credentials, settings.requesterPays());
        return new S3Clients(http, sdk, direct, chain);
    }

    S3AsyncClient sdk() {
        return sdk;
    }

    DirectGets direct() {
        return direct;
    }

    /** Ends requests under way and gives the connections back to their threads to be closed. */
    void close() {
        sdk.close();
        http.close();
        if (chain != null) {
            chain.close();
        }
    }

    /** @param credentials null for anonymous reading */
    private static S3AsyncClient sdk(
            S3Settings settings, Region region, SdkAsyncHttpClient http, @Nullable AwsCredentialsProvider credentials) {
        S3AsyncClientBuilder builder = S3AsyncClient.builder()
                .httpClient(http)
                .credentialsProvider(credentials != null ? credentials : AnonymousCredentialsProvider.create())
                .forcePathStyle(settings.pathStyle() ? Boolean.TRUE : null)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .asyncConfiguration(async ->
                        async.advancedOption(SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run))
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                .region(region);
        if (settings.endpoint() != null) {
            builder.endpointOverride(settings.endpoint())
                    .serviceConfiguration(service -> service.chunkedEncodingEnabled(false));
        } else {
            builder.crossRegionAccessEnabled(true);
        }
        return builder.build();
    }

    private static SdkAsyncHttpClient.Builder<?> netty(S3Settings settings, IoThreads threads) {
        return NettyNioAsyncHttpClient.builder()
                .maxConcurrency(settings.poolSize())
                .maxPendingConnectionAcquires(settings.poolSize())
                .connectionTimeout(settings.connectTimeout())
                .tlsNegotiationTimeout(settings.connectTimeout())
                .connectionAcquisitionTimeout(settings.connectTimeout().plusSeconds(5))
                .readTimeout(settings.retry().attemptTimeout())
                .writeTimeout(settings.retry().attemptTimeout())
                .connectionMaxIdleTime(Duration.ofSeconds(15))
                .tcpKeepAlive(true)
                .putChannelOption(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BUFFER))
                .eventLoopGroup(threads.group());
    }

    private static Region region(S3Settings settings) throws BlobException {
        if (settings.region() != null) {
            return Region.of(settings.region());
        }
        // A server of one's own has no region, but signatures need one; its host is no EC2 instance to be asked.
        AwsRegionProvider chain = settings.endpoint() == null
                ? DefaultAwsRegionProviderChain.builder().build()
                : new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider());
        Region found = find(chain);
        if (found != null) {
            return found;
        }
        if (settings.endpoint() != null) {
            return Region.US_EAST_1;
        }
        throw new BlobException(
                "S3: no region is set; set --region or AWS_REGION, or region in the profile, or an endpoint of your own",
                false);
    }

    private static @Nullable Region find(AwsRegionProvider chain) {
        try {
            return chain.getRegion();
        } catch (SdkClientException e) {
            return null;
        }
    }
}
