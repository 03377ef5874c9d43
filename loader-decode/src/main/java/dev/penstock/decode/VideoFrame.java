package dev.penstock.decode;

import java.nio.ByteBuffer;

/**
 * One decoded frame. Its pixels are its own: they stay as they are for as long as the frame is reachable, or until
 * {@link #close}, which hands the memory to a later frame. Closing is optional and saves allocations.
 *
 * <p>Not thread-safe, except that a frame nobody closes may be read by any thread.
 */
public final class VideoFrame implements AutoCloseable {
    private final int index;
    private final long pts;
    private final double seconds;
    private final boolean key;
    private final int width;
    private final int height;
    private final String pixelFormat;
    private final ByteBuffer pixels;
    private final FrameBuffers home;
    private boolean closed;

    VideoFrame(
            int index,
            long pts,
            double seconds,
            boolean key,
            int width,
            int height,
            String pixelFormat,
            ByteBuffer pixels,
            FrameBuffers home) {
        this.index = index;
        this.pts = pts;
        this.seconds = seconds;
        this.key = key;
        this.width = width;
        this.height = height;
        this.pixelFormat = pixelFormat;
        this.pixels = pixels;
        this.home = home;
    }

    /** The frame's number in presentation order, from 0. */
    public int index() {
        return index;
    }

    /** Presentation time in ticks of the clip's time base. */
    public long pts() {
        return pts;
    }

    /** Presentation time in the container's seconds. */
    public double seconds() {
        return seconds;
    }

    /** Whether a decoder can start at the frame. */
    public boolean key() {
        return key;
    }

    /** Pixels in a row. */
    public int width() {
        return width;
    }

    /** Rows. */
    public int height() {
        return height;
    }

    /** {@code rgb24}, or FFmpeg's name of the decoder's own format where that was asked for. */
    public String pixelFormat() {
        return pixelFormat;
    }

    /**
     * The pixels, from 0 to the limit: a direct buffer, {@code [height, width, 3]} bytes R, G, B for {@code rgb24}.
     *
     * @return a read-only view with its own position
     * @throws IllegalStateException after {@link #close}
     */
    public ByteBuffer pixels() {
        if (closed) {
            throw new IllegalStateException("frame " + index + " is closed");
        }
        return pixels.asReadOnlyBuffer();
    }

    /** Lets the reader use the memory for another frame. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            home.giveBack(pixels);
        }
    }

    @Override
    public String toString() {
        return "frame " + index + " at " + seconds + " s, " + width + "x" + height + " " + pixelFormat;
    }
}
