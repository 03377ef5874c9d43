package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.penstock.data.Batch;
import dev.penstock.engine.NothingLeft;
import dev.penstock.spi.BlobException;
import dev.penstock.spi.LoaderException;
import dev.penstock.spi.SampleException;
import dev.penstock.testkit.Digests;
import dev.penstock.testkit.PlantedDataset;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sources that misbehave, and what comes of it. Those that block for ever or ignore interrupts are in {@link LoaderTest}
 * and {@link SampleDeadlineTest}.
 */
@ExtendWith(NothingLeft.class)
@Timeout(60)
class SourceFaultsTest {
    private final PlantedDataset data = new PlantedDataset(50, 5);

    private Loader.Builder builder() {
        return Loader.builder(data, PlantedDataset.VIEW)
                .batchSize(4)
                .shuffle(Shuffle.seed(7))
                .epochs(2)
                .nextTimeout(Duration.ofSeconds(30));
    }

    private static List<String> digests(Loader loader, int epochs) {
        List<String> digests = new ArrayList<>();
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (Batch batch : loader) {
                digests.add(batch.epoch() + " " + batch.number() + " " + Digests.of(batch));
            }
        }
        return digests;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shortDataIsABadSampleAndNeverBytesOfAnEarlierRead(boolean silently) throws IOException {
        if (silently) {
            data.leftOut = sample -> sample == 13 ? 1 : 0;
        } else {
            data.onRead = sample -> {
                if (sample == 13) {
                    throw new EOFException("memory:planted ends at byte 1313");
                }
            };
        }
        try (Loader loader = builder().build()) {
            assertThatThrownBy(() -> digests(loader, 1))
                    .isInstanceOf(LoaderException.class)
                    .hasMessageContaining(silently ? "memory:planted gave 59 of 60 bytes" : "ends at byte 1313")
                    .hasMessageContaining("could not be read");
            assertThat(loader.dataWait().samplesCounted().retries()).isZero();
        }
    }

    @Test
    void anErrorOfASourceEndsTheLoaderAtNextWithItsCause() throws IOException {
        data.onRead = sample -> {
            throw new NoClassDefFoundError("planted/Client");
        };
        try (Loader loader = builder().build()) {
            assertThatThrownBy(() -> loader.iterator().next())
                    .isInstanceOf(LoaderException.class)
                    .hasMessageContaining("planted/Client")
                    .hasRootCauseInstanceOf(NoClassDefFoundError.class);
        }
    }

    @Test
    void randomSlownessChangesNoByteAndNoPlace() throws IOException {
        List<String> calm;
        try (Loader loader = builder().build()) {
            calm = digests(loader, 2);
        }
        PlantedDataset.Step slow = sample -> {
            if (new SplittableRandom(sample).nextInt(5) == 0) {
                LockSupport.parkNanos(3_000_000);
            }
        };
        data.onRead = slow;
        data.onDecode = sample -> slow.on(sample + 1_000);
        data.onCollate = sample -> slow.on(sample + 2_000);
        try (Loader loader = builder()
                .readConcurrency(4)
                .decodeConcurrency(3)
                .collateConcurrency(2)
                .build()) {
            assertThat(digests(loader, 2)).isEqualTo(calm);
        }
    }

    /** One worker in each stage, one batch ahead, and everything that sends work round again. */
    @ParameterizedTest
    @CsvSource({"0,0", "6,0", "0,5000", "6,5000"})
    void oneWorkerAStageNeverDeadlocks(int overtake, long deadlineMillis) throws IOException {
        AtomicInteger reads = new AtomicInteger();
        data.onRead = sample -> {
            if (reads.incrementAndGet() % 11 == 0) {
                throw new BlobException("planted time-out", true);
            }
        };
        data.onDecode = sample -> {
            if (sample % 8 == 1) {
                throw new SampleException("planted damage", null);
            }
        };
        try (Loader loader = builder()
                .readConcurrency(1)
                .decodeConcurrency(1)
                .collateConcurrency(1)
                .prefetch(1)
                .overtake(overtake)
                .sampleDeadline(Duration.ofMillis(deadlineMillis))
                .onBad(BadSamples.substitute().budget(1, 1_000))
                .build()) {
            List<Batch> kept = new ArrayList<>();
            int rows = 0;
            for (int epoch = 0; epoch < 2; epoch++) {
                for (Batch batch : loader) {
                    rows += batch.size();
                    kept.add(batch.retain());
                    if (kept.size() > 3) {
                        kept.remove(0).close();
                    }
                }
            }
            kept.forEach(Batch::close);
            assertThat(rows).isEqualTo(100);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8})
    void resumingAnyRankAtEveryStepGivesTheDigestsOfTheUnbrokenRun(int world) throws IOException {
        for (int rank = 0; rank < world; rank += Math.max(1, world - 1)) {
            List<String> unbroken = new ArrayList<>();
            List<LoaderState> states = new ArrayList<>();
            try (Loader loader = builder().shard(rank, world).build()) {
                states.add(loader.state());
                for (Batch batch : loader) {
                    unbroken.add(batch.number() + " " + Digests.of(batch));
                    states.add(loader.state());
                }
            }
            for (int k = 0; k < unbroken.size(); k++) {
                List<String> rest = new ArrayList<>();
                try (Loader loader =
                        builder().shard(rank, world).resume(states.get(k)).build()) {
                    loader.forEach(batch -> rest.add(batch.number() + " " + Digests.of(batch)));
                }
                assertThat(rest)
                        .as("rank %d of %d from %d", rank, world, k)
                        .isEqualTo(unbroken.subList(k, unbroken.size()));
            }
        }
    }

    @Test
    void theNextEpochIsDecodedWhileTheTrainerStillHasTheLastBatchOfThisOne() throws IOException {
        int batches = 13;
        try (Loader loader = builder().build()) {
            for (Batch batch : loader) {
                if (batch.number() == batches - 1) {
                    await("no drain at the epoch's end")
                            .atMost(Duration.ofSeconds(30))
                            .until(() -> data.decodes.get() >= 54);
                }
            }
            assertThat(data.decodes.get())
                    .as("50 of this epoch, a batch of the next")
                    .isGreaterThanOrEqualTo(54);
        }
    }
}
