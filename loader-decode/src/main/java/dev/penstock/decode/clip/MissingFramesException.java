package dev.penstock.decode.clip;

import java.net.URI;
import java.util.Arrays;

/**
 * Some wanted frames could not be had; every other wanted frame of the same call was delivered. {@link #ordinals()}
 * are positions in the call's list of wanted frames, so that a caller fails only the samples that need them.
 */
public final class MissingFramesException extends ClipException {
    private static final long serialVersionUID = 1L;

    private final int[] ordinals;
    private final int[] frames;

    /** Frames {@code frames[i]}, wanted at position {@code ordinals[i]}, are missing; the first names the message. */
    public MissingFramesException(
            Kind kind, URI clip, int[] ordinals, int[] frames, double seconds, long offset, String why) {
        super(kind, clip, frames[0], seconds, offset, why + others(frames), null);
        this.ordinals = ordinals.clone();
        this.frames = frames.clone();
    }

    private static String others(int[] frames) {
        return frames.length == 1 ? "" : "; missing frames: " + Arrays.toString(frames);
    }

    /** Positions in the list of wanted frames, ascending. */
    public int[] ordinals() {
        return ordinals.clone();
    }

    /** The frame numbers at those positions. */
    public int[] frames() {
        return frames.clone();
    }
}
