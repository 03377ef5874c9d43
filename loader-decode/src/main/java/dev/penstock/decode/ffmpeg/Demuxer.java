package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avcodec.AVDISCARD_ALL;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avformat.av_find_best_stream;
import static org.bytedeco.ffmpeg.global.avformat.av_read_frame;
import static org.bytedeco.ffmpeg.global.avformat.avformat_alloc_context;
import static org.bytedeco.ffmpeg.global.avformat.avformat_close_input;
import static org.bytedeco.ffmpeg.global.avformat.avformat_find_stream_info;
import static org.bytedeco.ffmpeg.global.avformat.avformat_open_input;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EOF;
import static org.bytedeco.ffmpeg.global.avutil.AVMEDIA_TYPE_VIDEO;
import static org.bytedeco.ffmpeg.global.avutil.av_dict_free;
import static org.bytedeco.ffmpeg.global.avutil.av_dict_set;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import java.io.IOException;
import java.net.URI;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVInputFormat;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.jspecify.annotations.Nullable;

/**
 * One video stream's packets, in decode order, from a container's bytes. Owned by one thread; {@link #close} frees
 * everything, and closes the source.
 *
 * <p>Only ordinary containers are opened: formats that name other files (playlists, image sequences) are not on the
 * list, and no protocol is ever used.
 */
final class Demuxer implements AutoCloseable {
    /** Formats that carry their packets' exact times and flags, so that no parser is needed. */
    private static final String MP4 = "mov,mp4,m4a,3gp,3g2,mj2";

    private static final String FORMATS = MP4 + ",matroska,webm,avi,mpegts,mpeg,flv,ivf,obu,h264,hevc,mjpeg,asf,ogg";
    /** AVFMT_FLAG_NOPARSE and AVFMT_FLAG_NOFILLIN. */
    private static final int RAW_PACKETS = 0x0020 | 0x0010;

    private static final int BAD_READS_IN_A_ROW = 64;

    private final URI uri;
    private final ByteSource source;
    private final Avio avio;
    private final AVFormatContext context;
    private final AVPacket packet;
    private AVStream stream = new AVStream(null);
    private int streamIndex = -1;
    private @Nullable String damage;

    private Demuxer(URI uri, ByteSource source) {
        this.uri = uri;
        this.source = source;
        this.avio = new Avio(source);
        this.context = avformat_alloc_context();
        this.packet = av_packet_alloc();
        LiveNatives.opened();
    }

    /**
     * Opens the container and chooses a stream. Takes the source over: a failure closes it.
     *
     * @param wantedStream the stream's number, or -1 for FFmpeg's best
     * @param headersOnly whether payload reads as zeros, so that nothing may look into it
     */
    static Demuxer open(URI uri, ByteSource source, int wantedStream, boolean headersOnly) throws IOException {
        FfmpegLibrary.load();
        Demuxer demuxer = new Demuxer(uri, source);
        try {
            demuxer.openInput();
            demuxer.readHeaders(headersOnly);
            demuxer.choose(wantedStream);
            return demuxer;
        } catch (IOException | RuntimeException e) {
            demuxer.close();
            throw e;
        }
    }

    private void openInput() throws IOException {
        context.pb(avio.context());
        AVDictionary options = new AVDictionary(null);
        av_dict_set(options, "format_whitelist", FORMATS, 0);
        av_dict_set(options, "protocol_whitelist", "none", 0);
        int opened = avformat_open_input(context, (String) null, (AVInputFormat) null, options);
        av_dict_free(options);
        if (opened < 0) {
            rethrowReadFailure();
            throw new ClipException(
                    Kind.NOT_MEDIA,
                    uri,
                    "no known video container or picture could be read from its " + source.size() + " bytes: "
                            + FfmpegErrors.text(opened)
                            + "; check that the file is complete and is mp4, mov, mkv, webm, avi, ts, jpeg, png or webp");
        }
    }

    private void readHeaders(boolean headersOnly) throws IOException {
        if (isMp4()) {
            context.flags(context.flags() | RAW_PACKETS);
        }
        if (headersOnly || (isMp4() && videoIsDescribed())) {
            return;
        }
        int found = avformat_find_stream_info(context, (AVDictionary) null);
        if (found < 0) {
            rethrowReadFailure();
            throw new ClipException(
                    Kind.DAMAGED, uri, "its streams could not be identified: " + FfmpegErrors.text(found));
        }
    }

    private boolean videoIsDescribed() {
        for (int i = 0; i < context.nb_streams(); i++) {
            var parameters = context.streams(i).codecpar();
            if (parameters.codec_type() == AVMEDIA_TYPE_VIDEO
                    && (parameters.width() <= 0 || parameters.height() <= 0 || parameters.codec_id() == 0)) {
                return false;
            }
        }
        return true;
    }

    private void choose(int wantedStream) throws ClipException {
        int chosen = wantedStream;
        if (wantedStream < 0) {
            chosen = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, (AVCodec) null, 0);
        }
        if (chosen < 0 || chosen >= context.nb_streams()) {
            throw new ClipException(
                    Kind.NO_VIDEO,
                    uri,
                    (wantedStream < 0 ? "it has no video stream" : "it has no stream " + wantedStream)
                            + "; its streams are " + streamList());
        }
        if (context.streams(chosen).codecpar().codec_type() != AVMEDIA_TYPE_VIDEO) {
            throw new ClipException(
                    Kind.NO_VIDEO, uri, "stream " + chosen + " is not video; its streams are " + streamList());
        }
        for (int i = 0; i < context.nb_streams(); i++) {
            if (i != chosen) {
                context.streams(i).discard(AVDISCARD_ALL);
            }
        }
        streamIndex = chosen;
        stream = context.streams(chosen);
    }

    private String streamList() {
        StringBuilder list = new StringBuilder("[");
        for (int i = 0; i < context.nb_streams(); i++) {
            var parameters = context.streams(i).codecpar();
            var type = org.bytedeco.ffmpeg.global.avutil.av_get_media_type_string(parameters.codec_type());
            list.append(i == 0 ? "" : ", ")
                    .append(i)
                    .append(": ")
                    .append(type == null ? "unknown" : type.getString())
                    .append(' ')
                    .append(org.bytedeco
                            .ffmpeg
                            .global
                            .avcodec
                            .avcodec_get_name(parameters.codec_id())
                            .getString());
        }
        return list.append(']').toString();
    }

    /** The next packet of the stream, valid until the next call; null at the end. */
    @Nullable
    AVPacket next() throws IOException {
        for (int bad = 0; bad < BAD_READS_IN_A_ROW; ) {
            av_packet_unref(packet);
            int read = av_read_frame(context, packet);
            if (read >= 0) {
                if (packet.stream_index() == streamIndex) {
                    return packet;
                }
                continue;
            }
            rethrowReadFailure();
            if (read == AVERROR_EOF) {
                return null;
            }
            damage = FfmpegErrors.text(read);
            bad++;
        }
        return null;
    }

    private void rethrowReadFailure() throws IOException {
        IOException failure = avio.failure();
        if (failure != null) {
            throw failure;
        }
    }

    /** The last error that reading met and passed over, or null. */
    @Nullable
    String damage() {
        return damage;
    }

    AVStream stream() {
        return stream;
    }

    int streamIndex() {
        return streamIndex;
    }

    /** FFmpeg's name of the format. */
    String container() {
        return context.iformat().name().getString();
    }

    boolean isMp4() {
        return container().equals(MP4);
    }

    @Override
    public void close() {
        LiveNatives.closed();
        av_packet_unref(packet);
        av_packet_free(packet);
        avformat_close_input(context);
        avio.close();
        source.close();
    }
}
