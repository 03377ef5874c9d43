package dev.penstock.bench.jmh;

import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_unref;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_find_decoder;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_flush_buffers;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_open2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_parameters_to_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_receive_frame;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_send_packet;
import static org.bytedeco.ffmpeg.global.avformat.AVSEEK_FLAG_BACKWARD;
import static org.bytedeco.ffmpeg.global.avformat.av_read_frame;
import static org.bytedeco.ffmpeg.global.avformat.av_seek_frame;
import static org.bytedeco.ffmpeg.global.avformat.avformat_close_input;
import static org.bytedeco.ffmpeg.global.avformat.avformat_find_stream_info;
import static org.bytedeco.ffmpeg.global.avformat.avformat_open_input;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_RGB24;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;
import static org.bytedeco.ffmpeg.global.swscale.SWS_BILINEAR;
import static org.bytedeco.ffmpeg.global.swscale.sws_freeContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_getContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_scale;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.decode.ffmpeg.ClipIndexer;
import dev.penstock.decode.ffmpeg.DisplayShape;
import dev.penstock.decode.ffmpeg.PictureTransform;
import dev.penstock.decode.ffmpeg.SlotDecoder;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avformat.AVFormatContext;
import org.bytedeco.ffmpeg.avformat.AVStream;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.swscale.SwsContext;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacv.FFmpegFrameGrabber;
import org.bytedeco.javacv.Frame;

/** The contenders: three ways to read a window of one clip as 224×224 RGB bytes. Each is for one thread. */
final class WindowReaders {
    private static final int SIDE = 224;

    private WindowReaders() {}

    /** Reads windows of one clip. */
    interface WindowReader extends AutoCloseable {
        /** Reads frames first, first + stride, … ; returns a byte of each, so that nothing is left undone. */
        int read(int first, int stride, int count) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Ours: index once, ranges into memory, packets from memory, scaled into the slot. One decoder for all clips. */
    static final class Penstock implements AutoCloseable {
        private final SlotDecoder decoder = new SlotDecoder(DecodeLimits.DEFAULT);
        private final PictureTransform transform;
        private final WindowPlan plan;
        private ByteBuffer bytes = ByteBuffer.allocateDirect(8 << 20);
        private final ByteBuffer slot;

        Penstock(Layout layout, boolean dropping) {
            this(layout, dropping, WindowPlan.Ending.DRAIN);
        }

        /** {@code ending} CONTINUE for windows that follow one another. */
        Penstock(Layout layout, boolean dropping, WindowPlan.Ending ending) {
            transform = PictureTransform.of(Size.of(SIDE, SIDE), layout);
            plan = new WindowPlan().dropping(dropping).ending(ending);
            slot = ByteBuffer.allocateDirect(64 * transform.bytes() + 64)
                    .alignedSlice(64)
                    .order(ByteOrder.nativeOrder());
        }

        WindowReader open(Path clip) throws IOException {
            Blob blob = BlobStores.of(clip.toUri()).open(clip.toUri());
            ClipIndex index = new ClipIndexer().index(blob);
            DisplayShape shape = DisplayShape.of(index);
            int[] wanted = new int[64];
            return new WindowReader() {
                @Override
                public int read(int first, int stride, int count) throws IOException {
                    int frames = 0;
                    for (int i = 0; i < count && first + i * stride < index.frameCount(); i++) {
                        wanted[frames++] = first + i * stride;
                    }
                    int resume = plan.ending() == WindowPlan.Ending.CONTINUE ? decoder.resumePacket(index) : -1;
                    plan.planFrom(index, wanted, 0, frames, resume);
                    decoder.decode(
                            index,
                            plan,
                            fetch(blob),
                            blob,
                            shape,
                            (ordinal, picture) -> picture.writeTo(transform, slot, ordinal * transform.bytes()));
                    return frames;
                }

                @Override
                public void close() {
                    blob.close();
                }
            };
        }

        private ByteBuffer fetch(Blob blob) throws IOException {
            if (bytes.capacity() < plan.byteCount()) {
                bytes = ByteBuffer.allocateDirect((int) plan.byteCount());
            }
            return plan.read(blob, bytes);
        }

        @Override
        public void close() {
            decoder.close();
        }
    }

    /** FFmpeg driven by hand: seek to the key before, decode every packet, scale what is wanted to RGB24. */
    static final class Bare implements WindowReader {
        private final AVFormatContext format = new AVFormatContext(null);
        private final AVCodecContext codec;
        private final AVStream stream;
        private final AVPacket packet = av_packet_alloc();
        private final AVFrame frame = av_frame_alloc();
        private final PointerPointer<BytePointer> target = new PointerPointer<>(4);
        private final IntPointer strides = new IntPointer(3 * SIDE, 0, 0, 0);
        private final BytePointer pixels = new BytePointer(3L * SIDE * SIDE + 64);
        private final SwsContext scaler;
        private final ClipIndex index;
        /** The frame after the last one read; a window that starts there needs no seek. */
        private int at = -1;

        Bare(Path clip) throws IOException {
            try (Blob blob = BlobStores.of(clip.toUri()).open(clip.toUri())) {
                index = new ClipIndexer().index(blob);
            }
            check(avformat_open_input(format, clip.toString(), null, null), clip);
            check(avformat_find_stream_info(format, (AVDictionary) null), clip);
            stream = format.streams(0);
            codec = avcodec_alloc_context3(null);
            check(avcodec_parameters_to_context(codec, stream.codecpar()), clip);
            codec.thread_count(1);
            check(avcodec_open2(codec, avcodec_find_decoder(codec.codec_id()), (AVDictionary) null), clip);
            scaler = sws_getContext(
                    codec.width(),
                    codec.height(),
                    codec.pix_fmt(),
                    SIDE,
                    SIDE,
                    AV_PIX_FMT_RGB24,
                    SWS_BILINEAR,
                    null,
                    null,
                    (DoublePointer) null);
            target.put(0, pixels);
        }

        @Override
        public int read(int first, int stride, int count) throws IOException {
            int last =
                    Math.min(first + (count - 1) * stride, first + (index.frameCount() - 1 - first) / stride * stride);
            if (first != at) {
                av_seek_frame(format, 0, index.ptsOf(first), AVSEEK_FLAG_BACKWARD);
                avcodec_flush_buffers(codec);
            }
            at = last + 1;
            int next = first;
            int done = 0;
            boolean ended = false;
            while (next <= last) {
                int got = avcodec_receive_frame(codec, frame);
                if (got == 0) {
                    if (frame.pts() == index.ptsOf(next)) {
                        sws_scale(scaler, frame.data(), frame.linesize(), 0, codec.height(), target, strides);
                        next += stride;
                        done++;
                    }
                } else if (ended) {
                    throw new IOException("the clip ended before frame " + next);
                } else {
                    ended = feed();
                }
            }
            return done;
        }

        private boolean feed() {
            while (av_read_frame(format, packet) == 0) {
                boolean video = packet.stream_index() == 0;
                if (video) {
                    avcodec_send_packet(codec, packet);
                }
                av_packet_unref(packet);
                if (video) {
                    return false;
                }
            }
            avcodec_send_packet(codec, null);
            return true;
        }

        private static void check(int code, Path clip) throws IOException {
            if (code < 0) {
                throw new IOException(clip + ": FFmpeg says " + code);
            }
        }

        @Override
        public void close() {
            sws_freeContext(scaler);
            av_frame_free(frame);
            av_packet_free(packet);
            avcodec_free_context(codec);
            avformat_close_input(format);
            target.close();
            strides.close();
            pixels.close();
        }
    }

    /** JavaCV's grabber as a careful user writes it: kept open, one thread, conversion only of what is asked. */
    static final class Grabber implements WindowReader {
        private final FFmpegFrameGrabber grabber;
        private final int frames;
        /** The frame after the last one read; a window that starts there needs no seek. */
        private int at = -1;

        Grabber(Path clip) throws IOException {
            grabber = new FFmpegFrameGrabber(clip.toFile());
            grabber.setImageWidth(SIDE);
            grabber.setImageHeight(SIDE);
            grabber.setPixelFormat(AV_PIX_FMT_RGB24);
            grabber.setImageScalingFlags(SWS_BILINEAR);
            grabber.setVideoOption("threads", "1");
            grabber.start();
            frames = grabber.getLengthInVideoFrames();
        }

        @Override
        public int read(int first, int stride, int count) throws IOException {
            if (first != at) {
                grabber.setVideoFrameNumber(first);
            }
            int done = 0;
            at = first;
            for (int i = 0; i < count && first + i * stride < frames; i++) {
                for (; at < first + i * stride; at++) {
                    grabber.grabFrame(false, true, false, false);
                }
                Frame grabbed = grabber.grabFrame(false, true, true, false);
                at++;
                if (grabbed == null) {
                    break;
                }
                done += grabbed.imageHeight / SIDE;
            }
            return done;
        }

        @Override
        public void close() throws IOException {
            grabber.close();
        }
    }
}
