package dev.penstock.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading episodes.jsonl and plain folders; no clip is opened here. */
class EpisodeIndexTest {
    @TempDir
    Path folder;

    private Path index(String text) throws IOException {
        return Files.writeString(folder.resolve(Episodes.INDEX), text);
    }

    private Episode only(String line) throws IOException {
        return Episodes.open(index(line)).episodes().get(0);
    }

    @Test
    void aLineGivesIdCamerasTruthSplitAndMetadata() throws IOException {
        Episode episode = only("""
                {"id": "drive-1", "cameras": {"front": "clips/front 1.mp4", "left": {"clip": "s3://bucket/l.mp4", \
                "from": 1.5, "to": 4, "stream": 2}}, "truth": "truth/1.json", "split": "train", \
                "metadata": {"weather": "rain", "speeds": [1, 2.5], "night": true, "note": null}}
                """);
        assertThat(episode.id()).isEqualTo("drive-1");
        assertThat(episode.cameras().keySet()).containsExactly("front", "left");
        assertThat(episode.cameras().get("front"))
                .isEqualTo(Clip.of(folder.resolve("clips/front 1.mp4").toUri()));
        assertThat(episode.cameras().get("left")).isEqualTo(new Clip(URI.create("s3://bucket/l.mp4"), 1.5, 4.0, 2));
        assertThat(episode.truth())
                .isEqualTo(TruthReference.file(folder.resolve("truth/1.json").toUri()));
        assertThat(episode.split()).isEqualTo("train");
        assertThat(episode.metadata())
                .containsEntry("weather", "rain")
                .containsEntry("speeds", List.of(1, 2.5))
                .containsEntry("night", true)
                .containsEntry("note", null);
    }

    @Test
    void aFolderWithAnIndexAndTheIndexItselfAreTheSameEpisodes() throws IOException {
        Path file = index("{\"id\":\"a\",\"cameras\":{\"c\":\"a.mp4\"}}\n");
        assertThat(Episodes.open(folder).episodes())
                .isEqualTo(Episodes.open(file).episodes())
                .isEqualTo(Episodes.open(file.toString()).episodes());
    }

    @Test
    void pathsMayBeAbsoluteOrStepOutOfTheFolder() throws IOException {
        Path elsewhere = folder.resolveSibling("elsewhere 100%.mp4");
        Episode episode = only("{\"id\":1,\"cameras\":{\"a\":\"" + elsewhere + "\",\"b\":\"../elsewhere 100%.mp4\"}}");
        assertThat(episode.id()).isEqualTo("1");
        assertThat(Path.of(episode.cameras().get("a").uri())).isEqualTo(elsewhere);
        assertThat(Path.of(episode.cameras().get("b").uri())).isEqualTo(elsewhere);
    }

    @Test
    void byteOrderMarkBlankLinesAndCrlfArePassedOver() throws IOException {
        index(
                "\uFEFF{\"id\":\"a\",\"cameras\":{\"c\":\"a.mp4\"}}\r\n\r\n  \t\n{\"id\":\"b\",\"cameras\":{\"c\":\"b.mp4\"}}\r\n");
        assertThat(Episodes.open(folder).episodes()).extracting(Episode::id).containsExactly("a", "b");
    }

    @Test
    void inlineTruthKeepsItsTextAndItsPlace() throws IOException {
        Episode episode = only("{\"id\":\"a\",\"truth\":[{\"time\":0.25,\"x\":1}]}");
        assertThat(episode.cameras()).isEmpty();
        TruthReference truth = episode.truth();
        assertThat(truth).isNotNull();
        assertThat(truth.inline()).isEqualTo("[{\"time\":0.25,\"x\":1}]");
        assertThat(truth.where()).contains("episodes.jsonl line 1").contains("'truth'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"cameras\":{\"c\":\"a.mp4\"}}                                | 'id' is missing",
                "{\"id\":\" \",\"cameras\":{\"c\":\"a.mp4\"}}                    | 'id' was \" \"",
                "{\"id\":\"b\"}                                                | 'cameras' is missing",
                "{\"id\":\"b\",\"cameras\":[\"a.mp4\"]}                          | 'cameras' was [\"a.mp4\"], must be an object",
                "{\"id\":\"b\",\"cameras\":{\"c\":7}}                            | 'cameras.c' was 7",
                "{\"id\":\"b\",\"cameras\":{\"c\":{\"from\":1}}}                 | 'cameras.c.clip' is missing",
                "{\"id\":\"b\",\"cameras\":{\"c\":{\"clip\":\"a\",\"from\":\"x\"}}} | 'cameras.c.from' was \"x\", must be a number of seconds",
                "{\"id\":\"b\",\"cameras\":{\"c\":{\"clip\":\"a\",\"from\":2,\"to\":1}}} | to was 1.0",
                "{\"id\":\"b\",\"cameras\":{\"c\":{\"clip\":\"a\",\"stream\":0.5}}} | 'cameras.c.stream' was 0.5",
                "{\"id\":\"b\",\"cameras\":{\"c\":{\"clip\":\"a\",\"until\":1}}}   | 'cameras.c.until' is not known",
                "{\"id\":\"b\",\"cameras\":{\"c\":\"\"}}                          | 'cameras.c' is empty",
                "{\"id\":\"b\",\"cameras\":{\"c\":\"a\"},\"splits\":\"x\"}        | 'splits' is not known",
                "{\"id\":\"b\",\"cameras\":{\"c\":\"a\"},\"metadata\":3}          | 'metadata' was 3, must be an object",
                "{\"id\":\"b\",\"cameras\":{\"c\":\"a\"},\"truth\":3}             | 'truth' was 3",
                "{\"id\":\"b\",\"cameras\":{\"c\":\"a\"}                          | not a JSON object",
                "{\"id\":\"b\",\"id\":\"c\",\"cameras\":{\"c\":\"a\"}}             | not a JSON object",
                "[1]                                                           | a JSON object is needed",
                "{\"id\":\"a\",\"cameras\":{\"c\":\"a\"}}                         | 'id' is 'a', which line 1 has already",
            })
    void aWrongLineIsAnErrorWithFileLineAndField(String line, String message) throws IOException {
        Path file = index("{\"id\":\"a\",\"cameras\":{\"c\":\"a.mp4\"}}\n\n" + line + "\n");
        assertThatThrownBy(() -> Episodes.open(folder))
                .isInstanceOf(DatasetException.class)
                .hasMessageStartingWith(file + " line 3")
                .hasMessageContaining(message);
    }

    @Test
    void bytesThatAreNoUtf8AreAnErrorWithTheLine() throws IOException {
        byte[] line = "{\"id\":\"\u00e4\",\"cameras\":{\"c\":\"a.mp4\"}}".getBytes(StandardCharsets.ISO_8859_1);
        Files.write(folder.resolve(Episodes.INDEX), line);
        assertThatThrownBy(() -> Episodes.open(folder))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("line 1");
    }

    @Test
    void anIndexWithoutAnEpisodeIsAnError() throws IOException {
        index("\n\n");
        assertThatThrownBy(() -> Episodes.open(folder))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("has no episode");
    }

    @Test
    void aPlainFolderGivesEachVideoAsAnEpisodeInOrderOfName() throws IOException {
        for (String name : List.of("b.MP4", "a b.mkv", ".hidden.mp4", "notes.txt", "c.webm.part", "README")) {
            Files.writeString(folder.resolve(name), "x");
        }
        Files.createDirectory(folder.resolve("sub.mp4"));
        Episodes episodes = Episodes.open(folder);
        assertThat(episodes.episodes()).extracting(Episode::id).containsExactly("a b.mkv", "b.MP4");
        assertThat(episodes.episodes().get(0).cameras())
                .isEqualTo(Map.of("video", Clip.of(folder.resolve("a b.mkv").toUri())));
    }

    @Test
    void oneVideoIsADatasetOfOneEpisode() throws IOException {
        Path clip = Files.writeString(folder.resolve("one.mov"), "x");
        assertThat(Episodes.open(clip).episodes())
                .containsExactly(Episode.of("one.mov", Map.of("video", Clip.of(clip.toUri()))));
    }

    @Test
    void whatIsNoDatasetIsSaidWithWhatIsNeeded() throws IOException {
        assertThatThrownBy(() -> Episodes.open(folder))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("does not exist or is empty")
                .hasMessageContaining("episodes.jsonl");
        assertThatThrownBy(() -> Episodes.open(folder.resolve("absent")))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("absent")
                .hasMessageContaining("does not exist");
        Path text = Files.writeString(folder.resolve("notes.txt"), "x");
        assertThatThrownBy(() -> Episodes.open(folder))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("holds neither");
        assertThatThrownBy(() -> Episodes.open(text))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("neither an index (.jsonl) nor a video");
    }

    @Test
    void filterAndSplitKeepTheOrder() throws IOException {
        index("""
                {"id":"a","cameras":{"c":"a"},"split":"train","metadata":{"n":1}}
                {"id":"b","cameras":{"c":"a"},"split":"val"}
                {"id":"c","cameras":{"c":"a"},"split":"train","metadata":{"n":2}}
                """);
        Episodes all = Episodes.open(folder);
        assertThat(all.split("train").episodes()).extracting(Episode::id).containsExactly("a", "c");
        assertThat(all.filter(e -> Integer.valueOf(2).equals(e.metadata().get("n")))
                        .episodes())
                .extracting(Episode::id)
                .containsExactly("c");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> all.split("test"))
                .withMessageContaining("'test'")
                .withMessageContaining("[train, val]");
    }

    @Test
    void twoEpisodesOfOneIdAreRefusedInCodeToo() {
        Episode episode = Episode.of("a", Map.of("c", Clip.of(URI.create("file:///a.mp4"))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Episodes.of(List.of(episode, episode)))
                .withMessageContaining("'a'");
    }
}
