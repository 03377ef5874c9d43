package dev.penstock.decode.truth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.data.ElementType;
import dev.penstock.decode.testkit.TruthRun;
import dev.penstock.view.Column;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same records in every form that a JSON file may have give the same table and the same values. */
class JsonTruthFormsTest {
    private static final String A = "{\"time\":0.0,\"speed\":1.5,\"name\":\"a\",\"boxes\":[[1,2,3,4]]}";
    private static final String B = "{\"speed\":-2,\"time\":0.1,\"boxes\":[],\"name\":\"b\\u00e9\"}";
    private static final String C =
            "{ \"name\": \"c\", \"extra\": {\"deep\": [1, {\"x\": null}]}, \"boxes\": [[5, 6, 7, 8], [9, 10, 11, 12.5]],\n"
                    + " \"speed\": 3e2, \"time\": 0.2 }";

    private static final double[] FRAMES = {0.0, 0.1, 0.2};

    @TempDir
    Path folder;

    static Stream<Arguments> forms() {
        String flatC = C.replace("\n", "");
        return Stream.of(
                Arguments.of("array", "[" + A + "," + B + ",\n" + C + "]"),
                Arguments.of("array over lines", "[\n  " + A + ",\n  " + B + ",\n  " + C + "\n]\n"),
                Arguments.of("unsorted array", "[" + C + "," + A + "," + B + "]"),
                Arguments.of("records", "{\"records\":[" + A + "," + B + "," + C + "]}"),
                Arguments.of(
                        "frames with constants", "{\"town\":\"x\",\"frames\":[" + A + "," + B + "," + C + "],\"n\":3}"),
                Arguments.of("lines", A + "\n" + B + "\r\n\n" + flatC + "\n"),
                Arguments.of("lines without an end", A + "\n" + B + "\n" + flatC),
                Arguments.of("byte order mark", "\uFEFF[" + A + "," + B + "," + C + "]"),
                Arguments.of(
                        "by frame",
                        ("[" + A + "," + B + "," + C + "]")
                                .replace("\"time\":0.0", "\"frame\":0")
                                .replace("\"time\":0.1", "\"frame\":1")
                                .replace("\"time\": 0.2", "\"frame\": 2")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void aFileGivesItsRecords(String form, String json) throws IOException {
        Path file = folder.resolve("truth.json");
        Files.writeString(file, json);
        try (EpisodeTruth truth =
                TruthTables.open(TruthInput.file("e", file.toUri()).frames(() -> FRAMES))) {
            check(truth);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void gzipGivesTheSame(String form, String json) throws IOException {
        Path file = folder.resolve("truth.json.gz");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(json.getBytes(StandardCharsets.UTF_8));
        }
        Files.write(file, packed.toByteArray());
        try (EpisodeTruth truth =
                TruthTables.open(TruthInput.file("e", file.toUri()).frames(() -> FRAMES))) {
            check(truth);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void inlineTruthGivesTheSame(String form, String json) throws IOException {
        try (EpisodeTruth truth =
                TruthTables.open(TruthInput.inline("e", json, "index line 1").frames(() -> FRAMES))) {
            check(truth);
        }
    }

    private static void check(EpisodeTruth truth) throws IOException {
        TruthTable table = truth.timed();
        assertThat(table).isNotNull();
        assertThat(table.records()).isEqualTo(3);
        assertThat(table.timeOf(0)).isEqualTo(0.0);
        assertThat(table.timeOf(1)).isEqualTo(0.1);
        assertThat(table.timeOf(2)).isEqualTo(0.2);
        assertThat(truth.schema().field("speed")).isEqualTo(TruthField.of("speed", TruthType.FLOAT64));
        assertThat(truth.schema().field("boxes")).isEqualTo(TruthField.rows("boxes", TruthType.FLOAT64, 4));
        Map<String, Column> columns = new LinkedHashMap<>();
        columns.put("speed", Column.float32());
        columns.put("again", Column.float64().field("speed"));
        columns.put("name", Column.text());
        columns.put("boxes", Column.ragged(ElementType.FLOAT32, 4));
        try (TruthRun run = TruthRun.over(truth, columns, 0.01, 0.2, 0.0, 0.1)) {
            TruthRun.Memory batch = run.batch(0, 1, 2);
            assertThat(batch.failures).isEmpty();
            assertThat(batch.tensor("speed").getFloat(0)).isEqualTo(300f);
            assertThat(batch.tensor("speed").getFloat(4)).isEqualTo(1.5f);
            assertThat(batch.tensor("speed").getFloat(8)).isEqualTo(-2f);
            assertThat(batch.tensor("again").getDouble(16)).isEqualTo(-2.0);
            assertThat(batch.text("name", 0)).isEqualTo("c");
            assertThat(batch.text("name", 2)).isEqualTo("b\u00e9");
            assertThat(batch.row("boxes", 0).remaining()).isEqualTo(32);
            assertThat(batch.row("boxes", 0).getFloat(28)).isEqualTo(12.5f);
            assertThat(batch.row("boxes", 1).getFloat(0)).isEqualTo(1f);
            assertThat(batch.row("boxes", 2).remaining()).isZero();
        }
    }

    @Test
    void constantsHoldForEveryAnchor() throws IOException {
        String json =
                "{\"weather\":\"rain\",\"calib\":{\"k\":[[1,2],[3,4]]},\"records\":[" + A + "," + B + "],\"id\": 7 }";
        Path file = folder.resolve("truth.json");
        Files.writeString(file, json);
        Map<String, Column> columns = new LinkedHashMap<>();
        columns.put("weather", Column.text());
        columns.put("k", Column.float64(2, 2).field("calib.k"));
        columns.put("id", Column.int32());
        columns.put("speed", Column.float32());
        try (EpisodeTruth truth = TruthTables.open(TruthInput.file("e", file.toUri()));
                TruthRun run = TruthRun.over(truth, columns, 0.01, 0.0, 0.1)) {
            TruthRun.Memory batch = run.batch(0, 1);
            assertThat(batch.failures).isEmpty();
            assertThat(batch.text("weather", 1)).isEqualTo("rain");
            assertThat(batch.tensor("k").getDouble(7 * 8)).isEqualTo(4.0);
            assertThat(batch.tensor("id").getInt(4)).isEqualTo(7);
            assertThat(batch.tensor("speed").getFloat(4)).isEqualTo(-2f);
        }
    }

    @Test
    void constantsAloneAreATruth() throws IOException {
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", "{\"task\":\"pick\",\"ok\":true}", "index"));
                TruthRun run = TruthRun.over(truth, Map.of("task", Column.text(), "ok", Column.bool()), 0, 12.5, -3)) {
            TruthRun.Memory batch = run.batch(0, 1);
            assertThat(truth.timed()).isNull();
            assertThat(batch.failures).isEmpty();
            assertThat(batch.text("task", 1)).isEqualTo("pick");
            assertThat(batch.tensor("ok").get(1)).isEqualTo((byte) 1);
        }
    }

    @Test
    void otherListsHaveTheirOwnTimesAndNames() throws IOException {
        String json = "{\"records\":[{\"time\":0,\"a\":1},{\"time\":1,\"a\":2}],"
                + "\"can\":[{\"time\":0.4,\"speed\":10},{\"time\":0.9,\"speed\":20},{\"time\":1.4,\"speed\":30}]}";
        Map<String, Column> columns = new LinkedHashMap<>();
        columns.put("a", Column.int64());
        columns.put("speed", Column.float64().field("can.speed").pick(Column.Pick.LINEAR));
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", json, "index"));
                TruthRun run = TruthRun.over(truth, columns, 0.5, 0.65, 1.0)) {
            TruthRun.Memory batch = run.batch(0, 1);
            assertThat(batch.failures).isEmpty();
            assertThat(batch.tensor("a").getLong(0)).isEqualTo(2);
            assertThat(batch.tensor("speed").getDouble(0)).isEqualTo(15.0);
            assertThat(batch.tensor("speed").getDouble(8)).isEqualTo(22.0, org.assertj.core.data.Offset.offset(1e-12));
        }
    }

    @Test
    void listsOfObjectsAreRows() throws IOException {
        String json =
                "[{\"time\":0,\"objects\":[{\"id\":1,\"box\":[1,2],\"pos\":{\"x\":0.5}},{\"id\":2,\"box\":[3,4],\"pos\":{\"x\":1}}]},"
                        + "{\"time\":1,\"objects\":[]},{\"time\":2,\"objects\":[{\"pos\":{\"x\":9},\"id\":3,\"box\":[5,6]}]}]";
        Map<String, Column> columns = new LinkedHashMap<>();
        columns.put("id", Column.ragged(ElementType.INT32).field("objects.id"));
        columns.put("box", Column.ragged(ElementType.FLOAT32, 2).field("objects.box"));
        columns.put("x", Column.ragged(ElementType.FLOAT64).field("objects.pos.x"));
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", json, "index"));
                TruthRun run = TruthRun.over(truth, columns, 0.1, 0, 1, 2)) {
            assertThat(truth.schema().fields())
                    .contains(
                            TruthField.rows("objects.id", TruthType.INT64),
                            TruthField.rows("objects.box", TruthType.INT64, 2),
                            TruthField.rows("objects.pos.x", TruthType.FLOAT64));
            TruthRun.Memory batch = run.batch(0, 1, 2);
            assertThat(batch.failures).isEmpty();
            assertThat(batch.row("id", 0).getInt(4)).isEqualTo(2);
            assertThat(batch.row("box", 0).getFloat(12)).isEqualTo(4f);
            assertThat(batch.row("id", 1).remaining()).isZero();
            assertThat(batch.row("x", 2).getDouble(0)).isEqualTo(9.0);
        }
    }

    @Test
    void aKeyMayHaveDotsInIt() throws IOException {
        String json = "[{\"time\":0,\"observation.state\":[1,2],\"observation\":{\"other\":3}}]";
        Map<String, Column> columns = new LinkedHashMap<>();
        columns.put("state", Column.float32(2).field("observation.state"));
        columns.put("other", Column.float32().field("observation.other"));
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", json, "index"));
                TruthRun run = TruthRun.over(truth, columns, 0.1, 0)) {
            TruthRun.Memory batch = run.batch(0);
            assertThat(batch.failures).isEmpty();
            assertThat(batch.tensor("state").getFloat(4)).isEqualTo(2f);
            assertThat(batch.tensor("other").getFloat(0)).isEqualTo(3f);
        }
    }

    @Test
    void theIdentityChangesWithTheContentAndNotWithTheAddress() throws IOException {
        Path one = Files.writeString(folder.resolve("one.json"), "[" + A + "," + B + "]");
        Path two = Files.writeString(folder.resolve("two.json"), "[" + A + "," + B + "]");
        Path other = Files.writeString(folder.resolve("other.json"), "[" + A + "," + B.replace("-2", "-3") + "]");
        assertThat(identity(one)).isEqualTo(identity(two)).isNotEqualTo(identity(other));
    }

    private static String identity(Path file) throws IOException {
        try (EpisodeTruth truth = TruthTables.open(TruthInput.file("e", file.toUri()))) {
            return truth.identity();
        }
    }
}
