package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avutil.*;
import static org.bytedeco.ffmpeg.global.swscale.sws_isSupportedInput;

import dev.penstock.view.ColourRule;
import org.bytedeco.ffmpeg.avutil.AVPixFmtDescriptor;

/**
 * How the numbers of a decoded picture are to be read: pixel format, matrix, range.
 *
 * <p>Matrix and range come from the picture's own tags. An untagged matrix is BT.601 or as the rule says; an untagged
 * range is limited, as FFmpeg's tools take it. The old yuvj formats mean full range by name. RGB has neither. Untagged
 * grey pictures are full range (as FFmpeg has it); grey tagged limited is read as YUV without colour, because swscale
 * takes every grey format for full range.
 *
 * @param format FFmpeg's pixel format, without the yuvj twins
 * @param greyAsYuv whether the picture is grey and {@code format} is the YUV 4:2:0 format of its depth: chroma planes
 *     of the middle value are to be supplied
 * @param matrix an AVColorSpace
 * @param full whether the range is full
 */
record SourceFormat(int format, boolean greyAsYuv, int matrix, boolean full, boolean rgb) {

    private static final int HD_LINES = 720;

    /** An RGB format: values as they are. */
    static SourceFormat rgb(int format) {
        return new SourceFormat(format, false, AVCOL_SPC_SMPTE170M, true, true);
    }

    static SourceFormat of(int format, int colourSpace, int colourRange, int height, ColourRule rule) {
        AVPixFmtDescriptor descriptor = av_pix_fmt_desc_get(format);
        if (descriptor == null || sws_isSupportedInput(format) == 0) {
            throw new IllegalArgumentException("pictures of pixel format " + name(format)
                    + " can't be converted to RGB; re-encode the clip, for instance as yuv420p");
        }
        boolean rgb = (descriptor.flags() & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
        if (rgb) {
            return rgb(format);
        }
        int matrix = matrix(colourSpace, height, rule);
        if (descriptor.nb_components() < 3) {
            int yuv = colourRange == AVCOL_RANGE_MPEG ? yuvOfGrey(format) : AV_PIX_FMT_NONE;
            return yuv == AV_PIX_FMT_NONE
                    ? new SourceFormat(format, false, matrix, true, false)
                    : new SourceFormat(yuv, true, matrix, false, false);
        }
        int plain = withoutJ(format);
        return new SourceFormat(plain, false, matrix, plain != format || colourRange == AVCOL_RANGE_JPEG, false);
    }

    private static int matrix(int colourSpace, int height, ColourRule rule) {
        return switch (colourSpace) {
            case AVCOL_SPC_BT709,
                    AVCOL_SPC_FCC,
                    AVCOL_SPC_BT470BG,
                    AVCOL_SPC_SMPTE170M,
                    AVCOL_SPC_SMPTE240M,
                    AVCOL_SPC_BT2020_NCL,
                    AVCOL_SPC_BT2020_CL -> colourSpace;
            case AVCOL_SPC_RGB, AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RESERVED ->
                rule == ColourRule.BT709_FROM_720 && height >= HD_LINES ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
            default ->
                throw new IllegalArgumentException("pictures of colour space " + colourSpace
                        + " (an AVColorSpace number) can't be converted to RGB exactly; re-encode the clip as bt709");
        };
    }

    private static int withoutJ(int format) {
        return switch (format) {
            case AV_PIX_FMT_YUVJ420P -> AV_PIX_FMT_YUV420P;
            case AV_PIX_FMT_YUVJ422P -> AV_PIX_FMT_YUV422P;
            case AV_PIX_FMT_YUVJ444P -> AV_PIX_FMT_YUV444P;
            case AV_PIX_FMT_YUVJ440P -> AV_PIX_FMT_YUV440P;
            case AV_PIX_FMT_YUVJ411P -> AV_PIX_FMT_YUV411P;
            default -> format;
        };
    }

    private static int yuvOfGrey(int format) {
        if (format == AV_PIX_FMT_GRAY8) {
            return AV_PIX_FMT_YUV420P;
        }
        if (format == AV_PIX_FMT_GRAY10LE) {
            return AV_PIX_FMT_YUV420P10LE;
        }
        return format == AV_PIX_FMT_GRAY12LE ? AV_PIX_FMT_YUV420P12LE : AV_PIX_FMT_NONE;
    }

    static String name(int format) {
        var name = av_get_pix_fmt_name(format);
        return name == null ? "number " + format : name.getString();
    }
}
