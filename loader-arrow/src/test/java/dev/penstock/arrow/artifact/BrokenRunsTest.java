package dev.penstock.arrow.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.arrow.ArrowFlags;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.DatasetException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that end before they are done: killed, out of disk, nowhere to write. The next run makes it whole. */
class BrokenRunsTest {
    private static final int FRAMES = 60;

    @TempDir
    Path folder;

    /** {@code -Dpenstock.kills=10} for more of them. */
    @Test
    void aRunThatWasKilledAtAnyMomentAndRunAgainEqualsAnUnbrokenOne() throws Exception {
        Path source = SmallSource.make(folder.resolve("source"), 3, FRAMES);
        run(source, folder.resolve("unbroken"));
        Map<String, String> expected = MaterializerTest.tree(folder.resolve("unbroken"));
        SplittableRandom random = new SplittableRandom(5);
        int frames = 3 * (2 * FRAMES - 1);
        int killed = 0;
        for (int kill = 0; kill < Integer.getInteger("penstock.kills", 2); kill++) {
            Path target = folder.resolve("killed-" + kill);
            int moment = 1 + random.nextInt(frames);
            killed += killedAt(moment, source, target) ? 1 : 0;
            run(source, target);
            assertThat(MaterializerTest.tree(target))
                    .as("killed after frame %d", moment)
                    .isEqualTo(expected);
        }
        assertThat(killed).isPositive();
    }

    private static void run(Path source, Path target) throws Exception {
        Materializer.of(Episodes.open(source), SmallSource.view()).threads(2).to(target);
    }

    /** Kills a run (SIGKILL) when it says that it wrote that frame; false where it was done before. */
    private static boolean killedAt(int moment, Path source, Path target) throws Exception {
        Process process = new ProcessBuilder(java(source, target, ArtifactCodec.H264))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.matches("[0-9]+") && Integer.parseInt(line) >= moment) {
                    process.destroyForcibly();
                    break;
                }
            }
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() != 0;
    }

    private static List<String> java(Path source, Path target, ArtifactCodec codec) {
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                ArrowFlags.OPTION,
                "-XX:-UsePerfData",
                "-cp",
                classes,
                MaterializeMain.class.getName(),
                source.toString(),
                target.toString(),
                codec.name()));
    }

    /** A limit on the size of files fails a write as a full disk does, wherever the bytes come from. */
    @ParameterizedTest
    @CsvSource({"RAW, 100", "MJPEG, 16"})
    void writesThatFailLeaveNoHalfEpisodeAndSayWhatToDo(ArtifactCodec codec, int kibibytes) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "skipped: needs bash for ulimit");
        Path source = SmallSource.make(folder.resolve("source"), 1, FRAMES);
        Path target = folder.resolve("target");
        List<String> command = java(source, target, codec);
        List<String> limited =
                new ArrayList<>(List.of("/bin/bash", "-c", "ulimit -f " + kibibytes + "; exec \"$@\"", "limited"));
        limited.addAll(command);
        Process process = new ProcessBuilder(limited)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said).contains("failed: target", "ep/0", "could not be written", "File too large", "run again");
        assertThat(MaterializerTest.tree(target).keySet())
                .containsExactlyInAnyOrder("episodes", "penstock-artifact.json");
        Materializer.of(Episodes.open(source), SmallSource.view()).codec(codec).to(target);
        Materializer.of(Episodes.open(source), SmallSource.view()).codec(codec).to(folder.resolve("fresh"));
        assertThat(MaterializerTest.tree(target)).isEqualTo(MaterializerTest.tree(folder.resolve("fresh")));
    }

    @Test
    void aDiskThatIsTooSmallIsSaidBeforeTheWork() throws Exception {
        Path source = SmallSource.make(folder.resolve("source"), 2, FRAMES);
        Path target = folder.resolve("target");
        MaterializeSettings settings = Materializer.of(Episodes.open(source), SmallSource.view())
                .codec(ArtifactCodec.RAW)
                .settings();
        try (ArtifactTarget small = new SmallDisk(new LocalTarget(target), 1 << 20)) {
            assertThatThrownBy(() -> new MaterializeRun(settings, small, target.toString()).run())
                    .isInstanceOf(DatasetException.class)
                    .hasMessageContainingAll("2 episodes will take about 2.", "only 1.0 MiB", "are free");
        }
        assertThat(MaterializerTest.tree(target).keySet())
                .containsExactlyInAnyOrder("episodes", "penstock-artifact.json");
    }

    @Test
    void aTargetThatCannotBeMadeAndOneThatIsAFileAreOneClearError() throws Exception {
        Path source = SmallSource.make(folder.resolve("source"), 1, 12);
        Path file = Files.writeString(folder.resolve("file"), "text");
        assertThatThrownBy(() -> run(source, file))
                .isInstanceOf(DatasetException.class)
                .hasMessageContainingAll(file.toString(), "is a file");
        assertThatThrownBy(() -> run(source, file.resolve("below")))
                .isInstanceOf(DatasetException.class)
                .hasMessageContainingAll("below", "can't be made");
        assertThat(Files.readString(file)).isEqualTo("text");
    }

    @Test
    void aSecondRunIntoTheSameTargetIsKeptOut() throws Exception {
        Path source = SmallSource.make(folder.resolve("source"), 1, 12);
        Path target = folder.resolve("target");
        try (ArtifactTarget first = new LocalTarget(target)) {
            first.claim("key", false);
            assertThatThrownBy(() -> run(source, target)).hasMessageContaining("another run");
        }
    }

    /** A target on a disk with so many free bytes. */
    private record SmallDisk(ArtifactTarget place, long free) implements ArtifactTarget {
        @Override
        public void claim(String key, boolean replace) throws IOException {
            place.claim(key, replace);
        }

        @Override
        public @org.jspecify.annotations.Nullable EpisodePart part(String name) throws IOException {
            return place.part(name);
        }

        @Override
        public Path stage() throws IOException {
            return place.stage();
        }

        @Override
        public void publish(Path staged, String name) throws IOException {
            place.publish(staged, name);
        }

        @Override
        public byte @org.jspecify.annotations.Nullable [] read(String name) throws IOException {
            return place.read(name);
        }

        @Override
        public void write(String name, byte[] bytes) throws IOException {
            place.write(name, bytes);
        }

        @Override
        public void removeOthers(java.util.Set<String> folders) throws IOException {
            place.removeOthers(folders);
        }

        @Override
        public long usableBytes() {
            return free;
        }

        @Override
        public void close() throws IOException {
            place.close();
        }
    }
}
