package dev.penstock.decode.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.data.ElementType;
import dev.penstock.decode.testkit.TruthRun;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Column;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong truth is one error that says episode, file, line and what is needed. */
class JsonTruthErrorsTest {
    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[{\"time\":0},NL{\"v\":1}]|line 2|neither 'time'",
                "[{\"time\":0},NL{\"time\":\"x\"}]|line 2|finite number of seconds",
                "[{\"time\":NaN}]|line 1|finite number of seconds",
                "[{\"time\":0,\"v\":1,NL\"v\":2}]|line 2|uplicate",
                "[{\"time\":0},NL{\"time\":1,\"v\":[1,2|line 2|cut",
                "[{\"time\":0}] x|line 1|not valid JSON",
                "{\"a\":1}NL{\"a\":2}|line 2|a second object",
                "[{\"frame\":0},NL{\"frame\":9}]|line 2|3 frames, 0 to 2",
                "[{\"frame\":1},NL{\"frame\":1}]|line 2|line 1 already",
                "[{\"frame\":1.5}]|line 1|whole frame number",
                "[[1,2]]|line 1|an object is needed",
                "[]|truth|no record",
            })
    void aBrokenFileNamesItsLine(String json, String line, String what) throws IOException {
        Path file = Files.writeString(folder.resolve("truth.json"), json.replace("NL", "\n"));
        TruthInput input = TruthInput.file("drive-7", file.toUri()).frames(() -> new double[] {0, 1, 2});
        assertThatThrownBy(() -> TruthTables.open(input))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("episode 'drive-7'")
                .hasMessageContaining("truth.json")
                .hasMessageContaining(line)
                .hasMessageContaining(what);
    }

    @Test
    void everyCutOfAFileIsAnErrorAndNeverFewerRecords() throws IOException {
        byte[] whole = "[{\"time\":0,\"v\":[1,2],\"s\":\"x\"},{\"time\":1,\"v\":[3,4],\"s\":\"y\"}]"
                .getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve("truth.json");
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> TruthTables.open(TruthInput.file("e", file.toUri())))
                    .isInstanceOf(DatasetException.class);
        }
    }

    @Test
    void aTypeThatChangesIsRefusedByTheColumnWithTheLineOfTheChange() throws IOException {
        String json = "[{\"time\":0,\"v\":1},\n{\"time\":1,\"v\":\"two\"}]";
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", json, "index line 4"))) {
            assertThatThrownBy(() -> TruthBinding.of(truth, TruthColumn.of(Map.of("v", Column.float32())), 0.1))
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining("index line 4")
                    .hasMessageContaining("line 2")
                    .hasMessageContaining("'v' is text where earlier values are int64");
        }
    }

    @Test
    void integersThatDoNotFitAreFailuresOfTheirRows() throws IOException {
        String json = "[{\"time\":0,\"v\":7},{\"time\":1,\"v\":3000000000}]";
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", json, "index"));
                TruthRun run = TruthRun.over(truth, Map.of("v", Column.int32()), 0.1, 0, 1)) {
            TruthRun.Memory batch = run.batch(0, 1);
            assertThat(batch.failures).containsOnlyKeys(1);
            assertThat(batch.failures.get(1)).contains("3000000000", "does not fit in INT32", "'v'");
            assertThat(batch.tensor("v").getInt(0)).isEqualTo(7);
        }
    }

    @Test
    void aWholeNumberBeyond64BitsIsRefusedForIntegerColumns() throws IOException {
        String json = "[{\"time\":0,\"v\":7},\n{\"time\":1,\"v\":99999999999999999999}]";
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", json, "index"))) {
            assertThatThrownBy(() -> TruthBinding.of(truth, TruthColumn.of(Map.of("v", Column.int64())), 0.1))
                    .hasMessageContaining("line 2")
                    .hasMessageContaining("beyond 64 bits");
        }
    }

    @Test
    void aFailedRowLeavesTheOthersAndEveryRaggedRowEnds() throws IOException {
        String json = "[{\"time\":0,\"b\":[1]},{\"time\":1},{\"time\":2,\"b\":[2,3]}]";
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", json, "index"));
                TruthRun run = TruthRun.over(truth, Map.of("b", Column.ragged(ElementType.INT32)), 0.1, 0, 1, 2, 9)) {
            TruthRun.Memory batch = run.batch(0, 1, 2, 3);
            assertThat(batch.failures).containsOnlyKeys(1, 3);
            assertThat(batch.failures.get(3)).contains("no truth for 9.000000 s");
            assertThat(batch.endedRows("b")).isEqualTo(4);
            assertThat(batch.row("b", 2).getInt(4)).isEqualTo(3);
        }
    }

    @Test
    void aRecordThatBreaksTheSchemaNamesLineAndField() throws IOException {
        TruthSchema schema = TruthSchema.fromJson(new TruthSchema(
                        List.of(TruthField.of("v", TruthType.FLOAT64, 2), TruthField.rows("boxes", TruthType.INT64, 4)))
                .toJson());
        String good = "{\"time\":0,\"v\":[1,2],\"boxes\":[]}\n";
        for (String bad : List.of(
                "{\"time\":1,\"v\":[1,2,3],\"boxes\":[]}",
                "{\"time\":1,\"boxes\":[]}",
                "{\"time\":1,\"v\":[1,2],\"boxes\":[[1,2,3]]}",
                "{\"time\":1,\"v\":[1,\"2\"],\"boxes\":[]}")) {
            assertThatThrownBy(() -> TruthTables.open(
                            TruthInput.inline("e", good + bad, "index").schema(schema)))
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining("line 2")
                    .hasMessageContaining(bad.contains("boxes\":[[") ? "'boxes'" : "'v'");
        }
    }
}
