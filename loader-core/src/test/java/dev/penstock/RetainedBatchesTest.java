package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.data.Batch;
import dev.penstock.engine.NothingLeft;
import dev.penstock.probe.MemoryUse;
import dev.penstock.spi.StallException;
import dev.penstock.testkit.LogCapture;
import dev.penstock.testkit.PlantedDataset;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Batches that the trainer retains and does not close are named: in the report, at close, and where memory runs out. */
@ExtendWith(NothingLeft.class)
@Timeout(60)
class RetainedBatchesTest {
    private final PlantedDataset data = new PlantedDataset(50, 5);

    private Loader.Builder builder() {
        return Loader.builder(data, PlantedDataset.VIEW).batchSize(4).prefetch(1);
    }

    /** Stands for the user's code that forgets to close. */
    private static Batch forgetful(Batch batch) {
        return batch.retain();
    }

    @Test
    void aBatchThatIsNeverClosedIsNamedWhenTheLoaderCloses() throws IOException {
        Batch leaked;
        try (LogCapture log = new LogCapture()) {
            try (Loader loader = builder().build()) {
                Iterator<Batch> batches = loader.iterator();
                batches.next().retain().close();
                batches.next();
                leaked = forgetful(batches.next());
                batches.next();
            }
            assertThat(log.text())
                    .contains("closed while the trainer retains batches: 1 (batch 2 of epoch 0)")
                    .contains("trackLeaks(true) shows where")
                    .doesNotContain("batch 0 of epoch 0");
        }
        leaked.close();
    }

    @Test
    void withTrackingTheStackOfTheRetainIsShown() throws IOException {
        Batch leaked;
        try (LogCapture log = new LogCapture()) {
            try (Loader loader = builder().trackLeaks(true).build()) {
                leaked = forgetful(loader.iterator().next());
            }
            assertThat(log.text())
                    .contains("batch 0 of epoch 0 was retained here, by "
                            + Thread.currentThread().getName())
                    .contains("RetainedBatchesTest.forgetful")
                    .doesNotContain("trackLeaks(true) shows where");
        }
        leaked.close();
    }

    @Test
    void aLoaderThatLeaksNothingSaysNothing() throws IOException {
        try (LogCapture log = new LogCapture()) {
            try (Loader loader = builder().trackLeaks(true).build()) {
                for (Batch batch : loader) {
                    batch.retain().close();
                }
            }
            assertThat(log.text()).doesNotContain("retain");
        }
    }

    @Test
    void whereKeptBatchesTakeAllMemoryTheWarningAndTheStallNameThem() throws IOException {
        List<Batch> kept = new ArrayList<>();
        try (LogCapture log = new LogCapture();
                Loader loader = builder()
                        .memory(500_000)
                        .readConcurrency(1)
                        .decodeConcurrency(1)
                        .nextTimeout(Duration.ofMillis(300))
                        .build()) {
            Iterator<Batch> batches = loader.iterator();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 500; i++) {
                            Iterator<Batch> from = batches.hasNext() ? batches : loader.iterator();
                            kept.add(forgetful(from.next()));
                        }
                    })
                    .isInstanceOf(StallException.class)
                    .hasMessageContaining("batches retained by the trainer " + kept.size() + " (batch 0 of epoch 0, ");
            assertThat(log.text())
                    .containsOnlyOnce("no memory is left for a further batch, the trainer retains")
                    .contains("raise memory(...)");
            kept.forEach(Batch::close);
            assertThat(loader.dataWait().memory().retained()).isZero();
        }
    }

    @Test
    void theReportHasHighWaterMarksAndTheOldestKeptBatch() throws IOException {
        try (Loader loader = builder().build()) {
            Iterator<Batch> batches = loader.iterator();
            List<Batch> kept = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                kept.add(batches.next().retain());
            }
            batches.next();
            kept.subList(0, 3).forEach(Batch::close);
            MemoryUse memory = loader.dataWait().memory();
            assertThat(memory.retained()).isEqualTo(2);
            assertThat(memory.retainedHighWater()).isEqualTo(5);
            assertThat(memory.oldestRetained()).containsExactly("batch 3 of epoch 0", "batch 4 of epoch 0");
            assertThat(memory.batchesHighWater()).isBetween(memory.batches(), memory.highWater());
            assertThat(memory.readAheadHighWater()).isBetween(1L, memory.highWater());
            assertThat(loader.dataWait().text()).contains("retained    2 batches now, 5 at most, the oldest batch 3");
            assertThat(loader.dataWait().toJson()).contains("\"oldestRetained\"");
            kept.forEach(Batch::close);
        }
    }
}
