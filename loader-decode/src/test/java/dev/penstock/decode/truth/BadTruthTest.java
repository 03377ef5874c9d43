package dev.penstock.decode.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.decode.testkit.TruthRun;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Column;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Truth as broken tools and cut downloads leave it: the right values, or one clear error. */
class BadTruthTest {
    private static final String LINES =
            "{\"time\":0,\"v\":1.5}\n{\"time\":1,\"v\":NaN}\n{\"time\":2,\"v\":-Infinity}\n";

    @TempDir
    Path folder;

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private EpisodeTruth open(String name, byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve(name), bytes);
        return TruthTables.open(TruthInput.file("drive-7", file.toUri()));
    }

    private void assertRefused(String name, byte[] bytes, String why) {
        assertThatThrownBy(() -> open(name, bytes))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("drive-7")
                .hasMessageContaining(name)
                .hasMessageContaining(why);
    }

    @Test
    void notANumberStaysOneInLinesGzipAndArrays() throws IOException {
        String array = "[" + LINES.trim().replace("\n", ",") + "]";
        for (byte[] bytes : List.of(LINES.getBytes(StandardCharsets.UTF_8), gzip(LINES), gzip("\uFEFF" + array))) {
            try (EpisodeTruth truth = open("truth.data", bytes)) {
                TruthRun.Memory batch = TruthRun.gather(truth, Map.of("v", Column.float32()), 0, 1, 2);
                assertThat(batch.failures).isEmpty();
                assertThat(batch.tensor("v").getFloat(0)).isEqualTo(1.5f);
                assertThat(batch.tensor("v").getFloat(4)).isNaN();
                assertThat(batch.tensor("v").getFloat(8)).isEqualTo(Float.NEGATIVE_INFINITY);
            }
        }
    }

    @Test
    void everyCutOfAGzipFileIsRefused() throws IOException {
        byte[] whole = gzip(LINES);
        for (int length = 3; length < whole.length; length++) {
            assertRefused("truth.json.gz", Arrays.copyOf(whole, length), "cut or is damaged");
        }
    }

    @Test
    void linesThatEndInTheMiddleOfARecordAreRefusedWithTheirLine() {
        byte[] whole = LINES.getBytes(StandardCharsets.UTF_8);
        int third = LINES.indexOf("{\"time\":2");
        for (int length = third + 1; length < whole.length - 1; length++) {
            assertRefused("truth.jsonl", Arrays.copyOf(whole, length), "line 3");
        }
    }

    @Test
    void textThatIsNotUtf8SaysWhatToDo() {
        assertRefused("truth.json", ("\uFEFF" + LINES).getBytes(StandardCharsets.UTF_16LE), "must be UTF-8");
    }

    @Test
    void anIntegerBeyond64BitsIsAFloatOrRefused() throws IOException {
        String json = "[{\"time\":0,\"v\":123456789012345678901234567890}]";
        try (EpisodeTruth truth = open("truth.json", json.getBytes(StandardCharsets.UTF_8))) {
            TruthRun.Memory batch = TruthRun.gather(truth, Map.of("v", Column.float64()), 0);
            assertThat(batch.tensor("v").getDouble(0)).isEqualTo(1.2345678901234568e29);
            assertThatThrownBy(() -> TruthRun.gather(truth, Map.of("v", Column.int64()), 0))
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining("'v'")
                    .hasMessageContaining("line 1")
                    .hasMessageContaining("beyond 64 bits");
        }
    }

    @Test
    void aFieldThatIsAnotherTypeInTheNextEpisodeIsNamedWithBothFiles() throws IOException {
        EpisodeTruth numbers = open("a.json", "[{\"time\":0,\"v\":1}]".getBytes(StandardCharsets.UTF_8));
        EpisodeTruth texts = open("b.json", "[{\"time\":0,\"v\":\"x\"}]".getBytes(StandardCharsets.UTF_8));
        try (numbers;
                texts) {
            assertThatThrownBy(() -> TruthSchema.infer(List.of(numbers, texts)))
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining("'v'")
                    .hasMessageContaining("a.json")
                    .hasMessageContaining("b.json");
        }
    }
}
