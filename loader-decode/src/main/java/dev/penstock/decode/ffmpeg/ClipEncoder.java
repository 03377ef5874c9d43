package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avcodec.*;
import static org.bytedeco.ffmpeg.global.avutil.*;

import dev.penstock.view.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.jspecify.annotations.Nullable;

/**
 * Writes pictures as a clip with exactly the times that they are given.
 *
 * <p>Pictures come in order of time. The encoder itself sees a constant frame rate and reorders nothing; the container
 * carries the pts as they were given: any time base, uneven steps, a first pts above 0. A time that the container can't
 * hold exactly is refused, not rounded. Encoding runs on the caller's thread (SVT-AV1 adds its own); equal pictures give
 * equal files with the same natives on the same kind of processor.
 *
 * <p>The file appears whole, by an atomic rename, in {@link #finish()}; {@link #close()} before that leaves nothing
 * behind, so that a killed or failed run never leaves a half clip under the clip's name. One thread at a time.
 */
public final class ClipEncoder implements AutoCloseable {

    private final Path file;
    private final EncoderSettings settings;
    private final ClipMuxer muxer;
    private final AVCodecContext encoder;
    private final AVFrame picture;
    private final AVPacket packet;
    private final SourceFormat yuv;
    private final Planes from = new Planes();
    private final Planes to = new Planes();
    private final Map<Layout, SwsPass> passes = new EnumMap<>(Layout.class);

    /** Packets whose duration is not known yet: the next picture says it. */
    private final Deque<AVPacket> held = new ArrayDeque<>();

    private long[] pts = new long[256];
    private int count;
    private int written;
    private boolean closed;

    /**
     * Opens an encoder.
     *
     * @param file the clip; its extension names the container: mp4, mov, mkv or webm
     * @throws IOException when the file can't be written
     * @throws IllegalArgumentException when codec and container do not fit
     * @throws IllegalStateException when the encoder is not in these natives or refuses the settings
     */
    public ClipEncoder(Path file, EncoderSettings settings) throws IOException {
        FfmpegLibrary.load();
        this.file = file;
        this.settings = settings;
        AVCodec codec = avcodec_find_encoder_by_name(settings.codec().encoder);
        if (codec == null || codec.isNull()) {
            throw new IllegalStateException("clip " + file + ": these FFmpeg natives have no encoder "
                    + settings.codec().encoder + "; choose another codec");
        }
        muxer = new ClipMuxer(file, settings);
        encoder = avcodec_alloc_context3(codec);
        picture = av_frame_alloc();
        packet = av_packet_alloc();
        LiveNatives.opened();
        int matrix = settings.bt709() ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
        boolean full = settings.codec().pixelFormat == AV_PIX_FMT_YUVJ420P;
        yuv = new SourceFormat(AV_PIX_FMT_YUV420P, false, matrix, full, false);
        try {
            open(codec);
            muxer.start(encoder);
            picture.format(settings.codec().pixelFormat)
                    .width(settings.size().width())
                    .height(settings.size().height())
                    .colorspace(matrix)
                    .color_range(full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG);
            check(av_frame_get_buffer(picture, 0), "making a picture");
        } catch (RuntimeException | IOException e) {
            close();
            throw e;
        }
    }

    private void open(AVCodec codec) {
        encoder.width(settings.size().width())
                .height(settings.size().height())
                .pix_fmt(settings.codec().pixelFormat)
                .time_base(av_make_q(settings.frameRateDenominator(), settings.frameRateNumerator()))
                .framerate(av_make_q(settings.frameRateNumerator(), settings.frameRateDenominator()))
                .gop_size(settings.keyFrameDistance())
                .keyint_min(settings.keyFrameDistance())
                .max_b_frames(0)
                .thread_count(1)
                .slices(1)
                .color_range(yuv.full() ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG)
                .colorspace(yuv.matrix())
                .color_primaries(settings.bt709() ? AVCOL_PRI_BT709 : AVCOL_PRI_SMPTE170M)
                .color_trc(settings.bt709() ? AVCOL_TRC_BT709 : AVCOL_TRC_SMPTE170M);
        int globalHeader = muxer.wantsGlobalHeader() ? AV_CODEC_FLAG_GLOBAL_HEADER : 0;
        encoder.flags(encoder.flags() | AV_CODEC_FLAG_BITEXACT | globalHeader);
        AVDictionary options = new AVDictionary(null);
        settings.codec().options(settings.quality()).forEach((name, value) -> av_dict_set(options, name, value, 0));
        try {
            check(avcodec_open2(encoder, codec, options), "opening encoder " + settings.codec().encoder);
            if (av_dict_count(options) != 0) {
                throw new IllegalStateException(
                        "clip " + file + ": encoder " + settings.codec().encoder + " does not know its option "
                                + av_dict_iterate(options, null).key().getString());
            }
        } finally {
            av_dict_free(options);
        }
    }

    /**
     * Writes an RGB picture.
     *
     * @param time pts in ticks of the settings' time base: at least 0 and above the one before
     * @param pixels direct; uint8 R, G, B of the settings' size
     * @param offset the byte where the picture starts
     * @param layout {@link Layout#THWC} or {@link Layout#TCHW}, of the one picture
     */
    public void write(long time, ByteBuffer pixels, int offset, Layout layout) throws IOException {
        int width = settings.size().width();
        int height = settings.size().height();
        checkPicture(time, pixels, offset, 3L * width * height);
        long address = Aim.addressOf(pixels) + offset;
        if (layout == Layout.THWC) {
            from.packed(address, 3 * width);
        } else {
            from.rgb(address, (long) width * height, width);
        }
        check(av_frame_make_writable(picture), "making a picture");
        pass(layout).run(from, pictures());
        encode(time);
    }

    /**
     * Writes a YUV 4:2:0 picture in the matrix and range that the clip is tagged with: the Y plane, then U and V of half
     * the size (rounded up), all without padding.
     *
     * @param time pts in ticks of the settings' time base: at least 0 and above the one before
     * @param planes direct
     * @param offset the byte where the Y plane starts
     */
    public void writeYuv420(long time, ByteBuffer planes, int offset) throws IOException {
        int width = settings.size().width();
        int height = settings.size().height();
        int halfWidth = (width + 1) / 2;
        int halfHeight = (height + 1) / 2;
        checkPicture(time, planes, offset, (long) width * height + 2L * halfWidth * halfHeight);
        check(av_frame_make_writable(picture), "making a picture");
        Planes target = pictures();
        long address = Aim.addressOf(planes) + offset;
        for (int plane = 0; plane < 3; plane++) {
            int planeWidth = plane == 0 ? width : halfWidth;
            int planeHeight = plane == 0 ? height : halfHeight;
            av_image_copy_plane(
                    new Aim().at(target.address(plane)),
                    target.stride(plane),
                    new Aim().at(address),
                    planeWidth,
                    planeWidth,
                    planeHeight);
            address += (long) planeWidth * planeHeight;
        }
        encode(time);
    }

    private void checkPicture(long time, ByteBuffer pixels, int offset, long bytes) {
        if (closed) {
            throw new IllegalStateException("clip " + file + " is closed");
        }
        if (offset < 0 || offset > pixels.limit() - bytes) {
            throw new IndexOutOfBoundsException(
                    "a picture of " + bytes + " bytes at byte " + offset + " of " + pixels.limit());
        }
        if (time < 0 || (count > 0 && time <= pts[count - 1])) {
            throw new IllegalArgumentException("clip " + file + ": frame " + count + " has pts " + time
                    + ", must be at least 0 and above the one before"
                    + (count > 0 ? " (" + pts[count - 1] + ")" : "; shift the times"));
        }
    }

    private SwsPass pass(Layout layout) {
        return passes.computeIfAbsent(
                layout,
                l -> SwsPass.encoding(
                        settings.size().width(),
                        settings.size().height(),
                        SourceFormat.rgb(l == Layout.THWC ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_GBRP),
                        yuv));
    }

    private Planes pictures() {
        for (int plane = 0; plane < 4; plane++) {
            var data = picture.data(plane);
            to.set(plane, data == null ? 0 : data.address(), picture.linesize(plane));
        }
        return to;
    }

    private void encode(long time) throws IOException {
        if (count == pts.length) {
            pts = Arrays.copyOf(pts, 2 * count);
        }
        pts[count] = time;
        picture.pts(count);
        boolean key = count % settings.keyFrameDistance() == 0;
        picture.pict_type(key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE);
        count++;
        check(avcodec_send_frame(encoder, picture), "encoding the frame at pts " + time);
        receive();
        writeHeld(count - 1);
    }

    private void receive() {
        while (true) {
            int code = avcodec_receive_packet(encoder, packet);
            if (code == AVERROR_EAGAIN() || code == AVERROR_EOF()) {
                return;
            }
            check(code, "encoding");
            held.add(av_packet_clone(packet));
            av_packet_unref(packet);
        }
    }

    /** Writes the held packets of pictures before {@code end}. */
    private void writeHeld(int end) throws IOException {
        for (AVPacket next = held.peek(); next != null && next.pts() < end; next = held.peek()) {
            int index = (int) next.pts();
            if (index != written) {
                throw new IllegalStateException("clip " + file + ": encoder " + settings.codec().encoder
                        + " gave frame " + index + " where " + written + " was due; please report this");
            }
            muxer.write(next, pts[index], duration(index));
            written++;
            av_packet_free(held.remove());
        }
    }

    /** Until the next picture; the last one stays as long as the one before it, or one nominal frame. */
    private long duration(int index) {
        if (index + 1 < count) {
            return pts[index + 1] - pts[index];
        }
        if (index > 0) {
            return pts[index] - pts[index - 1];
        }
        double ticks = (double) settings.frameRateDenominator()
                * settings.timeBaseDenominator()
                / ((double) settings.frameRateNumerator() * settings.timeBaseNumerator());
        return Math.max(1, Math.round(ticks));
    }

    /**
     * Encodes what is pending and puts the clip in its place.
     *
     * @throws IllegalStateException when no picture was written
     */
    public void finish() throws IOException {
        if (closed) {
            throw new IllegalStateException("clip " + file + " is closed");
        }
        if (count == 0) {
            throw new IllegalStateException("clip " + file + ": no picture was written");
        }
        check(avcodec_send_frame(encoder, (@Nullable AVFrame) null), "ending the stream");
        receive();
        writeHeld(count);
        if (written != count) {
            throw new IllegalStateException("clip " + file + ": encoder " + settings.codec().encoder + " gave "
                    + written + " of " + count + " frames; please report this");
        }
        muxer.finish();
        close();
    }

    /** Pictures written so far. */
    public int frames() {
        return count;
    }

    private void check(int code, String doing) {
        FfmpegErrors.check(code, "clip " + file + ": " + doing);
    }

    /** Frees everything; without {@link #finish()} the clip is discarded. Idempotent. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        LiveNatives.closed();
        held.forEach(held -> av_packet_free(held));
        held.clear();
        av_packet_free(packet);
        av_frame_free(picture);
        avcodec_free_context(encoder);
        passes.values().forEach(SwsPass::close);
        muxer.close();
        FfmpegLog.drain();
    }
}
