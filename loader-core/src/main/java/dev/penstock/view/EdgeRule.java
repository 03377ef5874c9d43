package dev.penstock.view;

/** What happens to anchors whose window reaches past a clip's first or last frame. */
public enum EdgeRule {
    /** The anchor is no sample. */
    DROP,
    /**
     * Frames outside are replaced by the clip's first or last frame, and the dense uint8 tensor {@code NAME.mask} of
     * shape {@code [T]} says 1 for a real frame and 0 for a replaced one.
     */
    CLAMP
}
