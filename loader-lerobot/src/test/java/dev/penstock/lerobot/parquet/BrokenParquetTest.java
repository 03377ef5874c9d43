package dev.penstock.lerobot.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthTables;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged Parquet truth: one clear error, or the right number of records; never anything else. */
class BrokenParquetTest {
    private static final Path FILE = Path.of(System.getProperty("penstock.shared", "absent"), "datasets")
            .resolve("lerobot_v21_made_2cam/data/chunk-000/episode_000000.parquet");

    @TempDir
    Path folder;

    private byte[] whole() throws IOException {
        assumeTrue(Files.exists(FILE), "the shared test data is absent: -Dpenstock.shared=DIR names it");
        return Files.readAllBytes(FILE);
    }

    @Test
    void aCutFileIsOneClearError() throws IOException {
        byte[] whole = whole();
        Path file = folder.resolve("t.parquet");
        for (int length = 4; length < whole.length; length += 211) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> TruthTables.open(TruthInput.file("drive-7", file.toUri())))
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining("t.parquet")
                    .hasMessageContaining("Parquet file");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void changedBytesAreOneClearErrorOrRowsAsMany(long seed) throws IOException {
        byte[] whole = whole();
        SplittableRandom random = new SplittableRandom(seed);
        Path file = folder.resolve("t.parquet");
        int errors = 0;
        for (int round = 0; round < 300; round++) {
            byte[] bytes = whole.clone();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                bytes[random.nextInt(4, bytes.length)] = (byte) random.nextInt();
            }
            Files.write(file, bytes);
            try (EpisodeTruth truth = TruthTables.open(TruthInput.file("drive-7", file.toUri()))) {
                assertThat(truth.tables().get(0).records()).isGreaterThan(0);
            } catch (DatasetException e) {
                assertThat(e).hasMessageContaining("t.parquet");
                errors++;
            }
        }
        assertThat(errors).isGreaterThan(20);
    }
}
