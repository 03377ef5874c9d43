package dev.penstock.decode.ffmpeg;

import dev.penstock.view.Size;
import java.util.ArrayList;
import java.util.List;

/**
 * How a clip is written. Immutable.
 *
 * @param codec codec
 * @param size size of every picture
 * @param quality 1 (smallest file) to 100 (best picture); maps to the encoder's own constant quantizer
 * @param keyFrameDistance a key frame at least every so many frames; 1 for key frames only
 * @param timeBaseNumerator with {@code timeBaseDenominator} the length of one tick of a pts, in seconds
 * @param timeBaseDenominator see {@code timeBaseNumerator}
 * @param frameRateNumerator with {@code frameRateDenominator} the nominal frames per second; times come from the pts
 * @param frameRateDenominator see {@code frameRateNumerator}
 * @param bt709 whether the matrix is BT.709, else BT.601; the file is tagged with it
 */
public record EncoderSettings(
        ClipCodec codec,
        Size size,
        int quality,
        int keyFrameDistance,
        int timeBaseNumerator,
        int timeBaseDenominator,
        int frameRateNumerator,
        int frameRateDenominator,
        boolean bt709) {

    private static final int SMALLEST_H264 = 16;
    private static final int SMALLEST_AV1 = 64;

    public EncoderSettings {
        List<String> wrong = new ArrayList<>();
        require(wrong, quality >= 1 && quality <= 100, "quality was " + quality + ", must be 1 to 100");
        require(wrong, keyFrameDistance >= 1, "keyFrameDistance was " + keyFrameDistance + ", must be at least 1");
        require(
                wrong,
                timeBaseNumerator >= 1 && timeBaseDenominator >= 1,
                "time base was " + timeBaseNumerator + "/" + timeBaseDenominator + ", both must be at least 1");
        require(
                wrong,
                frameRateNumerator >= 1 && frameRateDenominator >= 1 && frameRateNumerator <= 65535,
                "frame rate was " + frameRateNumerator + "/" + frameRateDenominator
                        + ", both must be at least 1, the first at most 65535");
        if (codec == ClipCodec.H264) {
            require(
                    wrong,
                    size.width() % 2 == 0
                            && size.height() % 2 == 0
                            && Math.min(size.width(), size.height()) >= SMALLEST_H264,
                    "size was " + size + ", H.264 (openh264) needs even sides of at least 16: choose another size, or"
                            + " VP9 or MJPEG");
        }
        if (codec == ClipCodec.AV1) {
            require(
                    wrong,
                    Math.min(size.width(), size.height()) >= SMALLEST_AV1,
                    "size was " + size + ", AV1 (SVT-AV1) needs sides of at least 64: choose another size, or VP9 or"
                            + " MJPEG");
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("encoder settings: " + String.join("; ", wrong));
        }
    }

    /**
     * Quality 75, a key frame every 30 frames, one tick a frame, BT.709 from 720 lines up.
     *
     * @param framesPerSecond nominal frame rate; the time base is its inverse
     */
    public static EncoderSettings of(ClipCodec codec, Size size, int framesPerSecond) {
        return new EncoderSettings(codec, size, 75, 30, 1, framesPerSecond, framesPerSecond, 1, size.height() >= 720);
    }

    /** The same with another quality, 1 to 100. */
    public EncoderSettings quality(int other) {
        return new EncoderSettings(
                codec,
                size,
                other,
                keyFrameDistance,
                timeBaseNumerator,
                timeBaseDenominator,
                frameRateNumerator,
                frameRateDenominator,
                bt709);
    }

    /** The same with a key frame at least every {@code frames} frames. */
    public EncoderSettings keyFrameDistance(int frames) {
        return new EncoderSettings(
                codec,
                size,
                quality,
                frames,
                timeBaseNumerator,
                timeBaseDenominator,
                frameRateNumerator,
                frameRateDenominator,
                bt709);
    }

    /** The same with pts in ticks of {@code numerator / denominator} seconds. */
    public EncoderSettings timeBase(int numerator, int denominator) {
        return new EncoderSettings(
                codec,
                size,
                quality,
                keyFrameDistance,
                numerator,
                denominator,
                frameRateNumerator,
                frameRateDenominator,
                bt709);
    }

    /** The same with the nominal frame rate {@code numerator / denominator}. */
    public EncoderSettings frameRate(int numerator, int denominator) {
        return new EncoderSettings(
                codec,
                size,
                quality,
                keyFrameDistance,
                timeBaseNumerator,
                timeBaseDenominator,
                numerator,
                denominator,
                bt709);
    }

    /** The same with the matrix BT.709, or else BT.601. */
    public EncoderSettings bt709(boolean yes) {
        return new EncoderSettings(
                codec,
                size,
                quality,
                keyFrameDistance,
                timeBaseNumerator,
                timeBaseDenominator,
                frameRateNumerator,
                frameRateDenominator,
                yes);
    }

    private static void require(List<String> wrong, boolean holds, String message) {
        if (!holds) {
            wrong.add(message);
        }
    }
}
