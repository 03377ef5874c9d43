package dev.penstock.s3;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a store, and of a cache before it, as Micrometer meters named {@code penstock.s3.…} and
 * {@code penstock.cache.…}. Needs micrometer-core on the class path. Reading a meter takes a snapshot; nothing is added to
 * a request's cost.
 */
public final class S3Meters implements MeterBinder {
    private final S3BlobStore store;
    private final @Nullable DiskCache cache;

    /** @param cache null for none */
    public S3Meters(S3BlobStore store, @Nullable DiskCache cache) {
        this.store = store;
        this.cache = cache;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "requests", "requests", S3Metrics::requests);
        count(registry, "reads", "reads", S3Metrics::reads);
        count(registry, "fetched", "bytes", S3Metrics::bytesFetched);
        count(registry, "used", "bytes", S3Metrics::bytesUsed);
        count(registry, "written", "bytes", S3Metrics::bytesWritten);
        count(registry, "hedges", "requests", S3Metrics::hedges);
        count(registry, "hedges.won", "requests", S3Metrics::hedgesWon);
        count(registry, "throttles", "answers", S3Metrics::throttles);
        count(registry, "failures", "requests", S3Metrics::failures);
        count(registry, "queue", "seconds", metrics -> metrics.queueNanos() / 1e9);
        count(registry, "first.byte", "seconds", metrics -> metrics.firstByteNanos() / 1e9);
        count(registry, "transfer", "seconds", metrics -> metrics.transferNanos() / 1e9);
        for (String reason : store.metrics().retriesByReason().keySet()) {
            FunctionCounter.builder(
                            "penstock.s3.retries",
                            store,
                            s3 -> s3.metrics().retriesByReason().getOrDefault(reason, 0L))
                    .tag("reason", reason)
                    .register(registry);
        }
        gauge(registry, "running", S3Metrics::running);
        gauge(registry, "waiting", S3Metrics::waiting);
        gauge(registry, "limit", S3Metrics::limit);
        if (cache != null) {
            bindCache(registry, cache);
        }
    }

    private void count(MeterRegistry registry, String name, String unit, ToDoubleFunction<S3Metrics> value) {
        FunctionCounter.builder("penstock.s3." + name, store, s3 -> value.applyAsDouble(s3.metrics()))
                .baseUnit(unit)
                .register(registry);
    }

    private void gauge(MeterRegistry registry, String name, ToDoubleFunction<S3Metrics> value) {
        Gauge.builder("penstock.s3." + name, store, s3 -> value.applyAsDouble(s3.metrics()))
                .register(registry);
    }

    private static void bindCache(MeterRegistry registry, DiskCache cache) {
        countCache(registry, cache, "hits", CacheMetrics::hits);
        countCache(registry, cache, "misses", CacheMetrics::misses);
        countCache(registry, cache, "evictions", CacheMetrics::evictions);
        countCache(registry, cache, "damaged", CacheMetrics::damaged);
        countCache(registry, cache, "store.failures", CacheMetrics::storeFailures);
        Gauge.builder("penstock.cache.size", cache, disk -> disk.metrics().folderBytes())
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder(
                        "penstock.cache.working.set",
                        cache,
                        disk -> disk.metrics().workingSetBytes())
                .baseUnit("bytes")
                .register(registry);
    }

    private static void countCache(
            MeterRegistry registry, DiskCache cache, String name, ToDoubleFunction<CacheMetrics> value) {
        FunctionCounter.builder("penstock.cache." + name, cache, disk -> value.applyAsDouble(disk.metrics()))
                .baseUnit("chunks")
                .register(registry);
    }
}
