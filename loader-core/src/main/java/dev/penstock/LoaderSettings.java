package dev.penstock;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A loader's settings as plain data: immutable, to JSON and back.
 *
 * @param batchSize samples in a batch
 * @param shuffle the order
 * @param shard this rank's part
 * @param readConcurrency read workers at the start
 * @param decodeConcurrency decode workers at the start
 * @param collateConcurrency collate workers
 * @param prefetch finished batches that may wait
 * @param memory cap on off-heap memory in bytes; 0: the default
 * @param epochs epochs after which nothing more is prepared
 * @param nextTimeoutMillis longest wait of {@code next()}
 * @param closeTimeoutMillis longest wait of {@code close()}
 * @param readAttempts tries of a read that may succeed later
 * @param badSamples what happens to a sample that can't be had
 * @param autotune limits of the tuning on line; null: off
 */
public record LoaderSettings(
        int batchSize,
        Shuffle shuffle,
        Shard shard,
        int readConcurrency,
        int decodeConcurrency,
        int collateConcurrency,
        int prefetch,
        long memory,
        int epochs,
        long nextTimeoutMillis,
        long closeTimeoutMillis,
        int readAttempts,
        BadSamples badSamples,
        @Nullable Autotune autotune) {
    private static final JsonMapper JSON = new JsonMapper();

    /** What a builder starts from. */
    public static LoaderSettings defaults() {
        int cores = Runtime.getRuntime().availableProcessors();
        return new LoaderSettings(
                8,
                Shuffle.none(),
                Shard.whole(),
                2,
                Math.max(1, cores - 1),
                1,
                2,
                0,
                Integer.MAX_VALUE,
                300_000,
                10_000,
                4,
                BadSamples.FAIL,
                null);
    }

    /** Every wrong setting, with the value it got and the value it needs; empty when all are right. */
    public List<String> complaints() {
        List<String> wrong = new ArrayList<>();
        need(wrong, 1, batchSize, "batchSize");
        need(wrong, 1, readConcurrency, "readConcurrency");
        need(wrong, 1, decodeConcurrency, "decodeConcurrency");
        need(wrong, 1, collateConcurrency, "collateConcurrency");
        need(wrong, 1, prefetch, "prefetch");
        need(wrong, 0, memory, "memory");
        need(wrong, 1, epochs, "epochs");
        need(wrong, 1, nextTimeoutMillis, "nextTimeout in milliseconds");
        need(wrong, 1, closeTimeoutMillis, "closeTimeout in milliseconds");
        need(wrong, 1, readAttempts, "readAttempts");
        return wrong;
    }

    private static void need(List<String> wrong, long least, long value, String name) {
        if (value < least) {
            wrong.add(complaint(least, value, name));
        }
    }

    private static String complaint(long least, long value, String name) {
        return name + " was " + value + ", must be at least " + least;
    }

    static int atLeast(int least, int value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(complaint(least, value, name));
        }
        return value;
    }

    /** One line of JSON. */
    public String toJson() {
        return JSON.writeValueAsString(this);
    }

    /** Reads what {@link #toJson()} wrote. */
    public static LoaderSettings fromJson(String json) {
        return JSON.readValue(json, LoaderSettings.class);
    }

    LoaderSettings withBatchSize(int value) {
        return new LoaderSettings(
                value,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withShuffle(Shuffle value) {
        return new LoaderSettings(
                batchSize,
                value,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withShard(Shard value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                value,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withReadConcurrency(int value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                value,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withDecodeConcurrency(int value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                value,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withCollateConcurrency(int value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                value,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withPrefetch(int value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                value,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withMemory(long value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                value,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withEpochs(int value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                value,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withNextTimeoutMillis(long value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                value,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withCloseTimeoutMillis(long value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                value,
                readAttempts,
                badSamples,
                autotune);
    }

    LoaderSettings withReadAttempts(int value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                value,
                badSamples,
                autotune);
    }

    LoaderSettings withBadSamples(BadSamples value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                value,
                autotune);
    }

    LoaderSettings withAutotune(@Nullable Autotune value) {
        return new LoaderSettings(
                batchSize,
                shuffle,
                shard,
                readConcurrency,
                decodeConcurrency,
                collateConcurrency,
                prefetch,
                memory,
                epochs,
                nextTimeoutMillis,
                closeTimeoutMillis,
                readAttempts,
                badSamples,
                value);
    }
}
