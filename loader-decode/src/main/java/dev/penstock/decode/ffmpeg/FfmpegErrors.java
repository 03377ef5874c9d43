package dev.penstock.decode.ffmpeg;

import java.nio.charset.StandardCharsets;
import org.bytedeco.ffmpeg.global.avutil;

/** FFmpeg's error codes as text. */
final class FfmpegErrors {

    private static final int TEXT_BYTES = 128;

    private FfmpegErrors() {}

    /** What a negative return value means, with the number: {@code Invalid data found … (-1094995529)}. */
    static String text(int code) {
        byte[] text = new byte[TEXT_BYTES];
        avutil.av_strerror(code, text, TEXT_BYTES);
        int end = 0;
        while (end < text.length && text[end] != 0) {
            end++;
        }
        return new String(text, 0, end, StandardCharsets.UTF_8) + " (" + code + ")";
    }

    /**
     * Passes a value that is not an error on.
     *
     * @throws IllegalStateException when {@code code} is negative: what was being done, and FFmpeg's text
     */
    static int check(int code, String doing) {
        if (code < 0) {
            throw new IllegalStateException(doing + ": " + text(code));
        }
        return code;
    }
}
