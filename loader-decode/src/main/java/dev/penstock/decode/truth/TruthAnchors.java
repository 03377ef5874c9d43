package dev.penstock.decode.truth;

/** Where the samples of a source are on their episodes' clocks. Thread-safe, no I/O. */
public interface TruthAnchors {

    /** The truth of the sample's episode. */
    TruthBinding truth(long sample);

    /** The sample's anchor, seconds on its episode's clock. */
    double seconds(long sample);

    /**
     * Seconds of the reference camera's frame that is {@code offset} frames from the anchor's; NaN where there is none and
     * the view's edge rule gives no other.
     */
    double frameSeconds(long sample, int offset);
}
