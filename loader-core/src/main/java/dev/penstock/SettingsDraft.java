package dev.penstock;

import org.jspecify.annotations.Nullable;

/** Settings while a builder collects them: as {@link LoaderSettings}, but to be written to. For one thread. */
final class SettingsDraft {
    int batchSize;
    Shuffle shuffle;
    Shard shard;
    int readConcurrency;
    int decodeConcurrency;
    int collateConcurrency;
    int prefetch;
    long memory;
    int epochs;
    long nextTimeoutMillis;
    long closeTimeoutMillis;
    int readAttempts;
    long sampleDeadlineMillis;
    int overtake;
    boolean trackLeaks;
    BadSamples badSamples;

    @Nullable
    Autotune autotune;

    SettingsDraft(LoaderSettings from) {
        batchSize = from.batchSize();
        shuffle = from.shuffle();
        shard = from.shard();
        readConcurrency = from.readConcurrency();
        decodeConcurrency = from.decodeConcurrency();
        collateConcurrency = from.collateConcurrency();
        prefetch = from.prefetch();
        memory = from.memory();
        epochs = from.epochs();
        nextTimeoutMillis = from.nextTimeoutMillis();
        closeTimeoutMillis = from.closeTimeoutMillis();
        readAttempts = from.readAttempts();
        sampleDeadlineMillis = from.sampleDeadlineMillis();
        overtake = from.overtake();
        trackLeaks = from.trackLeaks();
        badSamples = from.badSamples();
        autotune = from.autotune();
    }

    /** What was collected so far. */
    LoaderSettings settings() {
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
                sampleDeadlineMillis,
                overtake,
                trackLeaks,
                badSamples,
                autotune);
    }
}
