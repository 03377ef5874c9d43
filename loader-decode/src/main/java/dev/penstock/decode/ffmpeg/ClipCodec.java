package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avcodec.*;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_YUV420P;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_YUVJ420P;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A codec that clips are written in, with the encoder of FFmpeg's LGPL build that does it. All are set to one thread, no
 * reordering, constant quality and no key frames of their own choice where the encoder can be told so, so that equal
 * pictures give equal files.
 */
public enum ClipCodec {
    /** openh264, constrained baseline (the fastest to decode). Sides must be even and at least 16. */
    H264("libopenh264", AV_CODEC_ID_H264, AV_PIX_FMT_YUV420P) {
        @Override
        Map<String, String> options(int quality) {
            String quantizer = Integer.toString(scale(quality, 46, 10));
            // Quality mode between equal limits is openh264's constant quantizer.
            return set("rc_mode", "quality", "qmin", quantizer, "qmax", quantizer, "b", HIGH_BITRATE);
        }
    },
    /** SVT-AV1, preset 8. Sides must be at least 64. */
    AV1("libsvtav1", AV_CODEC_ID_AV1, AV_PIX_FMT_YUV420P) {
        @Override
        Map<String, String> options(int quality) {
            String quantizer = Integer.toString(scale(quality, 60, 10));
            return set("preset", "8", "crf", quantizer, "svtav1-params", "lp=1:scd=0");
        }
    },
    /** libvpx. */
    VP9("libvpx-vp9", AV_CODEC_ID_VP9, AV_PIX_FMT_YUV420P) {
        @Override
        Map<String, String> options(int quality) {
            return vpx(quality);
        }
    },
    /** libvpx. */
    VP8("libvpx", AV_CODEC_ID_VP8, AV_PIX_FMT_YUV420P) {
        @Override
        Map<String, String> options(int quality) {
            return vpx(quality);
        }
    },
    /** JPEG pictures: every frame is a key frame. Full range. */
    MJPEG("mjpeg", AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P) {
        @Override
        Map<String, String> options(int quality) {
            String quantizer = Integer.toString(scale(quality, 31, 2));
            return set("qmin", quantizer, "qmax", quantizer, "huffman", "optimal");
        }
    },
    /** MPEG-4 part 2, in every build of FFmpeg. */
    MPEG4("mpeg4", AV_CODEC_ID_MPEG4, AV_PIX_FMT_YUV420P) {
        @Override
        Map<String, String> options(int quality) {
            String quantizer = Integer.toString(scale(quality, 31, 2));
            return set("qmin", quantizer, "qmax", quantizer);
        }
    };

    private static final String HIGH_BITRATE = "50000000";

    final String encoder;
    final int id;
    final int pixelFormat;

    ClipCodec(String encoder, int id, int pixelFormat) {
        this.encoder = encoder;
        this.id = id;
        this.pixelFormat = pixelFormat;
    }

    /** The encoder's options for a quality of 1 to 100. */
    abstract Map<String, String> options(int quality);

    static Map<String, String> vpx(int quality) {
        String quantizer = Integer.toString(scale(quality, 60, 4));
        return set(
                "qmin",
                quantizer,
                "qmax",
                quantizer,
                "b",
                HIGH_BITRATE,
                "deadline",
                "good",
                "cpu-used",
                "4",
                "lag-in-frames",
                "0",
                "auto-alt-ref",
                "0");
    }

    static int scale(int quality, int worst, int best) {
        return Math.round(worst + (best - worst) * (quality - 1) / 99f);
    }

    static Map<String, String> set(String... namesAndValues) {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            options.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return options;
    }
}
