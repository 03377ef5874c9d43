package dev.penstock.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.data.ElementType;
import dev.penstock.decode.testkit.TruthRun;
import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthField;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthTables;
import dev.penstock.decode.truth.TruthType;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Column;
import dev.penstock.view.Window;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrow truth gives the bytes that the JSON it was made of gives, and others can read its files. */
class ArrowTruthTest {
    private static final String[] WORDS = {"", "a", "left turn", "h\u00e9", "\ud83d\ude97 car", "\\\"quoted\\\"\\n"};

    @TempDir
    Path folder;

    /** Records of every kind of field; numbers with all the digits that a double can have. */
    static String randomJson(SplittableRandom random, int records) {
        StringBuilder json =
                new StringBuilder("{\"weather\":\"rain\",\"calib\":{\"k\":[[1.5,2],[3,4.25]]},\"records\":[");
        for (int i = 0; i < records; i++) {
            json.append(i == 0 ? "" : ",\n").append("{\"time\":").append(i * 0.1);
            json.append(",\"speed\":").append(random.nextDouble() * Math.pow(10, random.nextInt(-20, 20)));
            json.append(",\"gear\":").append(random.nextInt(-1, 7));
            json.append(",\"id\":").append(random.nextLong());
            json.append(",\"brake\":").append(random.nextBoolean());
            json.append(",\"pose\":{\"position\":[")
                    .append(random.nextDouble())
                    .append(',')
                    .append(random.nextInt())
                    .append(',')
                    .append(random.nextDouble() * 1e-300)
                    .append("],\"rotation\":[[1,0],[0,")
                    .append(random.nextDouble())
                    .append("]]}");
            json.append(",\"label\":\"")
                    .append(WORDS[random.nextInt(WORDS.length)])
                    .append('"');
            json.append(",\"boxes\":[");
            int boxes = random.nextInt(4);
            for (int b = 0; b < boxes; b++) {
                json.append(b == 0 ? "" : ",")
                        .append('[')
                        .append(random.nextInt(2000))
                        .append(',');
                json.append(random.nextDouble()).append(",3,4]");
            }
            json.append("],\"objects\":[");
            for (int b = 0; b < boxes; b++) {
                json.append(b == 0 ? "" : ",")
                        .append("{\"kind\":")
                        .append(random.nextInt(200))
                        .append(",\"at\":{\"x\":");
                json.append(random.nextDouble()).append("}}");
            }
            json.append("],\"never\":[]}");
        }
        return json.append("],\"scene\":12}").toString();
    }

    static Map<String, Column> view() {
        Map<String, Column> view = new LinkedHashMap<>();
        view.put("speed", Column.float32());
        view.put("speed64", Column.float64().field("speed"));
        view.put("between", Column.float32().field("speed").pick(Column.Pick.LINEAR));
        view.put("gear", Column.int32().pick(Column.Pick.PREVIOUS).tolerance(0.2));
        view.put("gearFloat", Column.float32().field("gear"));
        view.put("id", Column.int64());
        view.put("idFloat", Column.float32().field("id"));
        view.put("brake", Column.bool());
        view.put("position", Column.float32(3).field("pose.position"));
        view.put("track", Column.float64(3).field("pose.position").window(Window.seconds(-0.2, 0, 0.1)));
        view.put("rotation", Column.float64(2, 2).field("pose.rotation"));
        view.put("label", Column.text());
        view.put("boxes", Column.ragged(ElementType.FLOAT32, 4));
        view.put("boxes64", Column.ragged(ElementType.FLOAT64, 4).field("boxes"));
        view.put("kind", Column.ragged(ElementType.UINT8).field("objects.kind"));
        view.put("x", Column.ragged(ElementType.FLOAT64).field("objects.at.x"));
        view.put("never", Column.ragged(ElementType.FLOAT32, 7));
        view.put("weather", Column.text());
        view.put("k", Column.float32(2, 2).field("calib.k"));
        view.put("scene", Column.int32());
        return view;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void arrowGivesTheBytesOfTheJsonItWasMadeOf(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Path json = Files.writeString(folder.resolve("truth.json"), randomJson(random, 60));
        Path arrow = folder.resolve("truth.arrow");
        double[] anchors = random.doubles(40, 0.25, 5.7).toArray();
        try (EpisodeTruth from = TruthTables.open(TruthInput.file("e", json.toUri()))) {
            assertThat(ArrowTruthWriter.write(from, arrow)).containsExactly(arrow);
            try (EpisodeTruth made = TruthTables.open(TruthInput.file("e", arrow.toUri()))) {
                TruthRun.Memory expected = TruthRun.gather(from, view(), anchors);
                TruthRun.Memory got = TruthRun.gather(made, view(), anchors);
                assertThat(expected.failures).isEmpty();
                assertThat(got.failures).isEmpty();
                assertThat(got.contents()).isEqualTo(expected.contents());
                assertThat(made.identity()).startsWith(from.identity());
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13})
    void columnByColumnArrowGivesTheBytesOfTheJsonToo(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Path json = Files.writeString(folder.resolve("truth.json"), randomJson(random, 60));
        Path arrow = folder.resolve("truth.arrow");
        Map<String, Column> view = new LinkedHashMap<>(view());
        // Constants and interpolation make a batch go row by row.
        view.keySet().removeAll(List.of("between", "weather", "k", "scene"));
        try (EpisodeTruth from = TruthTables.open(TruthInput.file("e", json.toUri()))) {
            ArrowTruthWriter.write(from, arrow);
            try (EpisodeTruth made = TruthTables.open(TruthInput.file("e", arrow.toUri()))) {
                for (int batch = 0; batch < 10; batch++) {
                    double[] anchors = random.doubles(8, 0.25, 5.7).toArray();
                    TruthRun.Memory expected = TruthRun.gather(from, view, anchors);
                    TruthRun.Memory got = TruthRun.gather(made, view, anchors);
                    assertThat(got.failures).isEqualTo(expected.failures).isEmpty();
                    assertThat(got.contents()).isEqualTo(expected.contents());
                }
            }
        }
    }

    @Test
    void roundedNumbersStandBesideTheExactOnesAndAreNoFieldOfTheTruth() throws IOException {
        String text = "[{\"time\":0,\"v\":0.1,\"p\":[0.1,1e300],\"r\":[[0.2],[0.3]]},"
                + "{\"time\":1,\"v\":0.7,\"p\":[0.3,NaN],\"r\":[]}]";
        Path file = folder.resolve("t.arrow");
        Map<String, Column> view = new LinkedHashMap<>();
        view.put("p32", Column.float32(2).field("p"));
        view.put("p64", Column.float64(2).field("p"));
        view.put("r32", Column.ragged(ElementType.FLOAT32, 1).field("r"));
        view.put("r64", Column.ragged(ElementType.FLOAT64, 1).field("r"));
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", text, "index"))) {
            ArrowTruthWriter.write(truth, file);
            try (EpisodeTruth made = TruthTables.open(TruthInput.file("e", file.toUri()))) {
                assertThat(made.schema().fields())
                        .extracting(TruthField::name)
                        .containsExactlyInAnyOrder("time", "v", "p", "r");
                TruthRun.Memory got = TruthRun.gather(made, view, 0, 1);
                assertThat(got.contents())
                        .isEqualTo(TruthRun.gather(truth, view, 0, 1).contents());
                assertThat(got.tensor("p64").getDouble(0)).isEqualTo(0.1);
                assertThat(got.tensor("p32").getFloat(4)).isInfinite();
            }
        }
    }

    @Test
    void aNumberThatDoesNotFitFailsItsRowAlone() throws IOException {
        String text = "[{\"time\":0,\"v\":1,\"w\":[[7]]},{\"time\":1,\"v\":3000000000,\"w\":[[8]]},"
                + "{\"time\":2,\"v\":2,\"w\":[[9],[300]]},{\"time\":3,\"v\":5,\"w\":[]}]";
        Path file = folder.resolve("t.arrow");
        Map<String, Column> view = new LinkedHashMap<>();
        view.put("v", Column.int32());
        view.put("w", Column.ragged(ElementType.UINT8, 1));
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", text, "index"))) {
            ArrowTruthWriter.write(truth, file);
            try (EpisodeTruth made = TruthTables.open(TruthInput.file("e", file.toUri()))) {
                TruthRun.Memory expected = TruthRun.gather(truth, view, 0, 1, 2, 3);
                TruthRun.Memory got = TruthRun.gather(made, view, 0, 1, 2, 3);
                assertThat(got.failures).containsOnlyKeys(1, 2);
                assertThat(expected.failures).containsOnlyKeys(1, 2);
                assertThat(got.row("w", 0)).isEqualTo(expected.row("w", 0));
                assertThat(got.row("w", 3).remaining()).isZero();
                assertThat(got.tensor("v").getInt(12)).isEqualTo(5);
            }
        }
    }

    @Test
    void writingTwiceGivesEqualFiles() throws IOException {
        String text = randomJson(new SplittableRandom(9), 20);
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", text, "index"))) {
            Path one =
                    ArrowTruthWriter.write(truth, folder.resolve("one.arrow")).get(0);
            Path two =
                    ArrowTruthWriter.write(truth, folder.resolve("two.arrow")).get(0);
            assertThat(Files.readAllBytes(one)).isEqualTo(Files.readAllBytes(two));
        }
    }

    @Test
    void otherListsGoIntoFilesBesideTheFirst() throws IOException {
        String text = "{\"records\":[{\"time\":0,\"a\":1},{\"time\":1,\"a\":2}],\"can\":[{\"time\":0.5,\"v\":2.5}]}";
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", text, "index"))) {
            List<Path> files = ArrowTruthWriter.write(truth, folder.resolve("t.arrow"));
            assertThat(files).hasSize(2);
            try (EpisodeTruth made =
                    TruthTables.open(TruthInput.file("e", files.get(0).toUri()))) {
                Map<String, Column> view =
                        Map.of("v", Column.float64().field("can.v").tolerance(1));
                assertThat(TruthRun.gather(made, view, 0.9).tensor("v").getDouble(0))
                        .isEqualTo(2.5);
            }
        }
    }

    @Test
    void aMissingValueIsAFailureOfItsRowUnlessASchemaCallsItOptional() throws IOException {
        String text = "[{\"time\":0,\"v\":1.5,\"w\":1},{\"time\":1,\"w\":2}]";
        Path file = folder.resolve("t.arrow");
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", text, "index"))) {
            ArrowTruthWriter.write(truth, file);
            Map<String, Column> view = Map.of("v", Column.float32());
            try (EpisodeTruth made = TruthTables.open(TruthInput.file("e", file.toUri()))) {
                assertThat(made.schema().field("v"))
                        .satisfies(f -> assertThat(f.optional()).isTrue());
                assertThat(TruthRun.gather(made, view, 0, 1).failures).containsOnlyKeys(1);
            }
            try (EpisodeTruth lenient =
                    TruthTables.open(TruthInput.file("e", file.toUri()).schema(truth.schema()))) {
                TruthRun.Memory batch = TruthRun.gather(lenient, view, 0, 1);
                assertThat(batch.failures).isEmpty();
                assertThat(batch.tensor("v").getFloat(4)).isNaN();
            }
        }
    }

    @Test
    void aCutFileIsOneClearError() throws IOException {
        Path file = folder.resolve("t.arrow");
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", "[{\"time\":0,\"v\":1}]", "index"))) {
            ArrowTruthWriter.write(truth, file);
        }
        byte[] whole = Files.readAllBytes(file);
        for (int length = 64; length < whole.length; length += 37) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> TruthTables.open(TruthInput.file("drive-7", file.toUri())))
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContaining("drive-7")
                    .hasMessageContaining("Arrow file");
        }
    }

    @Test
    void theTypesOfTheFieldsSurvive() throws IOException {
        String text = randomJson(new SplittableRandom(3), 10);
        Path file = folder.resolve("t.arrow");
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", text, "index"))) {
            ArrowTruthWriter.write(truth, file);
            try (EpisodeTruth made = TruthTables.open(TruthInput.file("e", file.toUri()))) {
                assertThat(made.schema().fields())
                        .filteredOn(f -> !f.name().equals("time"))
                        .containsExactlyInAnyOrderElementsOf(truth.schema().fields().stream()
                                .filter(f -> !f.name().equals("time"))
                                .toList());
                assertThat(made.schema().fields()).contains(TruthField.of("id", TruthType.INT64));
            }
        }
    }

    @Test
    void apacheArrowForJavaScriptReadsTheFiles() throws IOException, InterruptedException {
        Path home = Path.of("src/test/node").toAbsolutePath();
        Path work = Path.of("target/node").toAbsolutePath();
        Files.createDirectories(work);
        assumeTrue(runs(List.of("node", "--version"), work), "node is not installed: the read-back is skipped");
        for (String name : List.of("package.json", "package-lock.json", "read.mjs")) {
            Files.copy(home.resolve(name), work.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        assumeTrue(
                Files.isDirectory(work.resolve("node_modules/apache-arrow"))
                        || runs(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), work),
                "npm could not fetch apache-arrow: the read-back is skipped");
        Path file = folder.resolve("t.arrow");
        String text =
                "[{\"time\":0,\"v\":[[1,2],[3,4.5]],\"s\":\"h\u00e9\",\"boxes\":[[1,2],[3,4]],\"id\":9007199254740993,"
                        + "\"ok\":true},{\"time\":0.5,\"v\":[[5,6],[7,8]],\"s\":\"\",\"boxes\":[],\"id\":-1,\"ok\":false}]";
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", text, "index"))) {
            ArrowTruthWriter.write(truth, file);
        }
        assertThat(output(List.of("node", "read.mjs", file.toString()), work))
                .isEqualTo("{\"tensor\":\"arrow.fixed_shape_tensor {\\\"shape\\\":[2,2]}\","
                        + "\"storage\":\"FixedSizeList[4]<Float64>\",\"rows\":["
                        + "{\"time\":0,\"v\":[1,2,3,4.5],\"s\":\"h\u00e9\",\"boxes\":[[\"1\",\"2\"],[\"3\",\"4\"]],"
                        + "\"id\":\"9007199254740993\",\"ok\":true},"
                        + "{\"time\":0.5,\"v\":[5,6,7,8],\"s\":\"\",\"boxes\":[],\"id\":\"-1\",\"ok\":false}]}");
    }

    private static boolean runs(List<String> command, Path in) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(in.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(new File(in.toFile(), "command.log"))
                    .start();
            return process.waitFor(3, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String output(List<String> command, Path in) throws IOException {
        Process process = new ProcessBuilder(new ArrayList<>(command))
                .directory(in.toFile())
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    }
}
