package dev.penstock.decode;

import static dev.penstock.decode.TestData.assertIsFrame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.spi.SampleSource;
import dev.penstock.view.Anchors;
import dev.penstock.view.EdgeRule;
import dev.penstock.view.Filter;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Real clips through plan, decode and collate: the right frames in the right slots. */
class VideoSampleSourceTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "asl_walk.mkv",
                "bottle-detection.mp4",
                "car-detection.mp4",
                "chaplin.mp4",
                "nasa_13013.mp4",
                "people_1280x720.mp4",
                "road_1280x720.mp4",
                "road_960x540.mp4",
                "small_robot.mp4"
            })
    void everySampleHoldsTheFrameOfItsNumber(String name) throws Exception {
        String clip = "video/" + name;
        JsonNode video = TestData.expected(clip).get("video");
        View view = View.builder()
                .video(
                        "front",
                        Window.frames(1),
                        Size.of(
                                video.get("width").intValue(),
                                video.get("height").intValue()))
                .build();
        // expected.json is about the file's first video stream
        Clip first = new Clip(TestData.path(clip).toUri(), null, null, 0);
        if (!name.startsWith("nasa")) {
            first = Clip.of(first.uri());
        }
        Episodes episodes = TestData.inMemory(Episodes.of("test", List.of(Episode.of("e", Map.of("front", first)))));
        try (SampleSource source = episodes.bind(view)) {
            assertThat(source.size())
                    .isEqualTo(TestData.expected(clip).get("n_frames").longValue());
            List<Integer> frames = TestData.knownFrames(clip);
            for (int from = 0; from < frames.size(); from += 4) {
                List<Integer> some = frames.subList(from, Math.min(frames.size(), from + 4));
                TestBatch batch =
                        TestBatch.of(source, some.stream().mapToLong(f -> f).toArray());
                assertThat(batch.failures()).isEmpty();
                for (int row = 0; row < some.size(); row++) {
                    assertIsFrame(batch, "front", row, 0, clip, some.get(row));
                }
            }
        }
    }

    @Test
    void manyOverlappingWindowsInTheVeryFirstBatchAreReadWhole() throws Exception {
        Episodes episodes = TestData.inMemory(
                        Episodes.open(TestData.path("video/road_960x540.mp4").getParent()))
                .filter(episode -> episode.id().startsWith("road_960"));
        View view = View.builder()
                .video("video", Window.frames(16).every(2), Size.of(32, 24))
                .build();
        try (SampleSource source = episodes.bind(view)) {
            long[] samples = LongStream.range(0, 40).map(i -> i * 3).toArray();
            assertThat(TestBatch.of(source, samples).failures()).isEmpty();
        }
    }

    @Test
    void aPlainFolderBindsWithOneBlockForEachClip() throws Exception {
        Episodes episodes = TestData.inMemory(Episodes.open(TestData.path("video")));
        View view = View.builder()
                .video("video", Window.offsets(0, 1, 2), Size.of(64, 48))
                .anchors(Anchors.everyFrames(7))
                .build();
        try (SampleSource source = episodes.bind(view)) {
            assertThat(source.blocks()).isEqualTo(episodes.episodes().size());
            for (int block = 0; block < source.blocks(); block++) {
                String clip = "video/" + episodes.episodes().get(block).id();
                assertThat(source.identify(source.blockStart(block)).episode())
                        .isEqualTo(episodes.episodes().get(block).id());
                if (!clip.contains("nasa")) { // whose best stream is not its first
                    long frames = TestData.expected(clip).get("n_frames").longValue();
                    assertThat(source.blockStart(block + 1) - source.blockStart(block))
                            .as(clip)
                            .isEqualTo((frames - 2 + 6) / 7);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fourCamerasInStepGiveTheFramesOfOneInstant(boolean absolute) throws Exception {
        Path videos = TestData.path("datasets/pose2sim_4cam/videos");
        StringBuilder index = new StringBuilder("{\"id\":\"walk\",\"cameras\":{");
        Path index1 = folder.resolve(Episodes.INDEX);
        for (int cam = 1; cam <= 4; cam++) {
            Path clip = videos.resolve("cam0" + cam + ".mp4");
            String text = absolute
                    ? clip.toString()
                    : folder.toRealPath().relativize(clip.toRealPath()).toString();
            index.append(cam == 1 ? "" : ",").append("\"cam0" + cam + "\":\"" + text + "\"");
        }
        Files.writeString(index1, index.append("}}\n"));
        View.Builder view = View.builder().anchors(Anchors.everyFrames(1).of("cam03"));
        for (int cam = 1; cam <= 4; cam++) {
            view.video(VideoColumn.of("cam0" + cam, Window.offsets(0, 1), Size.of(270, 480))
                    .filter(Filter.AREA));
        }
        Path at = absolute ? folder : folder.toRealPath();
        try (SampleSource source = TestData.inMemory(Episodes.open(at)).bind(view.build())) {
            assertThat(source.size()).isEqualTo(99);
            TestBatch batch = TestBatch.of(source, 0, 1, 98);
            assertThat(batch.failures()).isEmpty();
            for (int cam = 1; cam <= 4; cam++) {
                String clip = "datasets/pose2sim_4cam/videos/cam0" + cam + ".mp4";
                assertIsFrame(batch, "cam0" + cam, 0, 0, clip, 0);
                assertIsFrame(batch, "cam0" + cam, 0, 1, clip, 1);
                assertIsFrame(batch, "cam0" + cam, 1, 0, clip, 1);
                assertIsFrame(batch, "cam0" + cam, 1, 1, clip, 2);
                assertIsFrame(batch, "cam0" + cam, 2, 0, clip, 98);
                assertIsFrame(batch, "cam0" + cam, 2, 1, clip, 99);
            }
            for (String skew : List.of("cam01.skew", "cam02.skew", "cam04.skew")) {
                for (float seconds : batch.floats(skew)) {
                    assertThat(seconds).isCloseTo(0f, within(0.001f));
                }
            }
        }
    }

    @Test
    void episodesThatShareAFileTakeTheFramesOfTheirRange() throws Exception {
        String clip = "datasets/lerobot_v30_made_2cam/videos/observation.images.left/chunk-000/file-000.mp4";
        Path file = TestData.path(clip);
        int[] ends = {0, 40, 75, 100};
        StringBuilder index = new StringBuilder();
        for (int e = 0; e < 3; e++) {
            index.append(String.format(
                    java.util.Locale.ROOT,
                    "{\"id\":%d,\"cameras\":{\"left\":{\"clip\":\"%s\",\"from\":%.6f,\"to\":%.6f}}}%n",
                    e,
                    file,
                    ends[e] / 60.0,
                    ends[e + 1] / 60.0));
        }
        Files.writeString(folder.resolve(Episodes.INDEX), index);
        View view = View.builder()
                .video("left", Window.offsets(0, 1), Size.of(240, 426))
                .build();
        try (SampleSource source = TestData.inMemory(Episodes.open(folder)).bind(view)) {
            assertThat(source.blocks()).isEqualTo(3);
            assertThat(new long[] {source.blockStart(1), source.blockStart(2), source.blockStart(3)})
                    .containsExactly(39, 73, 97);
            // in clip frames: 25 of episode 0, 50 of episode 1 (its 10th), 75 and 98 of episode 2
            TestBatch batch = TestBatch.of(source, 25, 39 + 10, 73, 73 + 23);
            assertIsFrame(batch, "left", 0, 0, clip, 25);
            assertIsFrame(batch, "left", 1, 0, clip, 50);
            assertIsFrame(batch, "left", 2, 0, clip, 75);
            assertIsFrame(batch, "left", 3, 0, clip, 98);
            assertIsFrame(batch, "left", 3, 1, clip, 99);
            assertThat(source.identify(49).anchorSeconds()).isCloseTo(10 / 60.0, within(1e-4));
        }
    }

    @Test
    void clampRepeatsTheEndFrameAndTheMaskSaysSo() throws Exception {
        String clip = "video/road_1280x720.mp4";
        View view = View.builder()
                .video("front", Window.frames(3).endingAtAnchor(), Size.of(1280, 720))
                .edges(EdgeRule.CLAMP)
                .build();
        try (SampleSource source = TestData.one(TestData.path(clip)).bind(view)) {
            assertThat(source.size()).isEqualTo(38);
            TestBatch batch = TestBatch.of(source, 0, 2);
            assertThat(batch.copy("front.mask")).containsExactly(0, 0, 1, 1, 1, 1);
            byte[] pixels = batch.copy("front");
            int frame = 1280 * 720 * 3;
            assertThat(Arrays.equals(pixels, 0, frame, pixels, frame, 2 * frame))
                    .isTrue();
            assertThat(Arrays.equals(pixels, 0, frame, pixels, 2 * frame, 3 * frame))
                    .isTrue();
            assertIsFrame(batch, "front", 0, 0, clip, 0);
            assertIsFrame(batch, "front", 1, 0, clip, 0);
            assertIsFrame(batch, "front", 1, 1, clip, 1);
            assertIsFrame(batch, "front", 1, 2, clip, 2);
        }
    }
}
