package dev.penstock.s3;

import dev.penstock.spi.BlobException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/**
 * Makes the SDK's client: Netty (why, by measurement, is in docs/decisions.md), no retries of its own, futures completed
 * on the client's thread, checksums only where the protocol demands them, because most S3-compatible servers know no
 * others.
 */
final class S3Clients {
    private static final AtomicInteger THREADS = new AtomicInteger();

    private S3Clients() {}

    /** A client and the threads that are its own; null where its HTTP client brings others. */
    record Connection(S3AsyncClient client, @Nullable EventLoopGroup threads) {
        /**
         * Ends both. The threads get no quiet period: everything that runs was cancelled before, and the SDK's own
         * group would keep every closing waiting for two seconds.
         */
        void close() {
            client.close();
            if (threads != null) {
                threads.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
            }
        }
    }

    static Connection connect(S3Settings settings) throws BlobException {
        Region region = region(settings);
        SdkAsyncHttpClient.Builder<?> other = settings.httpClient();
        if (other != null) {
            return new Connection(client(settings, region, other), null);
        }
        int count = Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors()));
        EventLoopGroup threads = new NioEventLoopGroup(count, S3Clients::thread);
        return new Connection(client(settings, region, netty(settings, threads)), threads);
    }

    private static S3AsyncClient client(S3Settings settings, Region region, SdkAsyncHttpClient.Builder<?> http) {
        S3AsyncClientBuilder builder = S3AsyncClient.builder()
                .httpClientBuilder(http)
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
        if (settings.anonymous()) {
            builder.credentialsProvider(AnonymousCredentialsProvider.create());
        } else if (settings.credentials() != null) {
            builder.credentialsProvider(settings.credentials());
        }
        return builder.build();
    }

    private static SdkAsyncHttpClient.Builder<?> netty(S3Settings settings, EventLoopGroup threads) {
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
                .eventLoopGroup(SdkEventLoopGroup.create(threads));
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "penstock-s3-io-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
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
