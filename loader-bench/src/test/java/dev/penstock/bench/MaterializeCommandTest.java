package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.view.Size;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moving the boundary as a person types it. */
class MaterializeCommandTest {
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

    @Test
    void materializeLoadVerifyAndTellDamage() throws Exception {
        String target = folder.resolve("artifact").toString();
        Said plan = Said.by("materialize", data, target, "--size", "64x48", "--frames", "4", "--dry-run");
        assertThat(plan.err()).isEmpty();
        assertThat(plan.out()).contains("2 episodes, 0 bad", "cheaper", "nothing was written");
        assertThat(Path.of(target)).doesNotExist();

        Said made = Said.by("materialize", data, target, "--size", "64x48", "--frames", "4", "--gop", "4");
        assertThat(made.err()).isEmpty();
        assertThat(made.code()).isZero();
        assertThat(made.out()).contains("2 episodes written", "PSNR");
        assertThat(Said.by("materialize", data, target, "--size", "64x48", "--frames", "4", "--gop", "4")
                        .out())
                .contains("0 episodes written, 2 kept");

        Said loaded = Said.by("run", target, "--camera", "front", "--size", "64x48", "--frames", "4", "--every", "2");
        assertThat(loaded.err()).isEmpty();
        assertThat(loaded.code()).isZero();

        Said sound = Said.by("verify", target);
        assertThat(sound.code()).isZero();
        assertThat(sound.out()).contains("sound; 2 episodes");
        Path clip;
        try (var files = Files.walk(Path.of(target))) {
            clip = files.filter(file -> file.endsWith("left.mp4")).findFirst().orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(clip);
        bytes[bytes.length / 2] ^= 1;
        Files.write(clip, bytes);
        Said damaged = Said.by("verify", target);
        assertThat(damaged.code()).isEqualTo(Main.FAILED);
        assertThat(damaged.out()).contains("left.mp4: its SHA-256", "DAMAGED (1)");
    }

    @Test
    void ofAHalfFetchedDatasetWhatIsThereIsWrittenWhereThatIsAllowed() throws Exception {
        Path whole = Path.of(data).toAbsolutePath();
        Path index = whole.resolveSibling("half").resolve("episodes.jsonl");
        Files.createDirectories(index.getParent());
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(whole)) {
            lines.add(line.replaceAll("\"(clips/|truth/)", "\"../$1"));
        }
        lines.add("{\"id\": \"gone\", \"cameras\": {\"front\": \"gone-front.mp4\", \"left\": \"gone-left.mp4\"}}");
        Files.write(index, lines);
        String target = folder.resolve("half-artifact").toString();
        String[] command = {"materialize", index.toString(), target, "--size", "64x48", "--frames", "4"};
        Said refused = Said.by(command);
        assertThat(refused.code()).isEqualTo(Main.FAILED);
        assertThat(refused.err()).contains("gone");
        List<String> allowed = new ArrayList<>(List.of(command));
        allowed.add("--allow-missing");
        Said made = Said.by(allowed.toArray(String[]::new));
        assertThat(made.code()).as(made.err()).isZero();
        assertThat(made.out()).contains("2 episodes written");
    }

    @Test
    void wrongSettingsAreAWrongCommandLineAndAFullFolderAFailure() throws Exception {
        Said wrong = Said.by("materialize", data, folder.resolve("x").toString(), "--codec", "hevc", "--quality", "0");
        assertThat(wrong.code()).isEqualTo(Main.USAGE);
        assertThat(wrong.err()).contains("HEVC", "quality was 0");
        Said full = Said.by(
                "materialize", data, folder.resolve("data").resolve("clips").toString(), "--size", "64x48");
        assertThat(full.code()).isEqualTo(Main.FAILED);
        assertThat(full.err()).contains("not empty and is no artifact");
    }
}
