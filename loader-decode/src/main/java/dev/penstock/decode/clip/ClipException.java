package dev.penstock.decode.clip;

import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A clip, or a frame of it, cannot be had. Says which clip, and where known which frame, time and byte offset; the
 * message says why and what to do.
 */
public class ClipException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What went wrong, as a caller would branch on it. */
    public enum Kind {
        /** The blob has no bytes. */
        EMPTY,
        /** The bytes are no container or picture that this library reads. */
        NOT_MEDIA,
        /** A container without a video stream, or without the stream that was asked for. */
        NO_VIDEO,
        /** The blob ends before the data that its header promises. */
        TRUNCATED,
        /** A codec, encryption or orientation that this build cannot decode. */
        UNSUPPORTED,
        /** Packets that do not decode, or decode with errors. */
        DAMAGED,
        /** A stated limit ({@link DecodeLimits}) would be passed. */
        LIMIT,
        /** A frame number or time that the clip does not have. */
        OUT_OF_RANGE,
        /** The blob is no longer the one that was indexed. */
        CHANGED,
        /** The store failed to deliver bytes. */
        READ
    }

    private final Kind kind;
    private final URI clip;
    private final int frame;
    private final double seconds;
    private final long offset;

    /** An error about the whole clip. */
    public ClipException(Kind kind, URI clip, String why) {
        this(kind, clip, -1, Double.NaN, -1, why, null);
    }

    /** An error about the whole clip, with its cause. */
    public ClipException(Kind kind, URI clip, String why, @Nullable Throwable cause) {
        this(kind, clip, -1, Double.NaN, -1, why, cause);
    }

    /**
     * An error about one frame.
     *
     * @param frame frame number, or -1 where it is not known
     * @param seconds time of the frame in seconds, or NaN
     * @param offset byte offset in the clip, or -1
     */
    public ClipException(
            Kind kind, URI clip, int frame, double seconds, long offset, String why, @Nullable Throwable cause) {
        super(text(clip, frame, seconds, offset, why), cause);
        this.kind = kind;
        this.clip = clip;
        this.frame = frame;
        this.seconds = seconds;
        this.offset = offset;
    }

    private static String text(URI clip, int frame, double seconds, long offset, String why) {
        StringBuilder text = new StringBuilder("clip ").append(clip);
        if (frame >= 0) {
            text.append(", frame ").append(frame);
        }
        if (!Double.isNaN(seconds)) {
            text.append(", at ").append(seconds).append(" s");
        }
        if (offset >= 0) {
            text.append(", byte ").append(offset);
        }
        return text.append(": ").append(why).toString();
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }

    /** The clip. */
    public URI clip() {
        return clip;
    }

    /** The frame's number, or -1. */
    public int frame() {
        return frame;
    }

    /** The frame's time in seconds, or NaN. */
    public double seconds() {
        return seconds;
    }

    /** The byte offset in the clip, or -1. */
    public long offset() {
        return offset;
    }
}
