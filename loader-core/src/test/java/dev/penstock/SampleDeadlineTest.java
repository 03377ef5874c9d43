package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.data.Batch;
import dev.penstock.engine.NothingLeft;
import dev.penstock.probe.SampleCounts;
import dev.penstock.spi.LoaderException;
import dev.penstock.testkit.PlantedDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A sample whose work passes the deadline is bad, whatever its source does with interrupts; the others are not harmed. */
@ExtendWith(NothingLeft.class)
@Timeout(60)
class SampleDeadlineTest {
    private final PlantedDataset data = new PlantedDataset(50, 5);
    private final CountDownLatch never = new CountDownLatch(1);
    private final Set<Long> hit = ConcurrentHashMap.newKeySet();

    /** Lets stuck workers go, so that NothingLeft sees them end. */
    @AfterEach
    void release() {
        never.countDown();
    }

    private Loader.Builder builder() {
        return Loader.builder(data, PlantedDataset.VIEW)
                .batchSize(4)
                .epochs(1)
                .sampleDeadline(Duration.ofMillis(150))
                .nextTimeout(Duration.ofSeconds(30))
                .closeTimeout(Duration.ofMillis(200));
    }

    /** A step that hangs at some samples, the first time, until released. */
    private PlantedDataset.Step hangsAt(boolean interruptible, Long... samples) {
        return sample -> {
            if (Set.of(samples).contains(sample) && hit.add(sample)) {
                if (interruptible) {
                    never.await();
                } else {
                    awaitWhateverHappens();
                }
            }
        };
    }

    private void awaitWhateverHappens() {
        boolean done = false;
        while (!done) {
            try {
                never.await();
                done = true;
            } catch (InterruptedException e) {
                done = false; // a source that ignores interrupts
            }
        }
    }

    private static List<Long> rows(Loader loader) {
        List<Long> all = new ArrayList<>();
        for (Batch batch : loader) {
            for (int row = 0; row < batch.size(); row++) {
                long sample = batch.tensor("number").sample(row).getLong();
                assertThat(batch.tensor("word").texts().get(row)).isEqualTo("sample " + sample);
                assertThat(sample).isEqualTo(batch.sampleAt(row));
                all.add(sample);
            }
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDecoderPastTheDeadlineFailsTheRunNamingSampleAndStage(boolean interruptible) throws IOException {
        data.onDecode = hangsAt(interruptible, 9L);
        try (Loader loader = builder().decodeConcurrency(1).build()) {
            assertThatThrownBy(() -> rows(loader))
                    .isInstanceOf(LoaderException.class)
                    .hasMessageContaining("sample 9 (planted, episode episode-4, anchor 0.900 s) of batch 2 of epoch 0")
                    .hasMessageContaining("took longer than 0.150 s (sampleDeadline), the last of it in decode")
                    .extracting(e -> ((LoaderException) e).sample().sample())
                    .isEqualTo(9L);
        }
    }

    @ParameterizedTest
    @CsvSource({"true,1", "false,1", "false,3"})
    void lateSamplesAreSkippedAndNamedAndTheOthersComeWithOneWorkerAStage(
            boolean interruptible, int workers, @TempDir Path folder) throws IOException {
        data.onRead = hangsAt(interruptible, 10L);
        data.onDecode = hangsAt(interruptible, 21L, 22L, 49L);
        Path quarantine = folder.resolve("bad.jsonl");
        try (Loader loader = builder()
                .readConcurrency(workers)
                .decodeConcurrency(workers)
                .onBad(BadSamples.skip().budget(0.5, 100))
                .quarantine(quarantine)
                .build()) {
            assertThat(rows(loader)).hasSize(46).doesNotHaveDuplicates().doesNotContain(10L, 21L, 22L, 49L);
            SampleCounts counts = loader.dataWait().samplesCounted();
            assertThat(counts.skipped()).isEqualTo(4);
            assertThat(counts.balanced()).isTrue();
        }
        assertThat(Files.readAllLines(quarantine))
                .hasSize(4)
                .anyMatch(line -> line.contains("\"sample\":10") && line.contains("the last of it in read"))
                .anyMatch(line -> line.contains("\"sample\":49") && line.contains("the last of it in decode"));
    }

    @Test
    void lateSamplesAreSubstitutedInMemoryThatTheStuckWorkerCanNotReach() throws IOException {
        data.onDecode = hangsAt(false, 5L, 6L, 30L);
        try (Loader loader = builder()
                .decodeConcurrency(2)
                .onBad(BadSamples.substitute().budget(0.5, 100))
                .build()) {
            List<Long> got = rows(loader);
            assertThat(got).hasSize(50);
            Set<Long> rest = new HashSet<>(got);
            assertThat(rest).hasSizeGreaterThanOrEqualTo(44);
            assertThat(loader.dataWait().samplesCounted().substituted()).isEqualTo(3);
        }
    }

    @Test
    void aTruthReadPastTheDeadlineFailsItsBatchOnly() throws IOException {
        data.onRead = sample -> {
            // the first read of sample 8 is its clip's, or the truth's of batch 2: hang both
            if (sample == 8 && !hit.contains(-2L)) {
                hit.add(hit.contains(-1L) ? -2L : -1L);
                awaitWhateverHappens();
            }
        };
        try (Loader loader = builder()
                .readConcurrency(3)
                .onBad(BadSamples.skip().budget(0.5, 100))
                .build()) {
            assertThat(rows(loader)).hasSizeBetween(46, 49).doesNotContain(8L);
            assertThat(loader.dataWait().samplesCounted().balanced()).isTrue();
        }
    }

    @Test
    void overtakingAndDeadlineWorkTogether() throws IOException {
        data.onDecode = hangsAt(false, 3L, 17L, 40L);
        try (Loader loader = builder()
                .decodeConcurrency(2)
                .overtake(12)
                .onBad(BadSamples.skip().budget(0.5, 100))
                .build()) {
            assertThat(rows(loader)).hasSize(47).doesNotHaveDuplicates().doesNotContain(3L, 17L, 40L);
            assertThat(loader.dataWait().samplesCounted().balanced()).isTrue();
        }
    }

    @Test
    void timeInQueuesDoesNotCount() throws IOException {
        // 50 pieces of 10 ms wait for one decoder: the last ones half a second, more than the deadline
        data.onDecode = sample -> java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
        try (Loader loader =
                builder().readConcurrency(4).decodeConcurrency(1).prefetch(12).build()) {
            assertThat(rows(loader)).hasSize(50);
        }
    }

    @Test
    void tooManyStuckWorkersEndTheLoader() throws IOException {
        data.onDecode = sample -> awaitWhateverHappens();
        try (Loader loader = builder()
                .decodeConcurrency(8)
                .sampleDeadline(Duration.ofMillis(20))
                .onBad(BadSamples.skip().budget(1, 100))
                .build()) {
            assertThatThrownBy(() -> rows(loader))
                    .isInstanceOf(LoaderException.class)
                    .hasMessageContaining("workers are stuck past sampleDeadline and ignore interrupts")
                    .hasMessageContaining("given up, cam of sample");
        }
    }
}
