package dev.penstock.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.decode.ffmpeg.ClipCodec;
import dev.penstock.view.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoDatasetTest {

    private static final DemoSettings SMALL = new DemoSettings(3, 3, 1, 10, Size.of(160, 96), ClipCodec.H264, 5, 0);

    @TempDir
    Path folder;

    @Test
    void anIndexOfEpisodesNamesClipsAndTruthThatAreThere() throws Exception {
        AtomicInteger most = new AtomicInteger();
        Path index = DemoDataset.make(folder, SMALL, (done, total) -> {
            assertThat(total).isEqualTo(60);
            most.accumulateAndGet(done, Math::max);
        });
        assertThat(most).hasValue(60);
        List<String> lines = Files.readAllLines(index);
        assertThat(lines).hasSize(3);
        for (String line : lines) {
            JsonNode episode = JsonMapper.shared().readTree(line);
            assertThat(folder.resolve(episode.get("cameras").get("front").asString()))
                    .isNotEmptyFile();
            assertThat(folder.resolve(episode.get("cameras").get("left").asString()))
                    .isNotEmptyFile();
            checkTruth(JsonMapper.shared()
                    .readTree(folder.resolve(episode.get("truth").asString()).toFile()));
        }
        assertThat(lines.get(0)).contains("\"split\": \"train\"");
        assertThat(lines.get(2)).contains("\"split\": \"test\"");
    }

    private static void checkTruth(JsonNode records) {
        assertThat(records.size()).isEqualTo(10);
        for (int frame = 0; frame < 10; frame++) {
            JsonNode record = records.get(frame);
            assertThat(record.get("time").asDouble()).isEqualTo(frame / 10.0);
            assertThat(record.get("boxes").size())
                    .isEqualTo(record.get("labels").size());
            assertThat(record.get("pose").get("x").isNumber()).isTrue();
            for (JsonNode box : record.get("boxes")) {
                assertThat(box.get(0).asInt()).isBetween(0, box.get(2).asInt());
                assertThat(box.get(2).asInt()).isLessThanOrEqualTo(160);
                assertThat(box.get(3).asInt()).isLessThanOrEqualTo(96);
            }
        }
    }

    @Test
    void aScanHasItsPointsInMetresInEveryRecordAndIsTheSameEachTime() throws Exception {
        DemoSettings scanned = SMALL.length(1, 1).points(500);
        Path index = DemoDataset.make(folder.resolve("one"), scanned, (done, total) -> {});
        DemoDataset.make(folder.resolve("two"), scanned, (done, total) -> {});
        Path truth = index.resolveSibling("truth/0.json");
        assertThat(truth).hasSameBinaryContentAs(folder.resolve("two/truth/0.json"));
        for (JsonNode record : JsonMapper.shared().readTree(truth.toFile())) {
            assertThat(record.get("points").size()).isEqualTo(500);
            for (JsonNode point : record.get("points")) {
                assertThat(point.size()).isEqualTo(3);
                assertThat(Math.hypot(point.get(0).asDouble(), point.get(1).asDouble()))
                        .isBetween(2.9, 60.1);
            }
        }
    }

    @Test
    void theBoxesFrameTheObjectsThatAreDrawn() {
        Scene scene = new Scene(SMALL, 1);
        byte[] yuv = new byte[160 * 96 * 3 / 2];
        for (int frame = 0; frame < 10; frame++) {
            scene.draw(0, frame, yuv);
            List<Scene.Seen> seen = scene.seen(frame);
            assertThat(seen).isNotEmpty();
            // The object drawn last is covered by none: its edge is the darkest thing in the picture.
            Scene.Seen last = seen.get(seen.size() - 1);
            for (int x = last.x1(); x < last.x2(); x++) {
                assertThat(yuv[last.y1() * 160 + x] & 0xff).isLessThan(40);
            }
        }
    }

    @Test
    void aCompleteFolderIsLeftAsItIsAndABrokenOneIsTakenUp() throws Exception {
        Path index = DemoDataset.make(folder, SMALL, (done, total) -> {});
        Path front = folder.resolve("clips/0_front.mp4");
        Path left = folder.resolve("clips/0_left.mp4");
        byte[] leftBytes = Files.readAllBytes(left);
        FileTime old = FileTime.fromMillis(1_000_000);
        Files.setLastModifiedTime(front, old);
        DemoDataset.make(folder, SMALL, (done, total) -> {});
        assertThat(Files.getLastModifiedTime(front)).isEqualTo(old);
        Files.delete(index);
        Files.delete(left);
        DemoDataset.make(folder, SMALL, (done, total) -> {});
        assertThat(Files.getLastModifiedTime(front)).isEqualTo(old);
        assertThat(left).hasBinaryContent(leftBytes);
        assertThat(index).exists();
    }

    @Test
    void foldersOfOtherThingsAreRefused() throws Exception {
        Path foreign = Files.createDirectories(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("thesis.txt"), "mine");
        assertThatThrownBy(() -> DemoDataset.make(foreign, SMALL, (done, total) -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not empty");
        Path other = folder.resolve("other");
        DemoDataset.make(other, SMALL.length(1, 1), (done, total) -> {});
        assertThatThrownBy(() -> DemoDataset.make(other, SMALL, (done, total) -> {}))
                .hasMessageContaining("other settings");
    }

    @Test
    void wrongSettingsAreAllNamedAtOnce() {
        assertThatThrownBy(() -> new DemoSettings(1, 0, 0, 0, Size.of(33, 20), ClipCodec.H264, 0, -1))
                .hasMessageContaining("episodes was 0")
                .hasMessageContaining("seconds was 0")
                .hasMessageContaining("framesPerSecond was 0")
                .hasMessageContaining("33x20")
                .hasMessageContaining("keyFrameDistance was 0")
                .hasMessageContaining("points was -1");
    }
}
