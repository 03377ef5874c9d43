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
 * @param sampleDeadlineMillis longest time of work on one clip of a sample, read and decode; 0: no limit
 * @param overtake samples that may be handed over before one that is late; 0: strict order
 * @param trackLeaks whether each {@code retain()} notes its stack, to be shown for batches that are never closed
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
        long sampleDeadlineMillis,
        int overtake,
        boolean trackLeaks,
        BadSamples badSamples,
        @Nullable Autotune autotune) {
    /** The largest {@link #overtake}: the state holds a bit for each. */
    public static final int MOST_OVERTAKING = 2_048;

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
                0,
                0,
                false,
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
        need(wrong, 0, sampleDeadlineMillis, "sampleDeadline in milliseconds");
        need(wrong, 0, overtake, "overtake");
        if (overtake > MOST_OVERTAKING) {
            wrong.add("overtake was " + overtake + ", must be at most " + MOST_OVERTAKING
                    + ", so that the loader's state stays under 1 KB");
        }
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
        return Json.MAPPER.writeValueAsString(this);
    }

    /** Reads what {@link #toJson()} wrote. */
    public static LoaderSettings fromJson(String json) {
        return Json.MAPPER.readValue(json, LoaderSettings.class);
    }

    /** Made at first use: loading JSON's classes takes a cold JVM a third of a second. */
    private static final class Json {
        static final JsonMapper MAPPER = new JsonMapper();
    }
}
