package dev.penstock.decode;

import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;

/**
 * Says which frames of a camera's clip one video column takes at an anchor. Immutable and thread-safe; allocates
 * nothing.
 *
 * <p>The reference camera takes frames by number from the one on screen at the anchor. Any other camera takes, for each
 * of those frames, the frame of its own whose time is nearest: so a window by frames spans the same time in every
 * camera, whatever their frame rates. A window by time takes, in every camera, the frame nearest to each instant. A
 * frame that is farther than the tolerance from its instant stands for it only past a clip's end and under CLAMP.
 */
final class WindowRule {
    /** Every frame is real. */
    static final int WHOLE = 0;
    /** A frame lies before the clip's first or after its last: it is replaced by that one. */
    static final int PAST_END = 1;
    /** The clip has no frame within the tolerance, though it goes on after the instant. */
    static final int GAP = 2;

    /** Absorbs the rounding of times in seconds; far below any frame distance. */
    private static final double ROUNDING = 1e-9;

    private final int[] offsets;
    private final double[] seconds;
    private final boolean reference;
    private final double tolerance;

    WindowRule(View view, VideoColumn column) {
        Window window = column.window();
        this.offsets = window.frames().stream().mapToInt(Integer::intValue).toArray();
        this.seconds =
                window.seconds().stream().mapToDouble(Double::doubleValue).toArray();
        this.reference = column.camera().equals(view.referenceCamera());
        this.tolerance = view.tolerance() + ROUNDING;
    }

    /** T. */
    int length() {
        return Math.max(offsets.length, seconds.length);
    }

    /** Whether the column's camera is the one that the anchors stand on. */
    boolean isReference() {
        return reference;
    }

    /** Whether frames are counted from the anchor's frame, as against taken at offsets in seconds. */
    boolean byFrame() {
        return offsets.length > 0;
    }

    /** Frames from the window's first to its last, both included; 0 for a window by time. */
    int span() {
        return byFrame() ? offsets[offsets.length - 1] - offsets[0] + 1 : 0;
    }

    /** Seconds from the window's first instant to its last; 0 for a window by frame. */
    double seconds() {
        return byFrame() ? 0 : seconds[seconds.length - 1] - seconds[0];
    }

    /** Where the {@code i}-th frame stands, counted from the anchor's frame. */
    int offset(int i) {
        return offsets[i];
    }

    /**
     * Finds frame {@code i} of the window.
     *
     * @param anchorFrame the reference camera's frame on screen at the anchor
     * @param anchorSeconds the anchor on the episode's clock
     * @param master the reference camera's clip
     * @param own the column's clip
     * @param found receives the result
     */
    void find(int i, int anchorFrame, double anchorSeconds, CameraClip master, CameraClip own, Found found) {
        if (!byFrame()) {
            nearest(anchorSeconds + seconds[i], true, own, found);
            return;
        }
        int wanted = anchorFrame + offsets[i];
        int there = master.clamp(wanted);
        if (reference) {
            found.set(there, there == wanted ? WHOLE : PAST_END, 0);
        } else {
            nearest(master.secondsOf(there), there == wanted, own, found);
        }
    }

    private void nearest(double wanted, boolean real, CameraClip own, Found found) {
        int frame = own.nearest(wanted);
        double skew = own.secondsOf(frame) - wanted;
        int state = real ? WHOLE : PAST_END;
        if (Math.abs(skew) > tolerance) {
            state = own.isOutside(wanted) ? PAST_END : GAP;
        }
        found.set(frame, state, skew);
    }

    /** One frame of a window. Owned by one thread. */
    static final class Found {
        private int frame;
        private int state;
        private double skew;

        private void set(int newFrame, int newState, double newSkew) {
            frame = newFrame;
            state = newState;
            skew = newSkew;
        }

        /** The frame's number in its clip. */
        int frame() {
            return frame;
        }

        /** {@link #WHOLE}, {@link #PAST_END} or {@link #GAP}. */
        int state() {
            return state;
        }

        /** Seconds by which the frame is later than its instant. */
        double skew() {
            return skew;
        }
    }
}
