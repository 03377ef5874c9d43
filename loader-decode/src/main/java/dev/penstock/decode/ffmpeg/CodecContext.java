package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avcodec.AV_EF_BITSTREAM;
import static org.bytedeco.ffmpeg.global.avcodec.AV_EF_BUFFER;
import static org.bytedeco.ffmpeg.global.avcodec.AV_EF_CRCCHECK;
import static org.bytedeco.ffmpeg.global.avcodec.AV_EF_EXPLODE;
import static org.bytedeco.ffmpeg.global.avcodec.AV_INPUT_BUFFER_PADDING_SIZE;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_DATA_NEW_EXTRADATA;
import static org.bytedeco.ffmpeg.global.avcodec.AV_PKT_FLAG_KEY;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_alloc;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_free_side_data;
import static org.bytedeco.ffmpeg.global.avcodec.av_packet_new_side_data;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_alloc_context3;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_descriptor_get_by_name;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_find_decoder;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_flush_buffers;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_free_context;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_open2;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_receive_frame;
import static org.bytedeco.ffmpeg.global.avcodec.avcodec_send_packet;
import static org.bytedeco.ffmpeg.global.avutil.AV_NOPTS_VALUE;
import static org.bytedeco.ffmpeg.global.avutil.av_mallocz;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.CodecConfig;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.PacketTable;
import dev.penstock.decode.clip.StreamFormat;
import java.net.URI;
import org.bytedeco.ffmpeg.avcodec.AVCodec;
import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.bytedeco.ffmpeg.avcodec.AVPacket;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * One open decoder, kept warm: what FFmpeg holds, and where in which clip it stands. Owned by one thread.
 *
 * <p>A packet goes in with a tag in place of its time, {@code run << 32 | packet}, and the frame that it yields brings
 * the tag back: frames are told apart exactly, whatever their times, and a frame left over from an earlier run (FFmpeg
 * 8.0.1's HEVC decoder returns one after a drain and flush, torchcodec #1339) can never pass for one of this run.
 */
final class CodecContext implements AutoCloseable {
    private final StreamFormat format;
    private final Bitstream bitstream;
    private final AVCodecContext context;
    private final AVPacket packet;
    private final Window window = new Window();
    private final HeldFrames held = new HeldFrames();
    /** The configuration that packets to come rely on, and whether the decoder may have seen another since. */
    private CodecConfig config;

    private boolean configReplaced;

    private long run;
    private @Nullable ClipIndex clip;
    private int runStart;
    private int next;
    private boolean drained;
    private boolean broken;
    private boolean used;
    private int[] inFlight = new int[32];
    private int inFlightCount;

    private CodecContext(StreamFormat format, AVCodecContext context) {
        this.format = format;
        this.bitstream = new Bitstream(format);
        this.context = context;
        this.packet = av_packet_alloc();
        this.config = format.extradata();
        LiveNatives.opened();
    }

    /** Opens a decoder on one thread; {@code UNSUPPORTED} where this build has none or it refuses the stream. */
    static CodecContext open(URI uri, StreamFormat format, DecodeLimits limits) throws ClipException {
        FfmpegLibrary.load();
        var descriptor = avcodec_descriptor_get_by_name(format.codec());
        AVCodec codec = descriptor == null ? null : avcodec_find_decoder(descriptor.id());
        if (codec == null) {
            throw new ClipException(Kind.UNSUPPORTED, uri, "this build of FFmpeg has no decoder for " + format.codec());
        }
        AVCodecContext context = avcodec_alloc_context3(codec);
        context.thread_count(1);
        context.max_pixels(limits.maxPixels());
        context.err_recognition(errorRecognition(format.codec()));
        context.codec_tag(format.codecTag());
        context.width(format.width());
        context.height(format.height());
        context.bits_per_coded_sample(format.bitsPerCodedSample());
        setExtradata(context, format.extradata());
        int opened = avcodec_open2(context, codec, (AVDictionary) null);
        if (opened < 0) {
            avcodec_free_context(context);
            throw new ClipException(
                    Kind.UNSUPPORTED,
                    uri,
                    "the " + format.codec() + " decoder refused the stream: " + FfmpegErrors.text(opened));
        }
        return new CodecContext(format, context);
    }

    /**
     * H.264 flags every frame that it had to conceal. HEVC and MJPEG conceal in silence unless told to fail, PNG checks
     * its checksums only when told to; VP8 and VP9 cannot tell.
     */
    private static int errorRecognition(String codec) {
        return switch (codec) {
            case "hevc", "mjpeg" -> AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE;
            case "png" -> AV_EF_CRCCHECK | AV_EF_EXPLODE;
            default -> 0;
        };
    }

    private static void setExtradata(AVCodecContext context, CodecConfig config) {
        if (config.length() > 0) {
            BytePointer copy = new BytePointer(av_mallocz((long) config.length() + AV_INPUT_BUFFER_PADDING_SIZE));
            copy.put(config.toByteArray(), 0, config.length());
            context.extradata(copy);
            context.extradata_size(config.length());
        }
    }

    StreamFormat format() {
        return format;
    }

    Bitstream bitstream() {
        return bitstream;
    }

    /** Whether the decoder stands in this clip after a packet from which a later one may follow. */
    @SuppressWarnings("ReferenceEquality") // an equal index made anew may be of another blob; a restart costs little
    boolean standsIn(ClipIndex index) {
        return clip == index && !drained && !broken;
    }

    /** The packet that would be sent next. */
    int next() {
        return next;
    }

    /** The packet at which the run began. */
    int runStart() {
        return runStart;
    }

    /** Whether the packet was sent in this run and its frame has not come out yet. */
    boolean isInFlight(int packetNumber) {
        for (int i = 0; i < inFlightCount; i++) {
            if (inFlight[i] == packetNumber) {
                return true;
            }
        }
        return false;
    }

    /** Whether a packet sent before this one has not yielded its frame yet: it may still turn out to be damaged. */
    boolean waitsForEarlier(int packetNumber) {
        for (int i = 0; i < inFlightCount; i++) {
            if (inFlight[i] < packetNumber) {
                return true;
            }
        }
        return false;
    }

    /** Wanted frames that came out and wait; see there. */
    HeldFrames held() {
        return held;
    }

    /** Begins a new run at a packet: whatever the decoder held is gone. */
    void restart(ClipIndex index, int first, AVFrame scratch) {
        if (used) {
            avcodec_flush_buffers(context);
            while (avcodec_receive_frame(context, scratch) >= 0) {
                // A stale frame (see the class comment); dropped.
            }
        }
        held.clear();
        run++;
        clip = index;
        runStart = first;
        next = first;
        drained = false;
        broken = false;
        inFlightCount = 0;
        if (context.has_b_frames() < index.reorderDepth()) {
            context.has_b_frames(index.reorderDepth());
        }
        CodecConfig needed = configAt(index, first);
        if (configReplaced || !needed.equals(config)) {
            attach(needed);
        }
    }

    private static CodecConfig configAt(ClipIndex index, int packetNumber) {
        CodecConfig needed = index.format().extradata();
        for (ClipIndex.FormatChange change : index.formatChanges()) {
            if (change.packet() <= packetNumber) {
                needed = change.extradata();
            }
        }
        return needed;
    }

    /** Gives the decoder this configuration together with the next packet. */
    private void attach(CodecConfig needed) {
        config = needed;
        configReplaced = false;
        if (needed.length() > 0) {
            av_packet_free_side_data(packet);
            BytePointer data = av_packet_new_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, needed.length());
            data.put(needed.toByteArray(), 0, needed.length());
        }
    }

    /** Jumps to a packet that resets the decoder, without a flush. */
    void skipTo(int packetNumber) {
        next = packetNumber;
    }

    /** Leaves a packet out: nothing wanted depends on it. */
    void leaveOut(int packetNumber) {
        next = packetNumber + 1;
    }

    /**
     * Sends a packet whose payload lies at a native address; the decoder copies it.
     *
     * @param properties what {@link Bitstream#inspect} said
     * @return FFmpeg's result, negative for an error
     */
    int send(ClipIndex index, int packetNumber, long address, int size, int properties) {
        if (!index.formatChanges().isEmpty()) {
            CodecConfig needed = configAt(index, packetNumber);
            if (!needed.equals(config)) {
                attach(needed);
            }
        }
        window.show(address, size);
        packet.data(window);
        packet.size(size);
        packet.pts(run << 32 | packetNumber);
        packet.dts(AV_NOPTS_VALUE);
        packet.flags(index.packets().is(PacketTable.KEY, packetNumber) ? AV_PKT_FLAG_KEY : 0);
        int sent = avcodec_send_packet(context, packet);
        used = true;
        if (packet.side_data_elems() > 0) {
            av_packet_free_side_data(packet);
        }
        configReplaced |= (properties & Bitstream.PARAMETERS) != 0;
        next = packetNumber + 1;
        if (sent >= 0 && (index.packets().flags(packetNumber) & (PacketTable.HIDDEN | PacketTable.PART)) == 0) {
            if (inFlightCount == inFlight.length) {
                // More than any codec reorders: the oldest one's frame will not come.
                System.arraycopy(inFlight, 1, inFlight, 0, --inFlightCount);
            }
            inFlight[inFlightCount++] = packetNumber;
        }
        return sent;
    }

    /** Asks for everything that the decoder holds back. Afterwards it must be restarted. */
    void drain() {
        drained = true;
        avcodec_send_packet(context, (AVPacket) null);
    }

    /** Receives one frame; FFmpeg's result. */
    int receive(AVFrame frame) {
        return avcodec_receive_frame(context, frame);
    }

    /** The packet of this run that a received frame belongs to, or -1. */
    int packetOf(AVFrame frame) {
        long tag = frame.pts();
        if (tag == AV_NOPTS_VALUE || tag >>> 32 != run) {
            return -1;
        }
        int number = (int) tag;
        for (int i = 0; i < inFlightCount; i++) {
            if (inFlight[i] == number) {
                System.arraycopy(inFlight, i + 1, inFlight, i, --inFlightCount - i);
                break;
            }
        }
        return number;
    }

    /** The decoder's state can no longer be relied on; it is restarted before it is used again. */
    void markBroken() {
        broken = true;
    }

    boolean isDrained() {
        return drained;
    }

    @Override
    public void close() {
        LiveNatives.closed();
        held.close();
        av_packet_free(packet);
        avcodec_free_context(context);
    }

    /** A view of native memory that is moved instead of made anew for each packet. */
    private static final class Window extends BytePointer {
        Window() {
            super((Pointer) null);
        }

        void show(long where, int size) {
            address = where;
            position = 0;
            limit = size;
            capacity = size;
        }
    }
}
