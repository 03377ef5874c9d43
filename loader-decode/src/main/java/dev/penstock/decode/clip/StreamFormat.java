package dev.penstock.decode.clip;

/**
 * What a decoder must know to open the stream, and what a scaler and a user want to know of its pictures. Immutable.
 *
 * @param codec FFmpeg's codec name: h264, hevc, vp9, ...
 * @param codecTag the container's four characters, or 0
 * @param extradata the codec's configuration
 * @param width coded picture's width in pixels, before rotation
 * @param height coded picture's height in pixels, before rotation
 * @param pixelFormat FFmpeg's pixel format name of the first frame, empty where it is not known
 * @param profile codec's profile number, FFmpeg's -99 where it is not known
 * @param level codec's level number, -99 where it is not known
 * @param bitsPerCodedSample the container's bits per pixel, or 0
 * @param colorRange 0 unspecified, 1 limited, 2 full
 * @param colorMatrix matrix coefficients, ISO/IEC 23091-2 code (2 unspecified, 1 BT.709, 5 and 6 BT.601, 9 BT.2020)
 * @param colorPrimaries ISO/IEC 23091-2 code
 * @param colorTransfer ISO/IEC 23091-2 code
 * @param sarNumerator sample aspect ratio, 0 where it is not known
 * @param sarDenominator sample aspect ratio
 * @param fieldOrder 0 unknown, 1 progressive, 2 to 5 interlaced (FFmpeg's tt, bb, tb, bt)
 * @param videoDelay frames that the container says the decoder holds back
 */
public record StreamFormat(
        String codec,
        int codecTag,
        CodecConfig extradata,
        int width,
        int height,
        String pixelFormat,
        int profile,
        int level,
        int bitsPerCodedSample,
        int colorRange,
        int colorMatrix,
        int colorPrimaries,
        int colorTransfer,
        int sarNumerator,
        int sarDenominator,
        int fieldOrder,
        int videoDelay) {

    /** Whether a decoder opened for one can decode the other after a flush. */
    public boolean sameDecoder(StreamFormat other) {
        return codec.equals(other.codec)
                && codecTag == other.codecTag
                && width == other.width
                && height == other.height
                && bitsPerCodedSample == other.bitsPerCodedSample
                && extradata.equals(other.extradata);
    }

    @Override
    public String toString() {
        return codec + " " + width + "x" + height + " " + pixelFormat;
    }
}
