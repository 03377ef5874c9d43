package dev.penstock.decode;

import dev.penstock.decode.truth.TruthBinding;
import dev.penstock.decode.truth.TruthTable;
import dev.penstock.view.EdgeRule;
import org.jspecify.annotations.Nullable;

/** One episode with a view applied: a block of samples. Immutable and thread-safe. */
final class BoundEpisode {
    private final String id;
    private final @Nullable CameraClip master;
    private final CameraClip[] clips;
    private final @Nullable TruthBinding truth;
    private final AnchorRuns anchors;
    private final boolean atTruth;

    /**
     * @param master the reference camera's clip; null in a view without video
     * @param clips the clip of each video column of the view
     * @param truth its ground truth; null where the view needs none
     * @param atTruth whether anchors are truth records, as against frames of {@code master}
     */
    BoundEpisode(
            String id,
            @Nullable CameraClip master,
            CameraClip[] clips,
            @Nullable TruthBinding truth,
            AnchorRuns anchors,
            boolean atTruth) {
        this.id = id;
        this.master = master;
        this.clips = clips;
        this.truth = truth;
        this.anchors = anchors;
        this.atTruth = atTruth;
    }

    String id() {
        return id;
    }

    @Nullable
    CameraClip master() {
        return master;
    }

    int columns() {
        return clips.length;
    }

    /** The clip of a video column. */
    CameraClip clip(int column) {
        return clips[column];
    }

    @Nullable
    TruthBinding truth() {
        return truth;
    }

    AnchorRuns anchors() {
        return anchors;
    }

    /** The anchor of sample {@code i} on the episode's clock. */
    double anchorSeconds(int i) {
        int position = anchors.position(i);
        if (!atTruth) {
            return master == null ? Double.NaN : master.secondsOf(position);
        }
        TruthTable timed = truth == null ? null : truth.truth().timed();
        return timed == null ? Double.NaN : timed.timeOf(position);
    }

    /** The reference camera's frame on screen at the anchor of sample {@code i}; 0 without a camera. */
    int anchorFrame(int i) {
        if (master == null) {
            return 0;
        }
        return atTruth ? Math.max(master.first(), master.onScreen(anchorSeconds(i))) : anchors.position(i);
    }

    /** Seconds of a frame of the reference camera; outside the clip by the edge rule: the end's, or NaN. */
    static double frameSeconds(@Nullable CameraClip master, int frame, EdgeRule edges) {
        if (master == null) {
            return Double.NaN;
        }
        int inside = master.clamp(frame);
        return inside == frame || edges == EdgeRule.CLAMP ? master.secondsOf(inside) : Double.NaN;
    }
}
