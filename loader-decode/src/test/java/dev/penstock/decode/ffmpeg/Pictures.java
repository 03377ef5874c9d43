package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avcodec.*;
import static org.bytedeco.ffmpeg.global.avformat.*;
import static org.bytedeco.ffmpeg.global.avutil.*;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avcodec.AVPacketSideData;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVInputFormat;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;

/** Pictures for tests: made ones, and those of a clip decoded by a plain sequential loop. Freed by {@link #close}. */
final class Pictures implements AutoCloseable {

    final List<AVFrame> frames = new ArrayList<>();
    final List<Long> pts = new ArrayList<>();
    final List<Boolean> keys = new ArrayList<>();
    DisplayShape shape = DisplayShape.AS_CODED;
    int timeBaseNumerator;
    int timeBaseDenominator;

    /** The first {@code limit} pictures of a clip's best video stream, in order of showing. */
    static Pictures of(Path clip, int limit) {
        FfmpegLibrary.load();
        Pictures pictures = new Pictures();
        AVFormatContext format = new AVFormatContext(null);
        FfmpegErrors.check(
                avformat_open_input(format, clip.toString(), (AVInputFormat) null, (AVDictionary) null),
                "open " + clip);
        FfmpegErrors.check(avformat_find_stream_info(format, (AVDictionary) null), "probe " + clip);
        int best = FfmpegErrors.check(
                av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, (AVCodec) null, 0), "video of " + clip);
        AVStream stream = format.streams(best);
        pictures.timeBaseNumerator = stream.time_base().num();
        pictures.timeBaseDenominator = stream.time_base().den();
        pictures.shape = shape(stream);
        AVCodec codec = avcodec_find_decoder(stream.codecpar().codec_id());
        AVCodecContext decoder = avcodec_alloc_context3(codec);
        avcodec_parameters_to_context(decoder, stream.codecpar());
        decoder.thread_count(1);
        FfmpegErrors.check(avcodec_open2(decoder, codec, (AVDictionary) null), "decoder of " + clip);
        AVPacket packet = av_packet_alloc();
        while (pictures.frames.size() < limit && av_read_frame(format, packet) >= 0) {
            if (packet.stream_index() == best) {
                FfmpegErrors.check(avcodec_send_packet(decoder, packet), "decode " + clip);
                pictures.receive(decoder, limit);
            }
            av_packet_unref(packet);
        }
        if (pictures.frames.size() < limit) {
            avcodec_send_packet(decoder, null);
            pictures.receive(decoder, limit);
        }
        av_packet_free(packet);
        avcodec_free_context(decoder);
        avformat_close_input(format);
        return pictures;
    }

    private void receive(AVCodecContext decoder, int limit) {
        while (frames.size() < limit) {
            AVFrame frame = av_frame_alloc();
            if (avcodec_receive_frame(decoder, frame) < 0) {
                av_frame_free(frame);
                return;
            }
            frames.add(frame);
            pts.add(frame.best_effort_timestamp());
            keys.add((frame.flags() & AVFrame.AV_FRAME_FLAG_KEY) != 0);
        }
    }

    private static DisplayShape shape(AVStream stream) {
        Turn turn = Turn.UPRIGHT;
        for (int i = 0; i < stream.codecpar().nb_coded_side_data(); i++) {
            AVPacketSideData data = new AVPacketSideData(stream.codecpar().coded_side_data()).position(i);
            if (data.type() == AV_PKT_DATA_DISPLAYMATRIX) {
                int[] matrix = new int[9];
                new IntPointer(data.data()).get(matrix);
                turn = Turn.of(matrix);
            }
        }
        return new DisplayShape(
                turn,
                stream.codecpar().sample_aspect_ratio().num(),
                stream.codecpar().sample_aspect_ratio().den());
    }

    /** An empty picture with memory of its own. */
    static AVFrame blank(int format, int width, int height) {
        FfmpegLibrary.load();
        AVFrame frame = av_frame_alloc();
        frame.format(format).width(width).height(height);
        FfmpegErrors.check(av_frame_get_buffer(frame, 0), "picture of " + width + "x" + height);
        return frame;
    }

    /** 8-bit planar YUV of seeded noise over a gradient: sharp and smooth parts, all values. */
    static AVFrame noisy(int format, int width, int height, long seed) {
        AVFrame frame = blank(format, width, height);
        SplittableRandom random = new SplittableRandom(seed);
        for (int plane = 0; plane < 3; plane++) {
            BytePointer data = frame.data(plane);
            int stride = frame.linesize(plane);
            int rows = plane > 0 && (format == AV_PIX_FMT_YUV420P) ? (height + 1) / 2 : height;
            for (int y = 0; y < rows; y++) {
                for (int x = 0; x < stride; x++) {
                    int value = (x * 3 + y * 2 + plane * 80) / 2 % 220 + random.nextInt(32);
                    data.put((long) y * stride + x, (byte) value);
                }
            }
        }
        return frame;
    }

    static ByteBuffer target(int bytes) {
        return ByteBuffer.allocateDirect(bytes + 128)
                .alignedSlice(64)
                .slice(0, bytes)
                .order(ByteOrder.nativeOrder());
    }

    /** The picture as the transform makes it, in a buffer of just its size. */
    static byte[] scaled(Scaler scaler, AVFrame frame, DisplayShape shape, PictureTransform transform) {
        ByteBuffer target = target(transform.bytes());
        scaler.scale(frame, shape, transform, target, 0);
        byte[] bytes = new byte[transform.bytes()];
        target.get(0, bytes);
        return bytes;
    }

    @Override
    public void close() {
        frames.forEach(frame -> av_frame_free(frame));
        frames.clear();
    }
}
