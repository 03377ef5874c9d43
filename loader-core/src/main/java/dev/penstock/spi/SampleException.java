package dev.penstock.spi;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * One sample that can't be had. The message says what, where (camera, clip, frame, time, byte offset), why and what to
 * do; the engine adds which sample of which episode it was and applies the bad-sample rule.
 */
public class SampleException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String camera;
    private final long frame;

    /** A failure of the whole sample. */
    public SampleException(String message, @Nullable Throwable cause) {
        this(message, "", -1, cause);
    }

    /**
     * @param camera the camera whose frame could not be had, or ""
     * @param frame the number of the frame in its clip, or -1
     */
    public SampleException(String message, String camera, long frame, @Nullable Throwable cause) {
        super(message, cause);
        this.camera = camera;
        this.frame = frame;
    }

    /** The camera, or "". */
    public String camera() {
        return camera;
    }

    /** The frame in its clip, or -1. */
    public long frame() {
        return frame;
    }
}
