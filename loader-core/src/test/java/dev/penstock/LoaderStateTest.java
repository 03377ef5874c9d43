package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.engine.Delivered;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoaderStateTest {
    private static final View VIEW =
            View.builder().video("front", Window.frames(4), Size.of(32, 32)).build();
    private static final View WIDER =
            View.builder().video("front", Window.frames(4), Size.of(64, 32)).build();

    private final CountedSource source = CountedSource.even(4, 10);
    private final Shuffle shuffle = Shuffle.seed(Long.MIN_VALUE);

    @Test
    void aStateIsUnderOneKilobyteAndRoundTrips() {
        LoaderState state = LoaderState.start(source, VIEW, shuffle, Integer.MAX_VALUE, Integer.MAX_VALUE)
                .at(
                        Integer.MAX_VALUE - 1,
                        Long.MAX_VALUE - 1,
                        Long.MAX_VALUE,
                        LoaderState.Ahead.of(Integer.MAX_VALUE, widest()));
        String json = state.toJson();
        assertThat(json.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(1_024);
        assertThat(LoaderState.fromJson(json)).isEqualTo(state);
    }

    /** Every row of the largest window but the first was delivered. */
    private static Delivered widest() {
        byte[] bits = new byte[LoaderSettings.MOST_OVERTAKING / 8 + 1];
        Arrays.fill(bits, (byte) 0xFF);
        bits[0] = (byte) 0xFE;
        return Delivered.of(Integer.MAX_VALUE, bits);
    }

    @Test
    void theEndOfAnEpochIsTheStartOfTheNext() {
        LoaderState state = LoaderState.start(source, VIEW, shuffle, 8, 1);
        assertThat(state.at(3, 32, 40)).extracting("epoch", "position").containsExactly(3, 32L);
        assertThat(state.at(3, 40, 40)).extracting("epoch", "position").containsExactly(4, 0L);
    }

    @Test
    void worldBatchSizeAndPlaceMayDiffer() {
        LoaderState taken = LoaderState.start(source, VIEW, shuffle, 8, 4).at(2, 32, 40);
        LoaderState now = LoaderState.start(CountedSource.even(4, 10), VIEW, shuffle, 16, 1);
        assertThatCode(() -> taken.checkFits(now, 0)).doesNotThrowAnyException();
    }

    @Test
    void everyDifferenceIsNamed() {
        LoaderState taken = LoaderState.start(source, VIEW, shuffle.buffer(100), 8, 4);
        LoaderState now = LoaderState.start(
                CountedSource.even(4, 11), WIDER, Shuffle.seed(8).buffer(200).interleave(3), 8, 4);
        assertThatThrownBy(() -> taken.checkFits(now, 0))
                .isInstanceOf(ResumeException.class)
                .hasMessageStartingWith("can't resume from this state: the dataset's content changed")
                .hasMessageContaining("the view changed")
                .hasMessageContaining("seed was -9223372036854775808 and is 8")
                .hasMessageContaining("shuffle buffer was 100 and is 200")
                .hasMessageContaining("shuffle interleave was 16 and is 3");
        assertThatThrownBy(() -> taken.checkFits(LoaderState.start(source, VIEW, Shuffle.none(), 8, 4), 0))
                .hasMessage("can't resume from this state: shuffle was"
                        + " blocks(seed -9223372036854775808, buffer 100, interleave 16) and is none");
    }

    @Test
    void aStateOfAnotherVersionIsRefused() {
        LoaderState now = LoaderState.start(source, VIEW, shuffle, 8, 4);
        LoaderState later = LoaderState.fromJson(now.toJson().replace("\"version\":1", "\"version\":2"));
        assertThatThrownBy(() -> later.checkFits(now, 0)).hasMessageContaining("state version was 2 and is 1");
    }

    @Test
    void whatIsNoStateIsRefusedWithThePlace() {
        assertThatThrownBy(() -> LoaderState.fromJson("{\"epoch\": -"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a loader state")
                .hasMessageContaining("line 1");
        String json = LoaderState.start(source, VIEW, shuffle, 8, 4).toJson();
        assertThatThrownBy(() -> LoaderState.fromJson(json.replace("\"epoch\":0", "\"epoch\":-1")))
                .hasMessageContaining("epoch was -1");
        assertThatThrownBy(() -> LoaderState.fromJson(json.replace("\"epoch\":0,", "")))
                .hasMessageContaining("epoch");
    }

    @Test
    void aSavedStateIsWholeAndLeavesNothingAside(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("state.json");
        LoaderState first = LoaderState.start(source, VIEW, Shuffle.seed(7), 4, 1);
        LoaderState second = first.at(3, 20, 100);
        first.save(file);
        second.save(file);
        assertThat(LoaderState.load(file)).isEqualTo(second);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
        Files.writeString(file, "{\"version\":1,");
        assertThatThrownBy(() -> LoaderState.load(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("state.json is not a loader state");
    }
}
