package dev.penstock.lerobot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.Loader;
import dev.penstock.data.Batch;
import dev.penstock.decode.DecodeSettings;
import dev.penstock.decode.Episodes;
import dev.penstock.view.Column;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In the made sets a row's state is the mean colour of its own two pictures: so a row in the wrong place is seen. */
class AlignmentTest {
    private static final Path SETS = Path.of(System.getProperty("penstock.shared", "absent"), "datasets");
    private static final Size PICTURE = Size.of(240, 426);

    @ParameterizedTest
    @ValueSource(strings = {"lerobot_v21_made_2cam", "lerobot_v30_made_2cam"})
    void theStateOfEveryRowIsTheMeanColourOfItsOwnPictures(String set) throws IOException {
        assumeTrue(Files.exists(SETS.resolve(set)), "the shared test data is absent: -Dpenstock.shared=DIR names it");
        View view = View.builder()
                .video("observation.images.left", Window.frames(1), PICTURE)
                .video("observation.images.right", Window.frames(1), PICTURE)
                .truth("observation.state", Column.float32(6))
                .truth("frame_index", Column.int64())
                .truth("episode_index", Column.int64())
                .truth("task", Column.text())
                .build();
        Episodes episodes =
                Episodes.open(SETS.resolve(set)).with(DecodeSettings.DEFAULT.indexes(DecodeSettings.Indexes.IN_MEMORY));
        Set<String> rows = new HashSet<>();
        try (Loader loader =
                Loader.builder(episodes, view).batchSize(10).epochs(1).build()) {
            for (Batch batch : loader) {
                FloatBuffer state = batch.tensor("observation.state").data().asFloatBuffer();
                LongBuffer frame = batch.tensor("frame_index").data().asLongBuffer();
                LongBuffer episode = batch.tensor("episode_index").data().asLongBuffer();
                ByteBuffer left = batch.tensor("observation.images.left").data();
                ByteBuffer right = batch.tensor("observation.images.right").data();
                for (int row = 0; row < batch.size(); row++) {
                    String name = "episode " + episode.get(row) + ", row " + frame.get(row);
                    assertThat(rows.add(name)).as(name + " came once").isTrue();
                    for (int colour = 0; colour < 3; colour++) {
                        assertThat(mean(left, row, colour))
                                .as(name + ", left, colour " + colour)
                                .isCloseTo(state.get(row * 6 + colour), within(2.0));
                        assertThat(mean(right, row, colour))
                                .as(name + ", right, colour " + colour)
                                .isCloseTo(state.get(row * 6 + 3 + colour), within(2.0));
                    }
                }
            }
        }
        assertThat(rows).hasSize(100);
    }

    private static double mean(ByteBuffer pictures, int row, int colour) {
        int pixels = PICTURE.width() * PICTURE.height();
        long sum = 0;
        for (int i = 0; i < pixels; i++) {
            sum += pictures.get((row * pixels + i) * 3 + colour) & 0xFF;
        }
        return (double) sum / pixels;
    }
}
