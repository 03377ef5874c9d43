package dev.penstock.decode.ffmpeg;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes decoded pictures as plain bytes, on the decoder's thread. */
public interface PictureSink {
    /** A direct buffer of {@code bytes} bytes for the picture that comes next. */
    ByteBuffer target(int bytes);

    /**
     * A wanted picture.
     *
     * @param wantedOrdinal its position in the plan's list of wanted frames
     * @param width pixels
     * @param height pixels
     * @param pixelFormat FFmpeg's name of the layout of {@code pixels}: {@code rgb24}, or the decoder's own
     * @param pixels the buffer from {@link #target}, filled from 0 to its limit
     */
    void picture(int wantedOrdinal, int width, int height, String pixelFormat, ByteBuffer pixels) throws IOException;
}
