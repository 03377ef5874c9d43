package dev.penstock.bench;

import dev.penstock.decode.VideoFrame;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * What a line about one frame says. Means are R, G, B from 0 to 255; quarters are top-left, top-right, bottom-left,
 * bottom-right, cut at half the width and height, rounded down.
 *
 * @param index number in the clip
 * @param pts in ticks of the stream's time base
 * @param seconds the container's time
 * @param key whether it is a key frame
 * @param width pixels
 * @param height pixels
 * @param mean of the whole frame
 * @param quarters of its four quarters
 */
record FrameFacts(
        int index, long pts, double seconds, boolean key, int width, int height, String mean, String quarters) {

    /** Reads the frame's pixels. */
    static FrameFacts of(VideoFrame frame) {
        int w = frame.width();
        int h = frame.height();
        ByteBuffer pixels = frame.pixels();
        String quarters = "["
                + mean(pixels, w, 0, 0, w / 2, h / 2) + "," + mean(pixels, w, w / 2, 0, w, h / 2) + ","
                + mean(pixels, w, 0, h / 2, w / 2, h) + "," + mean(pixels, w, w / 2, h / 2, w, h) + "]";
        return new FrameFacts(
                frame.index(), frame.pts(), frame.seconds(), frame.key(), w, h, mean(pixels, w, 0, 0, w, h), quarters);
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"index\":%d,\"pts\":%d,\"seconds\":%.6f,\"key\":%b,\"width\":%d,\"height\":%d,\"mean\":%s,\"quarters\":%s}",
                index,
                pts,
                seconds,
                key,
                width,
                height,
                mean,
                quarters);
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%6d  pts %10d  %10.4f s  %s  %dx%d  mean %s",
                index,
                pts,
                seconds,
                key ? "key" : "   ",
                width,
                height,
                mean);
    }

    private static String mean(ByteBuffer pixels, int width, int x0, int y0, int x1, int y1) {
        long red = 0;
        long green = 0;
        long blue = 0;
        for (int y = y0; y < y1; y++) {
            for (int at = 3 * (y * width + x0); at < 3 * (y * width + x1); at += 3) {
                red += pixels.get(at) & 0xFF;
                green += pixels.get(at + 1) & 0xFF;
                blue += pixels.get(at + 2) & 0xFF;
            }
        }
        double count = Math.max(1, (double) (x1 - x0) * (y1 - y0));
        return String.format(Locale.ROOT, "[%.3f,%.3f,%.3f]", red / count, green / count, blue / count);
    }
}
