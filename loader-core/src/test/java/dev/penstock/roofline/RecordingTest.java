package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Loader;
import dev.penstock.engine.NothingLeft;
import dev.penstock.probe.ServiceTimes.BatchTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NothingLeft.class)
class RecordingTest {
    private static final int SKIP = 5;

    private final PlantedDataset planted = new PlantedDataset();

    private Loader loader() throws IOException {
        return Loader.builder(planted, PlantedDataset.VIEW)
                .batchSize(2)
                .readConcurrency(1)
                .decodeConcurrency(1)
                .build();
    }

    @Test
    void theBatchesAfterTheSkippedOnesAreRecordedWithAllTheirPiecesAndReplayed() throws Exception {
        List<Long> trained = new ArrayList<>();
        try (Loader loader = loader()) {
            Recording recording = Recording.of(loader, batch -> trained.add(batch.number()), SKIP, 12);
            assertThat(trained).hasSize(SKIP + 12);
            assertThat(recording.times().batches())
                    .extracting(BatchTimes::batch)
                    .isEqualTo(trained.subList(SKIP, SKIP + 12));
            assertThat(recording.times().batches())
                    .allSatisfy(batch -> assertThat(batch.pieces()).hasSize(2))
                    .allSatisfy(batch -> assertThat(batch.collate().nanos()).isPositive());
            assertThat(recording.batchesPerSecond()).isPositive();
            PipelineReplay replay = recording.replay(0);
            assertThat(replay.settings().slabs()).isEqualTo(loader.batchesInMemory());
            assertThat(replay.predict(Change.NONE).gain()).isZero();
            assertThat(replay.with(recording.times()).error()).isEqualTo(replay.error());
        }
    }

    @Test
    void loadersAtTheirBeginningAreRecordedOverTheSameBatches() throws Exception {
        assertThat(batches()).isEqualTo(batches());
    }

    private List<Long> batches() throws Exception {
        try (Loader loader = loader()) {
            return Recording.of(loader, batch -> {}, SKIP, 10).times().batches().stream()
                    .map(BatchTimes::batch)
                    .toList();
        }
    }

    @Test
    void tooFewBatchesForAReplayAreRefused() throws Exception {
        try (Loader loader = loader()) {
            Recording few = Recording.of(loader, batch -> {}, SKIP, 3);
            assertThatIllegalArgumentException().isThrownBy(() -> few.replay(0)).withMessageContaining("at least 10");
        }
    }
}
