package dev.penstock.arrow.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.decode.Episodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check passes what was written, and names each damage in a line of its own. */
class ArtifactCheckTest {
    @TempDir
    Path folder;

    private Path artifact;
    private Path part;

    @BeforeEach
    void make() throws Exception {
        Path source = SmallSource.make(folder.resolve("source"), 3, 30);
        artifact = folder.resolve("artifact");
        Materializer.of(Episodes.open(source), SmallSource.view()).to(artifact);
        Manifest manifest = Manifest.fromJson("m", Files.readAllBytes(artifact.resolve("manifest.json")));
        part = artifact.resolve(manifest.episodes().get(1).part().folder());
    }

    private List<String> damages() throws Exception {
        return ArtifactCheck.of(artifact.toUri(), 20, 1).damages();
    }

    @Test
    void aWholeArtifactIsSound() throws Exception {
        ArtifactCheck.Result result = ArtifactCheck.of(artifact.toUri(), 5, 1);
        assertThat(result.damages()).isEmpty();
        assertThat(result.isSound()).isTrue();
        assertThat(result.episodes()).isEqualTo(3);
        assertThat(result.files()).isEqualTo(3 * 6);
        assertThat(result.windows()).isEqualTo(5);
    }

    @Test
    void aFlippedByteACutFileAndAMissingOneAreThreeLines() throws Exception {
        flip(part.resolve("front.mp4"), 2000);
        Path left = part.resolve("left.mp4");
        Files.write(left, java.util.Arrays.copyOf(Files.readAllBytes(left), 1000));
        Files.delete(part.resolve("truth.arrow"));
        List<String> damages = damages();
        assertThat(damages).hasSize(3).allMatch(line -> line.contains("ep/1") && !line.contains("\n"));
        assertThat(damages.get(0)).contains("front.mp4", "SHA-256");
        assertThat(damages.get(1)).contains("left.mp4", "1000 bytes");
        assertThat(damages.get(2)).contains("truth.arrow", "missing");
    }

    @Test
    void anIndexOfAnotherClipIsFoundEvenWhereItsSumIsRight() throws Exception {
        Manifest manifest = Manifest.fromJson("m", Files.readAllBytes(artifact.resolve("manifest.json")));
        EpisodePart one = manifest.episodes().get(1).part();
        Files.copy(
                part.resolve("front.mp4.pidx"),
                part.resolve("left.mp4.pidx"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        String json = Files.readString(artifact.resolve("manifest.json"));
        String own = Files.readString(part.resolve("part.json"));
        EpisodePart.FilePart front = file(one, "front.mp4.pidx");
        EpisodePart.FilePart left = file(one, "left.mp4.pidx");
        Files.writeString(artifact.resolve("manifest.json"), replaced(json, left, front));
        Files.writeString(part.resolve("part.json"), replaced(own, left, front));
        assertThat(damages()).anyMatch(line -> line.contains("camera 'left'") && line.contains("index"));
    }

    private static String replaced(String json, EpisodePart.FilePart from, EpisodePart.FilePart to) {
        return json.replace(from.sha256(), to.sha256())
                .replaceAll("(\"left.mp4.pidx\",\\s*\"bytes\" : )" + from.bytes(), "$1" + to.bytes());
    }

    private static EpisodePart.FilePart file(EpisodePart part, String name) {
        return part.files().stream()
                .filter(file -> file.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPlaceThatIsNoArtifactOrNotFinishedIsOneLine() throws Exception {
        assertThat(ArtifactCheck.of(folder.resolve("source").toUri(), 1, 1).damages())
                .singleElement()
                .asString()
                .contains("no artifact");
        Files.delete(artifact.resolve("manifest.json"));
        assertThat(damages()).singleElement().asString().contains("not finished");
    }

    @Test
    void aDryRunWritesNothingAndExpectsWhatTheRunThenTakes() throws Exception {
        Path source = folder.resolve("source");
        MaterializePlan plan = Materializer.of(Episodes.open(source), SmallSource.view())
                .codec(ArtifactCodec.RAW)
                .plan();
        assertThat(plan.episodes()).isEqualTo(3);
        assertThat(plan.frames()).isEqualTo(3 * 59);
        assertThat(plan.sourceWindowMillis()).isPositive();
        assertThat(plan.artifactWindowMillis()).isPositive();
        MaterializeReport report = Materializer.of(Episodes.open(source), SmallSource.view())
                .codec(ArtifactCodec.RAW)
                .to(folder.resolve("raw"));
        assertThat(plan.samples()).isEqualTo(report.samples());
        assertThat((double) plan.bytes() / report.bytes()).isBetween(0.95, 1.05);
    }

    private static void flip(Path file, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= 0x10;
        Files.write(file, bytes);
    }
}
