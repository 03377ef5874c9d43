package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.view.Size;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as a person types them, on a small demo dataset. */
class CommandLineTest {
    @TempDir
    static Path folder;

    private static String data = "";

    @BeforeAll
    static void makeData() throws Exception {
        data = DemoDataset.make(
                        folder.resolve("data"),
                        DemoSettings.STANDARD.length(2, 2).size(Size.of(160, 96)),
                        (done, total) -> {})
                .toString();
    }

    private static String digest(String... more) {
        List<String> arguments = new java.util.ArrayList<>(List.of(
                "digest",
                data,
                "--camera",
                "front",
                "--camera",
                "left",
                "--frames",
                "4",
                "--size",
                "32x24",
                "--batch",
                "3",
                "--seed",
                "7"));
        arguments.addAll(List.of(more));
        Said said = Said.by(arguments.toArray(String[]::new));
        assertThat(said.err()).isEmpty();
        assertThat(said.code()).isZero();
        return said.lastLine();
    }

    @Test
    void digestIsTheSameAtAnyConcurrencyAndDiffersByEpochAndSeed() {
        String one = digest("--decode", "1", "--read", "1");
        assertThat(one).matches("[0-9a-f]{64}");
        assertThat(digest("--decode", "4", "--read", "4")).isEqualTo(one);
        assertThat(digest("--decode", "2", "--prefetch", "5")).isEqualTo(one);
        assertThat(digest("--epoch", "1")).isNotEqualTo(one);
        assertThat(digest("--shuffle", "full")).isNotEqualTo(one);
    }

    @Test
    void aResumedDigestGoesOnWithTheNextBatchNumber() {
        String state = folder.resolve("state.json").toString();
        String[] base = {
            "digest",
            data,
            "--camera",
            "front",
            "--frames",
            "4",
            "--size",
            "32x24",
            "--batch",
            "3",
            "--seed",
            "7",
            "--per-batch"
        };
        List<String> all = lines(Said.by(base));
        List<String> head = lines(Said.by(with(base, "--steps", "3", "--save-state", state)));
        List<String> tail = lines(Said.by(with(base, "--resume", state)));
        assertThat(head.subList(0, 3)).isEqualTo(all.subList(0, 3));
        assertThat(tail.subList(0, tail.size() - 1)).isEqualTo(all.subList(3, all.size() - 1));
        assertThat(tail.get(0)).startsWith("3 ");
    }

    private static String[] with(String[] base, String... more) {
        List<String> all = new java.util.ArrayList<>(List.of(base));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static List<String> lines(Said said) {
        assertThat(said.err()).isEmpty();
        return List.of(said.out().strip().split("\n"));
    }

    @Test
    void runReportsAndWritesJson() throws Exception {
        Path json = folder.resolve("report.json");
        Said said = Said.by(
                "run",
                data,
                "--camera",
                "front",
                "--frames",
                "4",
                "--size",
                "32x24",
                "--steps",
                "5",
                "--json",
                json.toString());
        assertThat(said.code()).isZero();
        assertThat(said.out()).contains("data wait").contains("lowest");
        assertThat(Files.readString(json)).contains("\"waitShare\"");
        assertThat(Said.by(
                                "run",
                                data,
                                "--camera",
                                "front",
                                "--frames",
                                "4",
                                "--size",
                                "32x24",
                                "--fake",
                                "replay",
                                "--steps",
                                "5")
                        .out())
                .contains("fake batches (replay): 5 steps");
        assertThat(Said.by("run", data, "--camera", "front", "--fake", "synthetic", "--steps", "5")
                        .out())
                .contains("fake batches (synthetic): 5 steps");
    }

    @Test
    void aPrintedViewDrivesTheOtherCommands() throws Exception {
        Said view = Said.by("view", "--camera", "left", "--frames", "4", "--size", "32x24");
        Path file = Files.writeString(folder.resolve("view.json"), view.out());
        assertThat(Said.by("run", data, "--view", file.toString(), "--steps", "2")
                        .code())
                .isZero();
    }

    @Test
    void inspectShowsCamerasAndTruth() {
        Said said = Said.by("inspect", data);
        assertThat(said.out())
                .contains("episodes   2")
                .contains("camera     front")
                .contains("steering");
        assertThat(Said.by("inspect", data, "--json").out()).contains("\"episodeList\"");
    }

    @Test
    void wrongUsageIsTwoAndAFailureIsOneClearLine() {
        Said usage = Said.by("run", data, "--frames", "4");
        assertThat(usage.code()).isEqualTo(Main.USAGE);
        assertThat(usage.err()).contains("the dataset has the cameras [front, left]; say which with --camera NAME");
        Said absent = Said.by("run", folder.resolve("nothing").toString(), "--camera", "front");
        assertThat(absent.code()).isEqualTo(Main.FAILED);
        assertThat(absent.err()).contains("nothing");
        Said camera = Said.by("run", data, "--camera", "rear");
        assertThat(camera.code()).isEqualTo(Main.FAILED);
        assertThat(camera.err()).contains("rear").contains("front");
    }

    @Test
    void framesAndIndexReadOneClip() throws Exception {
        String clip =
                Path.of(data).resolveSibling("clips").resolve("0_front.mp4").toString();
        Said frames = Said.by(
                "frames",
                clip,
                "--index",
                "0,3",
                "--json",
                "--png",
                folder.resolve("png").toString());
        assertThat(frames.out().strip().split("\n")).hasSize(2).allMatch(line -> line.contains("\"quarters\":[["));
        assertThat(folder.resolve("png/frame-000003.png")).isNotEmptyFile();
        assertThat(Said.by("index", clip).out()).contains("h264 160x96").contains("K");
        assertThat(Said.by("frames", clip, "--index", "5000").code()).isEqualTo(Main.FAILED);
    }
}
