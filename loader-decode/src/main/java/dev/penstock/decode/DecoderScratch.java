package dev.penstock.decode;

import dev.penstock.decode.clip.StreamFormat;
import dev.penstock.decode.ffmpeg.FrameDecoder;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much native memory one decoder may hold: the reference frames of its open codec contexts, one context for each
 * kind of stream up to the decoder's limit, and a fixed part for packets and the scaler. An estimate from above, for the
 * memory check.
 */
final class DecoderScratch {
    private static final long FIXED = 8L << 20;
    /** The frame being decoded, the one handed out, and one in the buffer pool. */
    private static final int BESIDE_REFERENCES = 3;

    /** Largest decoded picture buffer in macroblocks by level × 10; ITU-T H.264 table A-1, MaxDpbMbs. */
    private static final int[][] H264_BUFFER = {
        {10, 396},
        {11, 900},
        {20, 2376},
        {21, 4752},
        {30, 8100},
        {31, 18000},
        {32, 20480},
        {41, 32768},
        {42, 34816},
        {50, 110400},
        {52, 184320},
        {62, 696320}
    };

    private DecoderScratch() {}

    static long of(List<ClipFile> files) {
        Set<StreamFormat> kinds = new HashSet<>();
        files.forEach(file -> kinds.add(file.index().format()));
        return FIXED
                + kinds.stream()
                        .map(DecoderScratch::contextBytes)
                        .sorted(Comparator.reverseOrder())
                        .limit(FrameDecoder.DEFAULT_CONTEXTS)
                        .mapToLong(Long::longValue)
                        .sum();
    }

    private static long contextBytes(StreamFormat format) {
        return frameBytes(format) * (references(format) + BESIDE_REFERENCES);
    }

    /** A decoded frame with the decoder's edges. */
    private static long frameBytes(StreamFormat format) {
        long pixels = (format.width() + 64L) * (format.height() + 64L);
        String name = format.pixelFormat();
        long samples = name.contains("444") ? pixels * 3 : name.contains("422") ? pixels * 2 : pixels * 3 / 2;
        boolean deep = name.contains("10") || name.contains("12") || name.contains("16");
        return deep ? samples * 2 : samples;
    }

    private static int references(StreamFormat format) {
        return switch (format.codec()) {
            case "h264" -> h264References(format);
            case "hevc" -> 16;
            case "vp9", "av1" -> 8;
            case "mjpeg", "prores", "png", "webp" -> 1;
            default -> 4;
        };
    }

    private static int h264References(StreamFormat format) {
        int macroblocks = Math.max(1, ((format.width() + 15) / 16) * ((format.height() + 15) / 16));
        for (int[] level : H264_BUFFER) {
            if (format.level() > 0 && format.level() <= level[0]) {
                return Math.max(1, Math.min(16, level[1] / macroblocks));
            }
        }
        return 16;
    }
}
