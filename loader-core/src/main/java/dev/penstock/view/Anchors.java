package dev.penstock.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Where samples are: every k frames of a reference camera, or at the truth's own times. Immutable.
 *
 * @param at frames or truth
 * @param every take each k-th frame or record, from the first that the edge rule allows
 * @param camera the reference camera; null: the view's first
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Anchors(At at, int every, @Nullable String camera) {

    /** What anchors stand on. */
    public enum At {
        /** Frames of the reference camera. */
        FRAMES,
        /** Records of the truth. */
        TRUTH
    }

    public Anchors {
        at = at == null ? At.FRAMES : at;
        if (every < 1) {
            throw new IllegalArgumentException("anchors every was " + every + ", must be at least 1");
        }
    }

    /** Every {@code k} frames of the view's first camera. */
    public static Anchors everyFrames(int k) {
        return new Anchors(At.FRAMES, k, null);
    }

    /** At each record of the truth. */
    public static Anchors atTruth() {
        return new Anchors(At.TRUTH, 1, null);
    }

    /** The same anchors on the frames of {@code other}. */
    public Anchors of(String other) {
        return new Anchors(at, every, other);
    }

    /** Each k-th of them. */
    public Anchors every(int k) {
        return new Anchors(at, k, camera);
    }
}
