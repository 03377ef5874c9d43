package dev.penstock.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.DatasetException;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.EdgeRule;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can't be bound is one clear error that names episode, camera, file and rule. */
class BindErrorsTest {
    private static final View VIEW =
            View.builder().video("front", Window.frames(2), Size.of(32, 24)).build();

    @TempDir
    Path folder;

    private static void assertRefused(Episodes episodes, View view, String... parts) {
        assertThatThrownBy(() -> TestData.inMemory(episodes).bind(view))
                .isInstanceOf(DatasetException.class)
                .hasMessageContainingAll(parts)
                .hasMessageNotContaining("\n");
    }

    private static Episode episode(String id, Path clip) {
        return Episode.of(id, Map.of("front", Clip.of(clip.toUri())));
    }

    private Path road() {
        return TestData.path("video/road_1280x720.mp4");
    }

    @Test
    void aTextFileCalledMp4() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.mp4"), "this is no video\n");
        assertRefused(
                Episodes.open(folder),
                View.builder().video("video", Window.frames(1), Size.of(8, 8)).build(),
                folder.toString(),
                "episode 'notes.mp4'",
                "camera 'video'",
                text.toString());
    }

    @Test
    void aMissingFile() {
        Path absent = folder.resolve("absent.mp4");
        assertRefused(
                Episodes.of("set", List.of(episode("e", absent))),
                VIEW,
                "set, episode 'e', camera 'front'",
                absent.toString(),
                "does not exist");
    }

    @Test
    void anEmptyFile() throws IOException {
        Path empty = Files.createFile(folder.resolve("empty.mp4"));
        assertRefused(
                Episodes.of("set", List.of(episode("e", empty))), VIEW, "episode 'e', camera 'front'", "empty.mp4");
    }

    @Test
    void aFileWithoutVideo() {
        Path audio = TestData.path("odd/audio_only.mp4");
        assertRefused(
                Episodes.of("set", List.of(episode("e", audio))),
                VIEW,
                "episode 'e', camera 'front'",
                "audio_only.mp4",
                "no video stream");
    }

    @Test
    void aCameraThatOneEpisodeLacks() {
        Episode without = Episode.of("second", Map.of("left", Clip.of(road().toUri())));
        assertRefused(
                Episodes.of("set", List.of(episode("first", road()), without)),
                VIEW,
                "episode 'second', camera 'front'",
                "[left]",
                "filter(");
    }

    @Test
    void aReferenceCameraThatDoesNotExist() {
        View view = View.builder()
                .video("front", Window.frames(2), Size.of(32, 24))
                .anchors(Anchors.everyFrames(1).of("rear"))
                .build();
        assertRefused(Episodes.of("set", List.of(episode("e", road()))), view, "camera 'rear'", "[front]");
    }

    @Test
    void aWindowWiderThanTheClip() {
        View view = View.builder()
                .video("front", Window.frames(16).every(3), Size.of(32, 24))
                .build();
        assertRefused(
                Episodes.of("set", List.of(episode("e", road()))),
                view,
                "episode 'e', camera 'front'",
                "road_1280x720.mp4",
                "16 frames spans 46 frames, the clip has 38",
                "CLAMP");
    }

    @Test
    void aWindowWiderThanTheClipIsFineUnderClamp() throws IOException {
        View view = View.builder()
                .video("front", Window.frames(16).every(3), Size.of(32, 24))
                .edges(EdgeRule.CLAMP)
                .build();
        try (SampleSource source = TestData.one(road()).bind(view)) {
            assertThat(source.size()).isEqualTo(38);
        }
    }

    @Test
    void aRangeThatHoldsNoFrame() {
        Clip beyond = new Clip(road().toUri(), 60.0, 61.0, null);
        assertRefused(
                Episodes.of("set", List.of(Episode.of("e", Map.of("front", beyond)))),
                VIEW,
                "episode 'e', camera 'front'",
                "[60.0 s, 61.0 s)",
                "holds none of its frames");
    }

    @Test
    void aStreamThatDoesNotExist() {
        Clip clip = new Clip(road().toUri(), null, null, 9);
        assertRefused(
                Episodes.of("set", List.of(Episode.of("e", Map.of("front", clip)))),
                VIEW,
                "camera 'front'",
                "stream 9");
    }

    @Test
    void aTruthColumnThatTheTruthLacks() {
        Episode episode = episode("e", road()).truth(TruthReference.inline("[{\"time\":0,\"x\":1}]", "here"));
        View view = View.builder()
                .video("front", Window.frames(1), Size.of(8, 8))
                .truth("y", Column.float32())
                .build();
        assertRefused(Episodes.of("set", List.of(episode)), view, "set, episode 'e', truth here", "'y'", "x]");
    }

    @Test
    void anEpisodeWithoutTheTruthThatTheViewNeeds() {
        View view = View.builder()
                .video("front", Window.frames(1), Size.of(8, 8))
                .truth("y", Column.float32())
                .build();
        assertRefused(Episodes.of("set", List.of(episode("e", road()))), view, "episode 'e', truth", "[y]", "filter(");
    }

    @Test
    void truthOnAnotherClockLeavesNoSample() {
        Episode episode = episode("e", road()).truth(TruthReference.inline("[{\"time\":1e9,\"x\":1}]", "here"));
        View view = View.builder()
                .video("front", Window.frames(1), Size.of(8, 8))
                .truth("x", Column.float32())
                .build();
        assertRefused(Episodes.of("set", List.of(episode)), view, "episode 'e', truth", "no sample", "'x'", "clock");
    }

    @Test
    void everyEpisodeWithAProblemIsCounted() {
        List<Episode> episodes = List.of(
                episode("good", road()),
                episode("a", folder.resolve("a.mp4")),
                episode("b", folder.resolve("b.mp4")),
                episode("c", folder.resolve("c.mp4")));
        assertRefused(Episodes.of("set", episodes), VIEW, "episode 'a'", "2 more episodes have a problem: 'b', 'c'");
    }

    @Test
    void noEpisodeAtAll() {
        assertRefused(Episodes.of("set", List.of()), VIEW, "set has no episode");
    }

    @Test
    void episodesWithoutASampleAreLeftOutWhileOthersHaveSome() throws IOException {
        Episode far = Episode.of(
                "far", Map.of("front", Clip.of(road().toUri()), "left", new Clip(road().toUri(), -50.0, null, null)));
        Episode near = Episode.of("near", Map.of("front", Clip.of(road().toUri()), "left", Clip.of(road().toUri())));
        View view = View.builder()
                .video("front", Window.frames(2), Size.of(32, 24))
                .video("left", Window.frames(2), Size.of(32, 24))
                .build();
        try (SampleSource source =
                TestData.inMemory(Episodes.of("set", List.of(far, near))).bind(view)) {
            assertThat(source.blocks()).isEqualTo(1);
            assertThat(source.identify(0).episode()).isEqualTo("near");
        }
        assertRefused(Episodes.of("set", List.of(far)), view, "episode 'far', camera 'left'", "DROP", "50.0 to 51.");
    }
}
