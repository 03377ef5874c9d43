package dev.penstock.arrow.artifact;

import dev.penstock.decode.ClipSweep;
import dev.penstock.decode.ffmpeg.PictureTransform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Some frames of a clip as they were before encoding, spread over its length, kept to be compared with what can be read
 * back. One thread.
 */
final class Samples {
    private static final int MOST = 16;
    private static final long MOST_BYTES = 16L << 20;
    /** Stands for no difference at all. */
    private static final double EQUAL = 99.99;

    private final int frameBytes;
    private final List<byte[]> pictures = new ArrayList<>();
    private int[] frames = new int[0];

    Samples(int frameBytes) {
        this.frameBytes = frameBytes;
    }

    /** Chooses among {@code count} frames; the first and the last are always in. */
    void choose(int count) {
        int most = (int) Math.max(2, Math.min(MOST, MOST_BYTES / frameBytes));
        int n = Math.min(most, count);
        frames = IntStream.range(0, n)
                .map(i -> n == 1 ? 0 : (int) ((long) i * (count - 1) / (n - 1)))
                .toArray();
        pictures.clear();
    }

    /** Keeps a frame if it was chosen; frames come in order. */
    void keep(int frame, ByteBuffer pixels, int offset) {
        if (Arrays.binarySearch(frames, frame) >= 0) {
            byte[] copy = new byte[frameBytes];
            pixels.get(offset, copy);
            pictures.add(copy);
        }
    }

    /** Lowest PSNR of the chosen frames in dB, over R, G and B, rounded down to two decimals. */
    double compare(ClipSweep made, PictureTransform transform) throws IOException {
        double[] lowest = {EQUAL};
        int[] at = {0};
        made.read(transform, frames, (frame, pixels, offset) -> {
            lowest[0] = Math.min(lowest[0], psnr(pictures.get(at[0]++), pixels, offset));
        });
        return Math.floor(lowest[0] * 100) / 100;
    }

    private static double psnr(byte[] expected, ByteBuffer pixels, int offset) {
        long sum = 0;
        for (int i = 0; i < expected.length; i++) {
            int difference = (expected[i] & 0xFF) - (pixels.get(offset + i) & 0xFF);
            sum += (long) difference * difference;
        }
        return sum == 0 ? EQUAL : 10 * Math.log10(255.0 * 255.0 * expected.length / sum);
    }
}
