package dev.penstock.arrow.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.BadSamples;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.EdgeRule;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the materializer promises: the source's samples from an artifact, and runs that can be killed and repeated. */
class MaterializerTest {
    private static final int FRAMES = 40;
    /** The first frame of each left clip lies before its episode. */
    private static final long WRITTEN = 3 * (2 * FRAMES - 1);

    @TempDir
    Path folder;

    private Path source() throws IOException {
        return SmallSource.make(folder.resolve("source"), 3, FRAMES);
    }

    private Path artifact() {
        return folder.resolve("artifact");
    }

    private static Materializer of(Path source) throws IOException {
        return Materializer.of(Episodes.open(source), SmallSource.view()).threads(2);
    }

    @Test
    void otherWindowsStridesLayoutsAndSmallerPicturesComeFromTheSameArtifact() throws Exception {
        Path source = source();
        of(source).codec(ArtifactCodec.RAW).to(artifact());
        View other = View.builder()
                .video(VideoColumn.of("left", Window.offsets(-3, 0, 5), Size.of(64, 48))
                        .float32())
                .video(VideoColumn.of("front", Window.seconds(-0.1, 0, 0.07), Size.of(64, 48))
                        .layout(Layout.TCHW))
                .truth("steering", Column.float64().window(Window.frames(3)))
                .edges(EdgeRule.CLAMP)
                .anchors(Anchors.everyFrames(1).of("front"))
                .build();
        SameSamples.Fidelity same = SameSamples.compare(Episodes.open(source), Episodes.open(artifact()), other);
        assertThat(same.lowest()).isEqualTo(99.99);
        View small = View.builder()
                .video(VideoColumn.of("front", Window.frames(2), Size.of(32, 24)))
                .build();
        assertThat(SameSamples.compare(Episodes.open(source), Episodes.open(artifact()), small)
                        .lowest())
                .isGreaterThan(30);
    }

    @Test
    void letterboxCentreCropAndTruthAnchorsSurvive() throws Exception {
        Path source = source();
        View view = View.builder()
                .video(VideoColumn.of("front", Window.frames(2), Size.of(96, 96))
                        .letterbox(10, 200, 30))
                .video(VideoColumn.of("left", Window.frames(2), Size.of(48, 48))
                        .resize(dev.penstock.view.Resize.CENTER_CROP))
                .truth("label", Column.text())
                .anchors(Anchors.atTruth().every(5))
                .build();
        Materializer.of(Episodes.open(source), view).codec(ArtifactCodec.RAW).to(artifact());
        assertThat(SameSamples.compare(Episodes.open(source), Episodes.open(artifact()), view)
                        .lowest())
                .isEqualTo(99.99);
        Materializer.of(Episodes.open(source), view).to(folder.resolve("h264"));
        assertThat(SameSamples.compare(Episodes.open(source), Episodes.open(folder.resolve("h264")), view)
                        .lowest())
                .isGreaterThan(25);
        Manifest manifest = Manifest.fromJson("m", Files.readAllBytes(folder.resolve("h264/manifest.json")));
        assertThat(manifest.episodes().get(0).part().cameras().get("front").height())
                .as("the letterbox is not stored")
                .isEqualTo(64);
    }

    @Test
    void twoRunsGiveTheSameBytesWhateverTheThreads() throws Exception {
        Path source = source();
        of(source).threads(1).to(artifact());
        of(source).threads(3).to(folder.resolve("again"));
        assertThat(tree(folder.resolve("again"))).isEqualTo(tree(artifact()));
        assertThat(tree(artifact())).hasSize(3 + 3 * 7);
    }

    @Test
    void aSecondRunWritesNothingAndAThirdOnlyWhatIsNewOrChanged() throws Exception {
        Path source = source();
        of(source).to(artifact());
        Map<String, String> before = tree(artifact());
        MaterializeReport second = of(source).to(artifact());
        assertThat(second.written()).isZero();
        assertThat(second.kept()).isEqualTo(3);
        assertThat(tree(artifact())).isEqualTo(before);

        SmallSource.clip(source.resolve("front-1.mp4"), 9, FRAMES, i -> i * 40L); // changed
        List<String> lines = Files.readAllLines(source.resolve("episodes.jsonl"));
        lines.remove(0); // gone
        lines.add(SmallSource.episode(source, 3, FRAMES)); // new
        Files.write(source.resolve("episodes.jsonl"), lines);
        SourceNote note = SourceNote.fromJson(Files.readAllBytes(artifact().resolve("source.json")));
        Manifest old = Manifest.fromJson("m", Files.readAllBytes(artifact().resolve("manifest.json")));
        assertThat(SourceWatch.look(note, old)).isEqualTo(new SourceWatch.Difference(1, 1, 1));

        MaterializeReport third = of(source).to(artifact());
        assertThat(third.written()).isEqualTo(2);
        assertThat(third.kept()).isEqualTo(1);
        assertThat(third.dropped()).isEqualTo(1);
        of(source).to(folder.resolve("fresh"));
        assertThat(tree(artifact())).isEqualTo(tree(folder.resolve("fresh")));
    }

    @Test
    void aCopiedSourceIsTheSameSource() throws Exception {
        Path source = source();
        of(source).to(artifact());
        Path copy = Files.createDirectory(folder.resolve("copy"));
        try (var files = Files.list(source)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        assertThat(of(copy).to(artifact()).kept()).isEqualTo(3);
    }

    @Test
    void aViewThatTheArtifactCannotServeIsRefusedWithWhatToDo() throws Exception {
        of(source()).to(artifact());
        Episodes artifact = Episodes.open(artifact());
        Window window = Window.frames(2);
        assertRefused(artifact, VideoColumn.of("front", window, Size.of(96, 64)), "96x64", "64x48", "materialize");
        assertRefused(artifact, VideoColumn.of("rear", window, Size.of(64, 48)), "no camera 'rear'", "[front, left]");
        assertRefused(
                artifact,
                VideoColumn.of("front", window, Size.of(64, 48)).letterbox(0, 0, 0),
                "LETTERBOX",
                "STRETCH",
                "materialize");
        View truth = View.builder()
                .video(VideoColumn.of("front", window, Size.of(64, 48)))
                .truth("lidar", Column.float32())
                .build();
        assertThatThrownBy(() -> artifact.split("train").bind(truth))
                .isInstanceOf(DatasetException.class)
                .hasMessageContainingAll("no truth field 'lidar'", "steering", "materialize");
    }

    private static void assertRefused(Episodes artifact, VideoColumn column, String... words) {
        View view = View.builder().video(column).build();
        assertThatThrownBy(() -> artifact.bind(view))
                .isInstanceOf(DatasetException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void aFolderOfSomethingElseAndAnArtifactOfOtherPicturesAreLeftAlone() throws Exception {
        Path source = source();
        Files.createDirectories(artifact());
        Files.writeString(artifact().resolve("thesis.txt"), "years of work");
        assertThatThrownBy(() -> of(source).to(artifact()))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("not empty and is no artifact");
        assertThat(Files.readString(artifact().resolve("thesis.txt"))).isEqualTo("years of work");
        assertThatThrownBy(() -> of(source).to(source)).hasMessageContaining("is the source");

        Path other = folder.resolve("other");
        of(source).to(other);
        Map<String, String> before = tree(other);
        assertThatThrownBy(() -> of(source).quality(10).to(other)).hasMessageContaining("--replace");
        assertThat(tree(other)).isEqualTo(before);
        of(source).quality(10).replace(true).to(other);
        of(source).quality(10).to(folder.resolve("fresh"));
        assertThat(tree(other)).isEqualTo(tree(folder.resolve("fresh")));
    }

    @Test
    void badEpisodesFailOrAreLeftOutAndNamedInTheManifest() throws Exception {
        Path source = source();
        byte[] clip = Files.readAllBytes(source.resolve("left-1.mp4"));
        java.util.Arrays.fill(clip, clip.length - 1500, clip.length - 200, (byte) 0x55);
        Files.write(source.resolve("left-1.mp4"), clip);
        assertThatThrownBy(() -> of(source).to(artifact()))
                .isInstanceOf(DatasetException.class)
                .hasMessageContainingAll("ep/1", "left", "frame", "--on-bad skip");
        assertThatThrownBy(() -> of(source).onBad(BadSamples.skip()).to(artifact()))
                .hasMessageContaining("allowed share");
        MaterializeReport report =
                of(source).onBad(BadSamples.skip().budget(0.5, 10)).to(artifact());
        assertThat(report.bad()).containsOnlyKeys("ep/1");
        assertThat(Episodes.open(artifact()).episodes()).extracting("id").containsExactly("ep/0", "ep/2");
        Manifest manifest = Manifest.fromJson("m", Files.readAllBytes(artifact().resolve("manifest.json")));
        assertThat(manifest.bad()).extracting(Manifest.Bad::id).containsExactly("ep/1");
    }

    @Test
    void truthOfAnotherTypeInOneEpisodeIsOneErrorThatNamesItAndTheField() throws Exception {
        Path source = source();
        Path truth = source.resolve("truth-2.json");
        Files.writeString(
                truth, Files.readString(truth).replaceAll("\"steering\": [-0-9.E]+", "\"steering\": \"left\""));
        assertThatThrownBy(() -> of(source).to(artifact()))
                .isInstanceOf(DatasetException.class)
                .hasMessageContainingAll("ep/2", "truth-2.json", "steering");
        assertThat(artifact().resolve("manifest.json")).doesNotExist();
        assertThatThrownBy(() -> Episodes.open(artifact())).hasMessageContaining("not finished");
    }

    @Test
    void wrongSettingsAreToldAllAtOnce() throws Exception {
        Path source = source();
        assertThatThrownBy(() -> of(source)
                        .codec(ArtifactCodec.HEVC)
                        .quality(0)
                        .keyFrameDistance(0)
                        .threads(0)
                        .memory(1)
                        .onBad(BadSamples.substitute())
                        .to(artifact()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("HEVC", "quality", "key frame distance", "threads", "memory", "SUBSTITUTE");
        View odd =
                View.builder().video("front", Window.frames(2), Size.of(63, 48)).build();
        assertThatThrownBy(() -> Materializer.of(Episodes.open(source), odd).to(artifact()))
                .hasMessageContainingAll("63x48", "even", "VP9");
        assertThat(artifact()).doesNotExist();
    }

    @Test
    void memoryThatIsTooSmallForAClipIsSaidBeforeTheWork() throws Exception {
        Path source = source();
        assertThatThrownBy(() -> of(source).memory(16 << 20).to(artifact()))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("raise the memory");
        MaterializeReport report = of(source).memory(64 << 20).threads(8).to(artifact());
        assertThat(report.written()).isEqualTo(3);
    }

    @Test
    void progressCountsEveryFrameAndEpisode() throws Exception {
        long[] last = new long[4];
        of(source())
                .progress((frames, of, episodes, allEpisodes) -> {
                    assertThat(frames).isGreaterThanOrEqualTo(last[0]);
                    last[0] = frames;
                    last[1] = of;
                    last[2] = episodes;
                    last[3] = allEpisodes;
                })
                .to(artifact());
        assertThat(last).containsExactly(WRITTEN, WRITTEN, 3, 3);
    }

    @Test
    void theManifestSaysWhatIsThere() throws Exception {
        of(source()).to(artifact());
        Manifest manifest = Manifest.fromJson("m", Files.readAllBytes(artifact().resolve("manifest.json")));
        assertThat(manifest.view()).isEqualTo(SmallSource.view());
        assertThat(manifest.totals().frames()).isEqualTo(WRITTEN);
        EpisodePart part = manifest.episodes().get(1).part();
        assertThat(part.id()).isEqualTo("ep/1");
        assertThat(part.split()).isEqualTo("val");
        assertThat(part.metadata()).containsEntry("n", 1);
        assertThat(part.cameras().get("left").from()).isCloseTo(0.012, within(1e-12));
        for (EpisodePart.FilePart file : part.files()) {
            Path path = artifact().resolve(part.folder()).resolve(file.name());
            assertThat(Digests.of(path.toUri())).isEqualTo(file.sha256());
        }
    }

    @Test
    void aManifestOfBeforeThatDoesNotSayWhichTruthIsRoundedTooStillOpens() throws Exception {
        Path source = source();
        of(source).to(artifact());
        Path file = artifact().resolve("manifest.json");
        String json = Files.readString(file);
        assertThat(json).containsPattern("\"rounded\" : \\[ \"boxes\" \\]");
        Files.writeString(file, json.replaceAll(",\\s*\"rounded\" : \\[ \"boxes\" \\]", ""));
        assertThat(Files.readString(file)).doesNotContain("rounded");
        SameSamples.compare(Episodes.open(source), Episodes.open(artifact()), SmallSource.view());
    }

    /** Every file's digest by its path; nothing of a run may be left beside them. */
    static Map<String, String> tree(Path root) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (var walk = Files.walk(root)) {
            for (Path path : walk.toList()) {
                if (Files.isRegularFile(path)) {
                    tree.put(root.relativize(path).toString(), Digests.of(path.toUri()));
                } else if (Durable.isEmpty(path)) {
                    tree.put(root.relativize(path).toString(), "an empty folder");
                }
            }
        }
        return tree;
    }
}
