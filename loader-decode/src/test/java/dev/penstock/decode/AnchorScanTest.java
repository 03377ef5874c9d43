package dev.penstock.decode;

import static dev.penstock.decode.SyntheticClip.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.decode.truth.TruthColumn;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthTables;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.EdgeRule;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Anchors, edges and the alignment of cameras, over tables of times. */
class AnchorScanTest {
    private static final Size SIZE = Size.of(8, 8);

    private static AnchorScan scan(View view, CameraClip... clips) {
        return scan(view, null, clips);
    }

    private static AnchorScan scan(View view, @Nullable TruthBinding truth, CameraClip... clips) {
        WindowRule[] rules =
                view.videos().stream().map(video -> new WindowRule(view, video)).toArray(WindowRule[]::new);
        ReadBound[] bounds = IntStream.range(0, clips.length)
                .mapToObj(c -> new ReadBound(clips[c].file()))
                .toArray(ReadBound[]::new);
        return new AnchorScan(view, rules, clips[0], clips, bounds, truth);
    }

    private static int[] positions(AnchorRuns runs) {
        return IntStream.range(0, runs.count()).map(runs::position).toArray();
    }

    private static View.Builder front(Window window) {
        return View.builder().video("front", window, SIZE);
    }

    @Test
    void dropKeepsTheAnchorsWhoseWholeWindowExists() {
        CameraClip clip = SyntheticClip.at(10, times(0, 33, 20));
        View view = front(Window.frames(4).every(2)).build();
        assertThat(positions(scan(view, clip).atFrames(clip)))
                .isEqualTo(IntStream.range(0, 14).toArray());
    }

    @Test
    void everyKCountsFromTheFirstAnchorThatIsASample() {
        CameraClip clip = SyntheticClip.at(10, times(0, 33, 20));
        View view = front(Window.frames(4).endingAtAnchor())
                .anchors(Anchors.everyFrames(5))
                .build();
        assertThat(positions(scan(view, clip).atFrames(clip))).containsExactly(3, 8, 13, 18);
    }

    @Test
    void clampKeepsEveryFrameAsAnchor() {
        CameraClip clip = SyntheticClip.at(10, times(0, 33, 20));
        View view = front(Window.frames(4).endingAtAnchor())
                .edges(EdgeRule.CLAMP)
                .anchors(Anchors.everyFrames(6))
                .build();
        assertThat(positions(scan(view, clip).atFrames(clip))).containsExactly(0, 6, 12, 18);
    }

    @Test
    void anchorsWithoutTruthAreDroppedAndCounted() throws IOException {
        CameraClip clip = SyntheticClip.at(10, times(0, 100, 10));
        View view = front(Window.frames(1)).truth("x", Column.float32()).build();
        String json = "[{\"time\":0.2,\"x\":1},{\"time\":0.74,\"x\":2},{\"time\":0.8,\"x\":3}]";
        try (EpisodeTruth truth = TruthTables.open(TruthInput.inline("e", json, "test"))) {
            TruthBinding binding = TruthBinding.of(truth, TruthColumn.of(view.truth()), view.tolerance());
            AnchorScan scan = scan(view, binding, clip);
            assertThat(positions(scan.atFrames(clip))).containsExactly(2, 7, 8);
            assertThat(scan.drops().withoutTruth()).isEqualTo(7);
            assertThat(scan.drops().firstLack()).contains("'x'");
        }
    }

    @Test
    void anotherCameraTakesTheFramesNearestInTimeWhateverItsRate() {
        CameraClip front = SyntheticClip.at(10, times(0, 40, 25));
        CameraClip left = SyntheticClip.at(10, times(5, 20, 50));
        View view = front(Window.frames(3).every(2))
                .video("left", Window.frames(3).every(2), SIZE)
                .build();
        assertThat(positions(scan(view, front, left).atFrames(front)))
                .isEqualTo(IntStream.range(0, 21).toArray());

        WindowRule rule = new WindowRule(view, view.videos().get(1));
        WindowRule.Found found = new WindowRule.Found();
        int[] frames = new int[3];
        for (int i = 0; i < 3; i++) {
            rule.find(i, 4, front.secondsOf(4), front, left, found);
            frames[i] = found.frame();
            assertThat(found.state()).isEqualTo(WindowRule.WHOLE);
            assertThat(found.skew()).isCloseTo(0.005, within(1e-9));
        }
        assertThat(frames).containsExactly(8, 12, 16);
    }

    @Test
    void aCameraThatStartsLateDropsTheAnchorsBeforeIt() {
        CameraClip front = SyntheticClip.at(10, times(0, 100, 10));
        CameraClip left = SyntheticClip.at(10, times(300, 100, 7));
        View view =
                front(Window.frames(1)).video("left", Window.frames(1), SIZE).build();
        AnchorScan scan = scan(view, front, left);
        assertThat(positions(scan.atFrames(front)))
                .isEqualTo(IntStream.range(3, 10).toArray());
        assertThat(scan.drops().pastEnd(1)).isEqualTo(3);
    }

    @Test
    void underClampACameraThatStartsLateRepeatsItsFirstFrameAndSaysSo() {
        CameraClip front = SyntheticClip.at(10, times(0, 100, 10));
        CameraClip left = SyntheticClip.at(10, times(300, 100, 7));
        View view = front(Window.frames(1))
                .video("left", Window.frames(1), SIZE)
                .edges(EdgeRule.CLAMP)
                .build();
        assertThat(scan(view, front, left).atFrames(front).count()).isEqualTo(10);
        WindowRule.Found found = new WindowRule.Found();
        new WindowRule(view, view.videos().get(1)).find(0, 1, 0.1, front, left, found);
        assertThat(found.frame()).isZero();
        assertThat(found.state()).isEqualTo(WindowRule.PAST_END);
        assertThat(found.skew()).isCloseTo(0.2, within(1e-9));
    }

    @Test
    void aGapInAnotherCameraIsNoSampleUnderEitherRule() {
        CameraClip front = SyntheticClip.at(10, times(0, 100, 10));
        CameraClip left = SyntheticClip.at(10, 0, 100, 200, 700, 800, 900);
        for (EdgeRule rule : EdgeRule.values()) {
            View view = front(Window.frames(1))
                    .video("left", Window.frames(1), SIZE)
                    .edges(rule)
                    .build();
            AnchorScan scan = scan(view, front, left);
            assertThat(positions(scan.atFrames(front))).containsExactly(0, 1, 2, 7, 8, 9);
            assertThat(scan.drops().gap(1)).isEqualTo(4);
        }
    }

    @Test
    void windowsBySecondsTakeTheNearestFrameWithinTheTolerance() {
        CameraClip clip = SyntheticClip.at(10, times(0, 33, 31));
        View view = front(Window.seconds(-0.2, -0.1, 0)).tolerance(0.02).build();
        AnchorRuns runs = scan(view, clip).atFrames(clip);
        assertThat(runs.position(0)).isEqualTo(6);
        assertThat(runs.count()).isEqualTo(25);
        WindowRule rule = new WindowRule(view, view.videos().get(0));
        WindowRule.Found found = new WindowRule.Found();
        rule.find(0, 10, 0.33, clip, clip, found);
        assertThat(found.frame()).isEqualTo(4);
        rule.find(1, 10, 0.33, clip, clip, found);
        assertThat(found.frame()).isEqualTo(7);
    }

    @Test
    void truthAnchorsTakeTheFrameOnScreenAndMustLieInsideTheReferenceClip() {
        CameraClip clip = SyntheticClip.at(10, times(1000, 100, 10));
        View view = front(Window.frames(2)).anchors(Anchors.atTruth()).build();
        double[] truth = {0.5, 0.99, 1.0, 1.05, 1.5, 1.89, 1.92, 2.5};
        AnchorScan scan = scan(view, clip);
        AnchorRuns runs = scan.atTruth(truth.length, i -> truth[i]);
        assertThat(positions(runs)).containsExactly(2, 3, 4, 5);
        assertThat(scan.drops().outsideReference()).isEqualTo(3);
        assertThat(scan.drops().pastEnd(0)).isEqualTo(1);
        assertThat(clip.onScreen(1.05)).isZero();
        assertThat(clip.onScreen(1.89)).isEqualTo(8);
    }

    @Test
    void aRangeOfAFileHasItsOwnClockAndFramesAlsoWhereItsBoundsAreRounded() {
        CameraClip range = SyntheticClip.range(0.3334, 0.6666, 10, times(0, 333, 4));
        assertThat(range.first()).isEqualTo(1);
        assertThat(range.end()).isEqualTo(2);
        CameraClip rounded = SyntheticClip.range(0.3331, 0.9991, 10, times(0, 333, 4));
        assertThat(rounded.first()).isEqualTo(1);
        assertThat(rounded.end()).isEqualTo(3);
        assertThat(rounded.secondsOf(1)).isCloseTo(0, within(1e-3));
        assertThat(rounded.nearest(5)).isEqualTo(2);
        assertThat(rounded.onScreen(0.7)).isEqualTo(-1);
        assertThat(rounded.onScreen(-0.1)).isEqualTo(-1);
    }

    @Test
    void windowsNeverLeaveTheRangeOfASharedFile() {
        CameraClip range = SyntheticClip.range(0.3, 0.8, 10, times(0, 100, 12));
        View view = front(Window.frames(3)).build();
        assertThat(positions(scan(view, range).atFrames(range))).containsExactly(3, 4, 5);
    }

    @Test
    void theLargestReadBoundsTheBytesFromTheKeyFrameOn() {
        CameraClip clip = SyntheticClip.at(10, times(0, 33, 40));
        AnchorScan scan = scan(front(Window.frames(4)).build(), clip);
        scan.atFrames(clip);
        assertThat(scan.largestRead()).isEqualTo(13L * SyntheticClip.PACKET_BYTES);
    }

    @Test
    void anchorsAreKeptAsRunsAndFoundAgain() {
        AnchorRuns.Builder builder = new AnchorRuns.Builder(3);
        int[] positions = {2, 5, 8, 14, 17, 29, 32, 35, 38};
        for (int position : positions) {
            builder.add(position);
        }
        assertThat(positions(builder.build())).isEqualTo(positions);
        assertThat(new AnchorRuns.Builder(3).build().count()).isZero();
    }
}
