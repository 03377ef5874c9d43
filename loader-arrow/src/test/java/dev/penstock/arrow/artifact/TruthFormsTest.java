package dev.penstock.arrow.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.data.ElementType;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The forms that JSON truth comes in, odd numbers and damage: the artifact has the source's truth, or one clear error. */
class TruthFormsTest {
    private static final int FRAMES = 12;

    @TempDir
    Path folder;

    private final List<String> records = new ArrayList<>();

    /** How the records are put into a file. */
    enum Form {
        ARRAY,
        OBJECT,
        LINES,
        LINES_CRLF_BOM,
        ARRAY_GZIP,
        LINES_GZIP
    }

    @BeforeEach
    void makeSource() throws IOException {
        Files.createDirectories(source());
        SmallSource.clip(source().resolve("front.mp4"), 3, FRAMES, i -> i * 40L);
        for (int i = 0; i < FRAMES; i++) {
            records.add("{\"frame\": " + i + ", \"big\": " + (9_007_199_254_740_993L + i) + ", \"v\": "
                    + (i % 4 == 0 ? "NaN" : i % 4 == 1 ? "-Infinity" : "0.1") + ", \"p\": [0.1, 1e300, " + i
                    + "], \"rows\": [" + "[0.2, 7],".repeat(i % 3).replaceAll(",$", "") + "], \"name\": \"käse" + i
                    + "\"}");
        }
    }

    private Path source() {
        return folder.resolve("source");
    }

    private Episodes open(byte[] truth) throws IOException {
        Files.write(source().resolve("truth.json"), truth);
        Files.writeString(
                source().resolve("episodes.jsonl"),
                "{\"id\": \"drive-3\", \"cameras\": {\"front\": \"front.mp4\"}, \"truth\": \"truth.json\"}\n");
        return Episodes.open(source());
    }

    private static View view() {
        return View.builder()
                .video("front", Window.frames(1), Size.of(32, 32))
                .truth("big", Column.int64())
                .truth("v32", Column.float32().field("v"))
                .truth("v64", Column.float64().field("v"))
                .truth("p32", Column.float32(3).field("p"))
                .truth("p64", Column.float64(3).field("p"))
                .truth("rows", Column.ragged(ElementType.FLOAT32, 2))
                .truth("name", Column.text())
                .anchors(Anchors.everyFrames(1))
                .build();
    }

    private byte[] bytes(Form form) throws IOException {
        String array = "[" + String.join(",\n", records) + "]";
        String lines = String.join("\n", records) + "\n";
        return switch (form) {
            case ARRAY -> utf8(array);
            case OBJECT -> utf8("{\"weather\": \"rain\", \"records\": " + array + "}");
            case LINES -> utf8(lines);
            case LINES_CRLF_BOM -> utf8("\uFEFF" + lines.replace("\n", "\r\n\r\n"));
            case ARRAY_GZIP -> gzip(utf8(array));
            case LINES_GZIP -> gzip(utf8(lines));
        };
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        return packed.toByteArray();
    }

    @ParameterizedTest
    @EnumSource
    void everyFormGivesTheSourcesTruthFromTheArtifact(Form form) throws Exception {
        Episodes source = open(bytes(form));
        Materializer.of(source, view()).codec(ArtifactCodec.RAW).to(folder.resolve("artifact"));
        SameSamples.Fidelity same = SameSamples.compare(source, Episodes.open(folder.resolve("artifact")), view());
        assertThat(same.samples()).isEqualTo(FRAMES);
    }

    private void assertRefused(byte[] truth, String... words) throws IOException {
        Episodes source = open(truth);
        Path target = folder.resolve("refused");
        assertThatThrownBy(() ->
                        Materializer.of(source, view()).codec(ArtifactCodec.RAW).to(target))
                .isInstanceOf(DatasetException.class)
                .hasMessageContainingAll("drive-3", "truth.json")
                .hasMessageContainingAll(words)
                .satisfies(
                        e -> assertThat(String.valueOf(e.getMessage()).lines()).hasSize(1));
        assertThat(target.resolve("manifest.json")).doesNotExist();
    }

    @Test
    void cutFilesDuplicateKeysAndNumbersThatDoNotFitAreOneLineThatNamesTheEpisodeAndTheFile() throws Exception {
        byte[] array = bytes(Form.ARRAY);
        assertRefused(Arrays.copyOf(array, array.length * 2 / 3), "truth.json");
        byte[] packed = bytes(Form.LINES_GZIP);
        assertRefused(Arrays.copyOf(packed, packed.length * 2 / 3), "gzip");
        records.set(5, records.get(5).replace("\"name\"", "\"big\": 1, \"name\""));
        assertRefused(bytes(Form.LINES), "line 6", "big");
        records.set(5, records.get(5).replace("\"big\": 1, ", "").replaceAll("\"big\": [0-9]+", "\"big\": 9e99"));
        assertRefused(bytes(Form.LINES), "big");
        records.set(5, records.get(5).replace("9e99", "\"many\""));
        assertRefused(bytes(Form.LINES), "line 6", "big");
    }
}
