package dev.penstock.arrow.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.data.ElementType;
import dev.penstock.decode.Episodes;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every codec that an artifact can have: the source's samples, its truth, and pictures as good as the manifest says. */
class ArtifactCodecsTest {
    /** So few that the writer reads each of them back: the stated PSNR is then that of the worst of all. */
    private static final int FRAMES = 16;
    /** Two layouts are scaled by different code; a level here and there. */
    private static final double ROUNDING = 0.3;

    @TempDir
    Path folder;

    private static View view() {
        Window window = Window.frames(4).every(2);
        return View.builder()
                .video("front", window, Size.of(64, 64))
                .video("left", window, Size.of(64, 64))
                .truth("steering", Column.float32())
                .truth("exact", Column.float64().field("steering"))
                .truth("boxes", Column.ragged(ElementType.FLOAT32, 4))
                .truth("label", Column.text())
                .anchors(Anchors.everyFrames(3))
                .build();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HEVC") // no encoder for it: refused, as MaterializerTest shows
    void anArtifactGivesTheSourcesSamplesItsTruthAndItsPicturesWithinTheStatedPsnr(ArtifactCodec codec)
            throws Exception {
        Path source = SmallSource.make(folder.resolve("source"), 2, FRAMES);
        Path target = folder.resolve("artifact");
        MaterializeReport report = Materializer.of(Episodes.open(source), view())
                .codec(codec)
                .threads(2)
                .to(target);
        assertThat(report.written()).isEqualTo(2);
        assertThat(report.frames())
                .as("the first frame of each left clip lies before its episode")
                .isEqualTo(2 * (2 * FRAMES - 1));
        SameSamples.Fidelity fidelity = SameSamples.compare(Episodes.open(source), Episodes.open(target), view());
        assertThat(fidelity.samples()).isEqualTo(report.samples());
        if (codec == ArtifactCodec.RAW) {
            assertThat(fidelity.lowest()).isEqualTo(99.99);
        } else {
            assertThat(fidelity.lowest())
                    .isGreaterThan(report.lowestPsnr() - ROUNDING)
                    .isGreaterThan(25);
        }
        Manifest manifest = Manifest.fromJson("m", Files.readAllBytes(target.resolve("manifest.json")));
        assertThat(manifest.encoding().codec()).isEqualTo(codec);
        assertThat(ArtifactCheck.of(target.toUri(), 4, 1).damages()).isEmpty();
        Materializer.of(Episodes.open(source), view()).codec(codec).threads(1).to(folder.resolve("again"));
        assertThat(MaterializerTest.tree(folder.resolve("again"))).isEqualTo(MaterializerTest.tree(target));
    }
}
