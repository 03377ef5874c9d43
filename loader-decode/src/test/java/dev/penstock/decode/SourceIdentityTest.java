package dev.penstock.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.ffmpeg.ClipIndexer;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Fingerprints, summaries, and samples that can't be had. */
class SourceIdentityTest {
    private static final View VIEW =
            View.builder().video("front", Window.frames(2), Size.of(32, 24)).build();

    @TempDir
    Path folder;

    private static String fingerprint(Episodes episodes, View view) throws IOException {
        try (SampleSource source = episodes.bind(view)) {
            return source.fingerprint();
        }
    }

    @Test
    void aCopyHasTheSameFingerprintAndAnotherViewOrClipHasNot() throws Exception {
        Path road = TestData.path("video/road_1280x720.mp4");
        Path copy = Files.copy(road, folder.resolve("copy.mp4"));
        Files.setLastModifiedTime(copy, FileTime.fromMillis(1_000_000));
        String original = fingerprint(TestData.one(road), VIEW);
        assertThat(original).hasSize(64).isEqualTo(fingerprint(TestData.one(copy), VIEW));
        View other =
                View.builder().video("front", Window.frames(3), Size.of(32, 24)).build();
        assertThat(fingerprint(TestData.one(road), other)).isNotEqualTo(original);
        assertThat(fingerprint(TestData.one(TestData.path("video/small_robot.mp4")), VIEW))
                .isNotEqualTo(original);
    }

    @Test
    void aDamagedPacketFailsTheRowsThatNeedItAndNoOther() throws Exception {
        Path broken = Files.copy(TestData.path("video/road_960x540.mp4"), folder.resolve("broken.mp4"));
        int damaged = 95; // its group of pictures is frames 90 to 119
        try (Blob blob = BlobStores.of(broken.toUri()).open(broken.toUri());
                RandomAccessFile file = new RandomAccessFile(broken.toFile(), "rw")) {
            ClipIndex index = new ClipIndexer().index(blob);
            int packet = index.packetOf(damaged);
            file.seek(index.packets().pos(packet));
            file.write(new byte[index.packets().size(packet)]);
        }
        try (SampleSource source = TestData.one(broken).bind(VIEW);
                SampleSource whole =
                        TestData.one(TestData.path("video/road_960x540.mp4")).bind(VIEW)) {
            TestBatch batch = TestBatch.of(source, 2, 94, 91, 150, 100);
            assertThat(batch.failures().keySet()).containsExactly(1, 4);
            assertThat(batch.failures().get(1))
                    .hasMessageContainingAll("camera 'front'", "frame 95 at 3.800 s", "broken.mp4");
            assertThat(batch.failures().get(1).frame()).isEqualTo(95);
            assertThat(batch.failures().get(4).frame()).isEqualTo(100);
            TestBatch good = TestBatch.of(whole, 2, 2, 91, 150);
            int row = 2 * 32 * 24 * 3;
            assertThat(batch.bytes("front").slice(2 * row, 2 * row))
                    .isEqualTo(good.bytes("front").slice(2 * row, 2 * row));
        }
    }

    @Test
    void aSummarySaysWhatADatasetHolds() throws Exception {
        Path clip =
                TestData.path("datasets/lerobot_v30_made_2cam/videos/observation.images.left/chunk-000/file-000.mp4");
        Files.writeString(folder.resolve(Episodes.INDEX), """
                {"id":"a","cameras":{"left":{"clip":"%1$s","from":0,"to":0.6666}},"split":"train","truth":[{"time":0,"x":1,"tag":"t"}]}
                {"id":"b","cameras":{"left":{"clip":"%1$s","from":0.6666}},"split":"val"}
                """.formatted(clip));
        DatasetSummary summary = TestData.inMemory(Episodes.open(folder)).describe();
        assertThat(summary.episodes()).isEqualTo(2);
        assertThat(summary.splits()).isEqualTo(Map.of("train", 1, "val", 1));
        assertThat(summary.files()).isEqualTo(1);
        assertThat(summary.bytes()).isEqualTo(Files.size(clip));
        assertThat(summary.frames()).isEqualTo(100);
        DatasetSummary.Camera left = summary.cameras().get("left");
        assertThat(left.codecs()).isEqualTo(Map.of("av1", 2));
        assertThat(left.sizes()).isEqualTo(Map.of("240x426", 2));
        assertThat(left.keyDistance().max()).isEqualTo(2);
        assertThat(left.framesPerSecond().median()).isBetween(59.9, 60.1);
        assertThat(summary.truth()).extracting(field -> field.name()).contains("x", "tag");
        assertThat(summary.episodeList().get(0).frames()).isEqualTo(Map.of("left", 40));
        JsonNode json = JsonMapper.shared().readTree(summary.toJson());
        assertThat(json.get("cameras").get("left").get("frames").intValue()).isEqualTo(100);
        assertThat(json.get("episodeList").get(1).get("id").stringValue()).isEqualTo("b");
    }
}
