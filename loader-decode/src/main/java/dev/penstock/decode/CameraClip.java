package dev.penstock.decode;

import dev.penstock.decode.clip.ClipIndex;

/**
 * One camera of one episode, indexed: the frames {@code [first, end)} of a clip and their times on the episode's clock.
 * Frame numbers are the clip's own, also where the episode is a range of it. Immutable and thread-safe.
 */
final class CameraClip {
    /** How far a frame may lie before a range's bound, through rounding of the bound, and still count as after it. */
    private static final double ROUNDING = 1e-3;

    private final Clip clip;
    private final ClipFile file;
    private final ClipIndex index;
    private final int first;
    private final int end;

    CameraClip(Clip clip, ClipFile file) {
        this.clip = clip;
        this.file = file;
        this.index = file.index();
        Double from = clip.index() == null ? clip.from() : null;
        Double to = clip.to();
        double slack = Math.min(ROUNDING, frameDistance(index) / 4);
        this.first = from == null ? 0 : firstAtOrAfter(index, from - slack);
        this.end = Math.max(first, to == null ? index.frameCount() : firstAtOrAfter(index, to - slack));
    }

    private static double frameDistance(ClipIndex index) {
        int frames = index.frameCount();
        return frames < 2 ? ROUNDING : (index.secondsOf(frames - 1) - index.secondsOf(0)) / (frames - 1);
    }

    private static int firstAtOrAfter(ClipIndex index, double seconds) {
        int low = 0;
        int high = index.frameCount();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (index.secondsOf(middle) < seconds) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    Clip clip() {
        return clip;
    }

    ClipFile file() {
        return file;
    }

    ClipIndex index() {
        return index;
    }

    /** First frame of the episode. */
    int first() {
        return first;
    }

    /** One past the last frame of the episode. */
    int end() {
        return end;
    }

    int frames() {
        return end - first;
    }

    /** From the first frame's appearance to the last one's end. */
    double seconds() {
        if (frames() == 0) {
            return 0;
        }
        double last = end < index.frameCount() ? index.secondsOf(end) : index.endSeconds();
        return last - index.secondsOf(first);
    }

    /** When each of the episode's frames appears, in seconds of the episode. */
    double[] allSeconds() {
        double[] all = new double[frames()];
        for (int i = 0; i < all.length; i++) {
            all[i] = secondsOf(first + i);
        }
        return all;
    }

    /** When a frame appears, in seconds of the episode. */
    double secondsOf(int frame) {
        return index.secondsOf(frame) - clip.origin();
    }

    /** The frame whose time is nearest, the earlier of two, within the episode; the clip must have a frame. */
    int nearest(double seconds) {
        return clamp(index.nearestFrame(seconds + clip.origin()));
    }

    /** The frame on screen at an instant, or -1 before the episode's first frame and after its last one's end. */
    int onScreen(double seconds) {
        int frame = index.frameAt(seconds + clip.origin());
        return frame < first || frame >= end ? -1 : frame;
    }

    /** The nearest frame number within the episode. */
    int clamp(int frame) {
        return Math.max(first, Math.min(end - 1, frame));
    }

    /** Whether an instant lies before the first frame or after the last one's appearance. */
    boolean isOutside(double seconds) {
        return seconds < secondsOf(first) || seconds > secondsOf(end - 1);
    }

    /** File and range, for messages. */
    @Override
    public String toString() {
        return clip.toString();
    }
}
