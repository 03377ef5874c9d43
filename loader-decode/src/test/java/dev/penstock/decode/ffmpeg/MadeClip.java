package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avcodec.*;
import static org.bytedeco.ffmpeg.global.avformat.*;
import static org.bytedeco.ffmpeg.global.avutil.*;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVIOContext;
import org.bytedeco.ffmpeg.avformat.AVOutputFormat;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;

/**
 * An encoded stream in memory: any encoder and pixel format of this FFmpeg build, and any container of it, for clips
 * that the library's own encoder does not write.
 *
 * @param codec FFmpeg's number of the codec
 * @param tag its tag in the container, 0 for the container's choice
 * @param config its extradata
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record MadeClip(int codec, int tag, int pixelFormat, int width, int height, byte[] config, List<Packet> packets) {

    /** Times in 1/50 s; {@code config} is a new configuration that holds from here on, empty for none. */
    @SuppressWarnings("ArrayRecordComponent") // compared nowhere
    record Packet(byte[] bytes, long pts, long dts, int duration, boolean key, byte[] config) {}

    static MadeClip encode(String encoderName, Map<String, String> options, List<AVFrame> pictures) {
        FfmpegLibrary.load();
        AVCodec codec = avcodec_find_encoder_by_name(encoderName);
        AVCodecContext encoder = avcodec_alloc_context3(codec);
        AVFrame first = pictures.get(0);
        encoder.width(first.width())
                .height(first.height())
                .pix_fmt(first.format())
                .time_base(av_make_q(1, 25))
                .framerate(av_make_q(25, 1))
                .gop_size(8)
                .thread_count(1);
        boolean inBand = options.containsKey("in-band");
        encoder.flags(encoder.flags() | AV_CODEC_FLAG_BITEXACT | (inBand ? 0 : AV_CODEC_FLAG_GLOBAL_HEADER));
        AVDictionary dictionary = new AVDictionary(null);
        options.forEach((name, value) -> av_dict_set(dictionary, name, value, 0));
        FfmpegErrors.check(avcodec_open2(encoder, codec, dictionary), "encoder " + encoderName);
        av_dict_free(dictionary);
        List<Packet> packets = new ArrayList<>();
        for (int i = 0; i <= pictures.size(); i++) {
            AVFrame picture = i < pictures.size() ? pictures.get(i).pts(i) : null;
            FfmpegErrors.check(avcodec_send_frame(encoder, picture), "encode");
            receive(encoder, packets);
        }
        MadeClip clip = new MadeClip(
                codec.id(),
                encoder.codec_tag(),
                encoder.pix_fmt(),
                encoder.width(),
                encoder.height(),
                bytes(encoder.extradata(), encoder.extradata_size()),
                packets);
        avcodec_free_context(encoder);
        return clip;
    }

    private static void receive(AVCodecContext encoder, List<Packet> packets) {
        AVPacket packet = av_packet_alloc();
        while (avcodec_receive_packet(encoder, packet) >= 0) {
            packets.add(new Packet(
                    bytes(packet.data(), packet.size()),
                    2 * packet.pts(),
                    2 * packet.dts(),
                    2,
                    (packet.flags() & AV_PKT_FLAG_KEY) != 0,
                    new byte[0]));
            av_packet_unref(packet);
        }
        av_packet_free(packet);
    }

    private static byte[] bytes(BytePointer from, int size) {
        byte[] bytes = new byte[size];
        if (size > 0) {
            from.get(bytes);
        }
        return bytes;
    }

    /** This one, then the other, in one stream: the times go on. */
    MadeClip then(MadeClip other, boolean sayConfig) {
        List<Packet> all = new ArrayList<>(packets);
        for (int i = 0; i < other.packets.size(); i++) {
            Packet p = other.packets.get(i);
            byte[] change = i == 0 && sayConfig ? other.config : p.config;
            all.add(new Packet(
                    p.bytes, p.pts + 2L * packets.size(), p.dts + 2L * packets.size(), p.duration, p.key, change));
        }
        return new MadeClip(codec, tag, pixelFormat, width, height, config, all);
    }

    /** Writes it, 25 frames a second, in the container that the name's ending says. */
    Path write(Path file, Map<String, String> options) {
        AVFormatContext format = new AVFormatContext(null);
        FfmpegErrors.check(
                avformat_alloc_output_context2(format, (AVOutputFormat) null, (String) null, file.toString()), "muxer");
        format.flags(format.flags() | AVFormatContext.AVFMT_FLAG_BITEXACT);
        AVStream stream = avformat_new_stream(format, null);
        stream.time_base(av_make_q(1, 50));
        stream.avg_frame_rate(av_make_q(25, 1));
        stream.codecpar()
                .codec_type(AVMEDIA_TYPE_VIDEO)
                .codec_id(codec)
                .codec_tag(tag)
                .format(pixelFormat)
                .width(width)
                .height(height);
        if (config.length > 0) {
            BytePointer data = new BytePointer(av_mallocz((long) config.length + AV_INPUT_BUFFER_PADDING_SIZE));
            data.put(config, 0, config.length);
            stream.codecpar().extradata(data).extradata_size(config.length);
        }
        AVIOContext output = new AVIOContext(null);
        FfmpegErrors.check(avio_open(output, file.toString(), AVIO_FLAG_WRITE), "open " + file);
        format.pb(output);
        AVDictionary dictionary = new AVDictionary(null);
        options.forEach((name, value) -> av_dict_set(dictionary, name, value, 0));
        FfmpegErrors.check(avformat_write_header(format, dictionary), "header of " + file);
        av_dict_free(dictionary);
        for (Packet packet : packets) {
            write(format, stream, packet);
        }
        FfmpegErrors.check(av_write_trailer(format), "end of " + file);
        avio_closep(format.pb());
        format.pb(null);
        avformat_free_context(format);
        return file;
    }

    private static void write(AVFormatContext format, AVStream stream, Packet from) {
        AVPacket packet = av_packet_alloc();
        FfmpegErrors.check(av_new_packet(packet, from.bytes.length), "packet");
        packet.data().put(from.bytes, 0, from.bytes.length);
        if (from.config.length > 0) {
            BytePointer data = av_packet_new_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, from.config.length);
            data.put(from.config, 0, from.config.length);
        }
        packet.pts(from.pts).dts(from.dts).duration(from.duration).flags(from.key ? AV_PKT_FLAG_KEY : 0);
        av_packet_rescale_ts(packet, av_make_q(1, 50), stream.time_base());
        FfmpegErrors.check(av_write_frame(format, packet), "write");
        av_packet_free(packet);
    }
}
