package dev.penstock.arrow.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.decode.Clip;
import dev.penstock.decode.Episode;
import dev.penstock.decode.Episodes;
import dev.penstock.view.Anchors;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real clips, with the odd times, orders and containers that they come with. */
class RealClipsTest {
    @TempDir
    Path folder;

    private static Path shared(String name) {
        Path path = Path.of(System.getProperty("penstock.shared", "../shared/data"))
                .toAbsolutePath()
                .normalize()
                .resolve(name);
        assumeTrue(Files.exists(path), () -> "skipped: " + path + " is absent (see -Dpenstock.shared)");
        return path;
    }

    @Test
    void fourCamerasGiveTheSameSamplesAndThePicturesWithinTheStatedPsnr() throws Exception {
        Map<String, Clip> cameras = new LinkedHashMap<>();
        View.Builder view = View.builder().anchors(Anchors.everyFrames(24));
        for (int camera = 1; camera <= 4; camera++) {
            String name = "cam0" + camera;
            cameras.put(
                    name,
                    Clip.of(shared("datasets/pose2sim_4cam/videos/" + name + ".mp4")
                            .toUri()));
            view.video(VideoColumn.of(name, Window.frames(4), Size.of(224, 224)).layout(Layout.TCHW));
        }
        Episodes source = Episodes.of("pose2sim", List.of(Episode.of("trial", cameras)));
        MaterializeReport report = Materializer.of(source, view.build()).to(folder.resolve("artifact"));
        assertThat(report.frames()).isEqualTo(400);
        SameSamples.Fidelity fidelity =
                SameSamples.compare(source, Episodes.open(folder.resolve("artifact")), view.build());
        assertThat(fidelity.lowest()).isGreaterThan(report.lowestPsnr() - 1).isGreaterThan(35);
        assertThat(ArtifactCheck.of(folder.resolve("artifact").toUri(), 4, 1).damages())
                .isEmpty();
    }

    /** Negative and missing times, fields, an open group of pictures, uneven times, a start after 0, a turn. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "odd/made_negative_cts_no_editlist.mp4",
                "odd/made_interlaced_tff.mp4",
                "odd/made_hevc_open_gop.mp4",
                "odd/made_mpeg4_bframes.avi",
                "odd/made_vfr_dropped_frames.mp4",
                "odd/h264_start_1s4.ts",
                "odd/rotate90.mov"
            })
    void oddClipsKeepTheirSamples(String clip) throws Exception {
        Episodes source = Episodes.of(
                "odd",
                List.of(Episode.of("one", Map.of("video", Clip.of(shared(clip).toUri())))));
        View view = View.builder()
                .video("video", Window.seconds(-0.11, 0, 0.05), Size.of(64, 48))
                .tolerance(0.2)
                .build();
        for (ArtifactCodec codec : List.of(ArtifactCodec.RAW, ArtifactCodec.H264)) {
            Path target = folder.resolve(codec.name());
            Materializer.of(source, view).codec(codec).quality(90).to(target);
            double lowest =
                    SameSamples.compare(source, Episodes.open(target), view).lowest();
            assertThat(lowest).isGreaterThan(codec == ArtifactCodec.RAW ? 99 : 28);
            assertThat(ArtifactCheck.of(target.toUri(), 4, 1).damages()).isEmpty();
        }
    }
}
