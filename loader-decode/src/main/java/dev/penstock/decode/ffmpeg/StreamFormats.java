package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_DATA_DISPLAYMATRIX;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_side_data_get;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_get_name;
import static org.bytedeco.ffmpeg.global.avutil.av_get_pix_fmt_name;

import dev.penstock.decode.clip.CodecConfig;
import dev.penstock.decode.clip.StreamFormat;
import org.bytedeco.ffmpeg.avcodec.AVCodecParameters;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;

/** Copies what FFmpeg says of a stream into plain data. */
final class StreamFormats {
    private static final int UNSPECIFIED = 2;

    private StreamFormats() {}

    static StreamFormat of(AVCodecParameters p) {
        return new StreamFormat(
                avcodec_get_name(p.codec_id()).getString(),
                p.codec_tag(),
                extradata(p),
                p.width(),
                p.height(),
                pixelFormat(p.format()),
                p.profile(),
                p.level(),
                p.bits_per_coded_sample(),
                p.color_range(),
                p.color_space(),
                p.color_primaries(),
                p.color_trc(),
                p.sample_aspect_ratio().num(),
                p.sample_aspect_ratio().den(),
                p.field_order(),
                Math.max(0, p.video_delay()));
    }

    private static CodecConfig extradata(AVCodecParameters p) {
        return p.extradata() == null ? CodecConfig.NONE : config(p.extradata(), p.extradata_size());
    }

    static CodecConfig config(BytePointer data, int size) {
        byte[] bytes = new byte[size];
        new BytePointer(data).capacity(size).get(bytes);
        return CodecConfig.of(bytes);
    }

    static String pixelFormat(int format) {
        BytePointer name = format < 0 ? null : av_get_pix_fmt_name(format);
        return name == null ? "" : name.getString();
    }

    /** The format with what a decoded frame tells better than the container. */
    static StreamFormat refined(StreamFormat f, AVFrame frame) {
        boolean frameHasSar = frame.sample_aspect_ratio().num() > 0;
        boolean containerHasSar = f.sarNumerator() > 0;
        boolean interlaced = (frame.flags() & AVFrame.AV_FRAME_FLAG_INTERLACED) != 0;
        boolean topFirst = (frame.flags() & AVFrame.AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
        int fieldOrder = interlaced ? (topFirst ? 2 : 3) : Math.max(1, f.fieldOrder());
        return new StreamFormat(
                f.codec(),
                f.codecTag(),
                f.extradata(),
                frame.width(),
                frame.height(),
                pixelFormat(frame.format()),
                f.profile(),
                f.level(),
                f.bitsPerCodedSample(),
                frame.color_range() != 0 ? frame.color_range() : f.colorRange(),
                known(frame.colorspace(), f.colorMatrix()),
                known(frame.color_primaries(), f.colorPrimaries()),
                known(frame.color_trc(), f.colorTransfer()),
                !containerHasSar && frameHasSar ? frame.sample_aspect_ratio().num() : f.sarNumerator(),
                !containerHasSar && frameHasSar ? frame.sample_aspect_ratio().den() : f.sarDenominator(),
                fieldOrder,
                f.videoDelay());
    }

    /** The same format with another delay of the decoder. */
    static StreamFormat withDelay(StreamFormat f, int delay) {
        return new StreamFormat(
                f.codec(),
                f.codecTag(),
                f.extradata(),
                f.width(),
                f.height(),
                f.pixelFormat(),
                f.profile(),
                f.level(),
                f.bitsPerCodedSample(),
                f.colorRange(),
                f.colorMatrix(),
                f.colorPrimaries(),
                f.colorTransfer(),
                f.sarNumerator(),
                f.sarDenominator(),
                f.fieldOrder(),
                delay);
    }

    private static int known(int frame, int container) {
        return frame != UNSPECIFIED ? frame : container;
    }

    /** The display matrix, or null; nine 16.16 and 2.30 fixed-point numbers (ISO/IEC 14496-12 8.3.2). */
    static int @org.jspecify.annotations.Nullable [] displayMatrix(AVCodecParameters p) {
        if (p.nb_coded_side_data() == 0) {
            return null;
        }
        var side = av_packet_side_data_get(p.coded_side_data(), p.nb_coded_side_data(), AV_PKT_DATA_DISPLAYMATRIX);
        if (side == null || side.size() < 36) {
            return null;
        }
        int[] matrix = new int[9];
        new IntPointer(side.data()).get(matrix);
        return matrix;
    }
}
