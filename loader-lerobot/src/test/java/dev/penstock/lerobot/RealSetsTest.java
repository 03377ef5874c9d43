package dev.penstock.lerobot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.Loader;
import dev.penstock.data.Batch;
import dev.penstock.decode.DatasetSummary;
import dev.penstock.decode.DecodeSettings;
import dev.penstock.decode.Episode;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Published sets with their faults: wrong totals and paths, features without files, files that were not fetched. */
class RealSetsTest {
    private static final Path SETS = Path.of(System.getProperty("penstock.shared", "absent"), "datasets");

    @TempDir
    Path folder;

    private static Episodes open(Path set) throws IOException {
        assumeTrue(Files.exists(set), "the shared test data is absent: -Dpenstock.shared=DIR names it");
        return Episodes.open(set).with(DecodeSettings.DEFAULT.indexes(DecodeSettings.Indexes.IN_MEMORY));
    }

    private static View view(String camera, int state) {
        return View.builder()
                .video(camera, Window.frames(2), Size.of(32, 32))
                .truth("observation.state", Column.float32(state))
                .truth("action", Column.float32(state))
                .truth("task", Column.text())
                .anchors(Anchors.everyFrames(50))
                .build();
    }

    private static Set<Long> load(Episodes episodes, View view) throws IOException {
        Set<Long> samples = new HashSet<>();
        try (Loader loader =
                Loader.builder(episodes, view).batchSize(4).epochs(1).build()) {
            for (Batch batch : loader) {
                for (int row = 0; row < batch.size(); row++) {
                    samples.add(batch.sampleAt(row));
                }
            }
        }
        return samples;
    }

    @Test
    void aSetWithWrongPathsAndAFeatureWithoutFilesLoads() throws IOException {
        Episodes episodes = open(SETS.resolve("lerobot_v20_gr00t_picknplace"));
        assertThat(episodes.episodes()).hasSize(5).allSatisfy(episode -> {
            assertThat(episode.cameras()).containsOnlyKeys("observation.images.ego_view");
            assertThat(episode.split()).isEqualTo("train");
        });
        assertThat(episodes.episodes().get(3).metadata().get("tasks"))
                .isEqualTo(List.of("pick the salt from the counter and place it in the plate", "valid"));
        assertThat(load(episodes, view("observation.images.ego_view", 44))).hasSizeGreaterThan(35);
    }

    @Test
    void aHalfFetchedSetSaysWhatIsMissing() throws IOException {
        Episodes episodes = open(SETS.resolve("lerobot_v21_g1_partial"));
        assertThat(episodes.episodes()).hasSize(100);
        assertThatThrownBy(() -> episodes.bind(view("observation.images.cam_high", 26)))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("98 of 100 episodes")
                .hasMessageContaining("'0' to '28', '31' to '99'")
                .hasMessageContaining("data/chunk-000/episode_000000.parquet")
                .hasMessageContaining("videos/chunk-000/observation.images.cam_high/episode_000000.mp4")
                .hasMessageContaining("--allow-missing");
    }

    @Test
    void ofAHalfFetchedSetThatMayBeOneWhatIsThereLoads() throws IOException {
        Episodes episodes = open(SETS.resolve("lerobot_v21_g1_partial")).allowMissing();
        assertThat(load(episodes, view("observation.images.cam_high", 26))).hasSize(5 + 6);
        DatasetSummary summary = episodes.describe();
        assertThat(summary.episodes()).isEqualTo(2);
        assertThat(summary.missing()).hasSize(2 * 98).contains("episode '99': data/chunk-000/episode_000099.parquet");
    }

    @Test
    void anEpisodeWithoutOneCameraServesViewsOfTheOther() throws IOException {
        Path set = copy("lerobot_v21_made_2cam");
        Files.delete(set.resolve("videos/chunk-000/observation.images.left/episode_000001.mp4"));
        Episodes episodes = open(set).allowMissing();
        View right = View.builder()
                .video("observation.images.right", Window.frames(1), Size.of(32, 32))
                .build();
        View both = View.builder()
                .video("observation.images.right", Window.frames(1), Size.of(32, 32))
                .video("observation.images.left", Window.frames(1), Size.of(32, 32))
                .build();
        assertThat(load(episodes, right)).hasSize(100);
        assertThat(load(episodes, both)).hasSize(65);
    }

    @Test
    void filesUnderAnotherChunkAreFound() throws IOException {
        Path set = copy("lerobot_v21_made_2cam");
        Files.move(set.resolve("data/chunk-000"), set.resolve("data/chunk-007"));
        assertThat(load(open(set), view("observation.images.left", 6))).hasSize(3);
    }

    @Test
    void theEpisodeThatASharedFileDoesNotHoldIsNamed() throws IOException {
        Path set = copy("lerobot_v30_made_2cam");
        Path other = copy("lerobot_v21_made_2cam");
        Files.copy(
                other.resolve("data/chunk-000/episode_000001.parquet"),
                set.resolve("data/chunk-000/file-000.parquet"),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        Episodes episodes = open(set);
        assertThatThrownBy(() -> episodes.bind(view("observation.images.left", 6)))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("episode '0'")
                .hasMessageContaining("file-000.parquet")
                .hasMessageContaining("no row of episode_index 0; it has 1 to 1");
    }

    @Test
    void anOlderVersionIsRefusedWithWhatToDo() throws IOException {
        Path info = folder.resolve("old/meta/info.json");
        Files.createDirectories(info.getParent());
        Files.writeString(info, "{\"codebase_version\": \"v1.6\", \"fps\": 30}");
        assertThatThrownBy(() -> Episodes.open(folder.resolve("old")))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("v1.6")
                .hasMessageContaining("convert");
    }

    @Test
    void tasksAndSplitsOfBothVersionsAreTheSame() throws IOException {
        List<Episode> two = open(SETS.resolve("lerobot_v21_made_2cam")).episodes();
        List<Episode> three = open(SETS.resolve("lerobot_v30_made_2cam")).episodes();
        for (int i = 0; i < 3; i++) {
            assertThat(three.get(i).id()).isEqualTo(two.get(i).id());
            assertThat(three.get(i).split()).isEqualTo(two.get(i).split());
            assertThat(three.get(i).metadata().get("tasks"))
                    .isEqualTo(two.get(i).metadata().get("tasks"));
        }
    }

    private Path copy(String name) throws IOException {
        Path from = SETS.resolve(name);
        assumeTrue(Files.exists(from), "the shared test data is absent: -Dpenstock.shared=DIR names it");
        Path to = folder.resolve(name);
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        }
        return to;
    }
}
