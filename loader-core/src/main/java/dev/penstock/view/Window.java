package dev.penstock.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which frames of one clip a sample takes, relative to its anchor. Immutable.
 *
 * <p>By frame: {@code frames(16).every(2)} takes frames a, a + 2, … a + 30, where a is the frame on screen at the
 * anchor; {@link #endingAtAnchor()} and {@link #startingAt(int)} shift it. By time: {@code seconds(-0.2, -0.1, 0)} takes
 * the frame nearest in time to each offset.
 *
 * @param frames offsets in frames, ascending, empty for a window by time
 * @param seconds offsets in seconds, ascending, empty for a window by frame
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Window(List<Integer> frames, List<Double> seconds) {

    private static final int MOST_FRAMES = 65_536;

    public Window {
        frames = frames == null ? List.of() : List.copyOf(frames);
        seconds = seconds == null ? List.of() : List.copyOf(seconds);
        if (frames.isEmpty() == seconds.isEmpty()) {
            throw new IllegalArgumentException(
                    "a window has frame offsets or second offsets, one of the two; got frames " + frames
                            + " and seconds " + seconds);
        }
        for (int i = 1; i < frames.size(); i++) {
            if (frames.get(i) <= frames.get(i - 1)) {
                throw new IllegalArgumentException("frame offsets were " + frames + ", must be ascending");
            }
        }
        for (int i = 0; i < seconds.size(); i++) {
            double offset = seconds.get(i);
            if (!Double.isFinite(offset) || (i > 0 && offset <= seconds.get(i - 1))) {
                throw new IllegalArgumentException("second offsets were " + seconds + ", must be finite and ascending");
            }
        }
    }

    /** {@code count} consecutive frames, the first one at the anchor. */
    public static Window frames(int count) {
        if (count < 1 || count > MOST_FRAMES) {
            throw new IllegalArgumentException("window frames was " + count + ", must be 1 to " + MOST_FRAMES);
        }
        return new Window(IntStream.range(0, count).boxed().toList(), List.of());
    }

    /** The frames at these offsets from the anchor's frame, ascending. */
    public static Window offsets(int... offsets) {
        return new Window(IntStream.of(offsets).boxed().toList(), List.of());
    }

    /** The frames nearest to these offsets in seconds from the anchor, ascending. */
    public static Window seconds(double... offsets) {
        List<Double> list = new ArrayList<>(offsets.length);
        for (double offset : offsets) {
            list.add(offset);
        }
        return new Window(List.of(), list);
    }

    /** The same window with its frames {@code stride} apart: its offsets multiplied. */
    public Window every(int stride) {
        if (stride < 1) {
            throw new IllegalArgumentException("window stride was " + stride + ", must be at least 1");
        }
        requireFrames("every");
        return new Window(
                frames.stream().map(f -> Math.multiplyExact(f, stride)).toList(), List.of());
    }

    /** The same window with its last frame at the anchor. */
    public Window endingAtAnchor() {
        requireFrames("endingAtAnchor");
        return startingAt(frames.get(0) - frames.get(frames.size() - 1));
    }

    /** The same window with its first frame {@code offset} frames from the anchor (negative: before it). */
    public Window startingAt(int offset) {
        requireFrames("startingAt");
        int shift = offset - frames.get(0);
        return new Window(frames.stream().map(f -> f + shift).toList(), List.of());
    }

    /** The number of frames, T. */
    public int length() {
        return Math.max(frames.size(), seconds.size());
    }

    /** Whether the offsets are seconds. */
    public boolean byTime() {
        return !seconds.isEmpty();
    }

    private void requireFrames(String method) {
        if (byTime()) {
            throw new IllegalStateException(method + " shapes a window by frames; this one is by time: " + seconds);
        }
    }
}
