package dev.penstock.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.data.ElementType;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.EdgeRule;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Truth beside real clips: the values of the anchor's instant, in the row of its sample. */
class SourceTruthTest {
    @TempDir
    Path folder;

    /** road_1280x720 (38 frames, 25 a second) with a record at every frame: {@code n} is its number. */
    private Episodes road(boolean inline) throws Exception {
        StringBuilder records = new StringBuilder("[");
        for (int n = 0; n < 38; n++) {
            records.append(n == 0 ? "" : ",")
                    .append(String.format(
                            Locale.ROOT,
                            "{\"time\":%.2f,\"n\":%d,\"at\":[%d.5,-1],\"name\":\"frame %d\"}",
                            n / 25.0,
                            n,
                            n,
                            n));
        }
        records.append("]");
        Path truth = Files.writeString(folder.resolve("truth.json"), records);
        String text = inline ? records.toString() : "\"" + truth.getFileName() + "\"";
        Path clip = TestData.path("video/road_1280x720.mp4");
        Files.writeString(
                folder.resolve(Episodes.INDEX),
                "{\"id\":\"road\",\"cameras\":{\"front\":\"" + clip + "\"},\"truth\":" + text + "}\n");
        return TestData.inMemory(Episodes.open(folder));
    }

    private static View.Builder view() {
        return View.builder()
                .video("front", Window.frames(2), Size.of(16, 8))
                .truth("n", Column.int64())
                .truth("at", Column.float32(2))
                .truth("name", Column.text());
    }

    @Test
    void valuesOfTheAnchorStandInTheRowOfItsSampleFromFileAndInline() throws Exception {
        for (boolean inline : new boolean[] {false, true}) {
            try (SampleSource source = road(inline).bind(view().build())) {
                assertThat(source.size()).isEqualTo(37);
                assertThat(source.truth(new long[] {1}, 1) == null).isEqualTo(inline);
                TestBatch batch = TestBatch.of(source, 30, 0, 7);
                assertThat(batch.failures()).isEmpty();
                assertThat(batch.texts("name")).containsExactly("frame 30", "frame 0", "frame 7");
                assertThat(batch.floats("at")).containsExactly(30.5f, -1, 0.5f, -1, 7.5f, -1);
                assertThat(batch.bytes("n").getLong(16)).isEqualTo(7);
            }
        }
    }

    @Test
    void truthAnchorsAreTheRecordsOwnTimes() throws Exception {
        View view = view().anchors(Anchors.atTruth().every(5)).build();
        try (SampleSource source = road(false).bind(view)) {
            assertThat(source.size()).isEqualTo(8);
            assertThat(source.identify(3).anchorSeconds()).isEqualTo(15 / 25.0);
            TestBatch batch = TestBatch.of(source, 3, 7);
            assertThat(batch.texts("name")).containsExactly("frame 15", "frame 35");
        }
    }

    @Test
    void aTruthWindowByFramesFollowsTheReferenceFramesAndTheEdgeRule() throws Exception {
        View view = View.builder()
                .video("front", Window.frames(1), Size.of(16, 8))
                .truth("n", Column.dense(ElementType.FLOAT32).window(Window.offsets(-1, 0, 2)))
                .build();
        try (SampleSource source = road(false).bind(view)) {
            assertThat(source.size()).isEqualTo(35);
            assertThat(TestBatch.of(source, 0, 34).floats("n")).containsExactly(0, 1, 3, 34, 35, 37);
        }
        View clamped = View.builder()
                .video("front", Window.frames(1), Size.of(16, 8))
                .truth("n", Column.dense(ElementType.FLOAT32).window(Window.offsets(-1, 0, 2)))
                .edges(EdgeRule.CLAMP)
                .build();
        try (SampleSource source = road(false).bind(clamped)) {
            assertThat(source.size()).isEqualTo(38);
            assertThat(TestBatch.of(source, 0, 37).floats("n")).containsExactly(0, 0, 2, 36, 37, 37);
        }
    }

    @Test
    void aViewOfTruthAloneNeedsNoVideo() throws Exception {
        View view = View.builder().truth("n", Column.float32()).build();
        try (SampleSource source = road(false).bind(view)) {
            assertThat(source.size()).isEqualTo(38);
            assertThat(source.plan(new long[] {1, 2}, new int[] {0, 1}, 2)).isEmpty();
            assertThat(TestBatch.of(source, 4, 37).floats("n")).containsExactly(4, 37);
        }
    }
}
