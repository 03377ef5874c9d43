package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EAGAIN;
import static org.bytedeco.ffmpeg.global.avutil.AVERROR_EOF;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_alloc;
import static org.bytedeco.ffmpeg.global.avutil.av_frame_free;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.DecodeLimits;
import dev.penstock.decode.clip.MissingFramesException;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes windows of frames from packets in memory: no file is opened, probed or sought. The frames are bit for bit
 * those of a decode of the whole clip from its beginning.
 *
 * <p><b>Threads.</b> A decoder belongs to one thread at a time and decodes on that thread; run several for parallelism.
 *
 * <p><b>Work.</b> Decoding starts at the best key frame, or where the decoder stands if that is nearer; packets that no
 * wanted frame depends on are left out; it stops when the last wanted frame is out. Codec contexts stay open between
 * calls, shared by all clips with the same codec parameters, up to a limit; the one not used for longest is closed.
 *
 * <p><b>Failure.</b> Only a frame that FFmpeg decoded from its own packet without an error, on references without an
 * error, is delivered. Where frames are missing after the first attempt, a second one starts at an earlier key frame
 * and leaves nothing out. What is still missing is named in a {@link MissingFramesException}; all other wanted frames
 * have been delivered by then. The decoder stays usable after any failure.
 *
 * <p><b>Memory.</b> After the first windows a call allocates a few hundred bytes of heap. Native memory: the reference
 * frames of each open context.
 */
public final class FrameDecoder implements AutoCloseable {
    /** Codec contexts that stay open, unless told otherwise. */
    public static final int DEFAULT_CONTEXTS = 8;

    /** Packets that a second attempt may decode from the clip's beginning, in place of from the key before. */
    private static final int FAR = 3000;

    /** FFmpeg's AVERROR(EAGAIN), whose value differs by system. */
    static final int AGAIN;

    static {
        FfmpegLibrary.load(); // with a saved index nothing else has called into it yet
        AGAIN = AVERROR_EAGAIN();
    }

    private final DecodeLimits limits;
    private final ContextPool pool;
    private final DemuxedClips demuxed;
    private final AVFrame frame;
    private final DecodePass pass;
    private final PacketBytes.OfPlan planBytes = new PacketBytes.OfPlan();
    private boolean closed;

    /** A decoder with {@link DecodeLimits#DEFAULT} and {@link #DEFAULT_CONTEXTS}. */
    public FrameDecoder() {
        this(DecodeLimits.DEFAULT, DEFAULT_CONTEXTS);
    }

    /** A decoder with these limits that keeps up to {@code contexts} codec contexts open. */
    public FrameDecoder(DecodeLimits limits, int contexts) {
        FfmpegLibrary.load();
        this.limits = limits;
        this.pool = new ContextPool(limits, contexts);
        this.demuxed = new DemuxedClips(limits);
        this.frame = av_frame_alloc();
        this.pass = new DecodePass(frame);
        LiveNatives.opened();
    }

    /**
     * Delivers the plan's wanted frames to the sink, in presentation order; frames that only a second attempt could
     * decode come after the others.
     *
     * @param bytes the plan's byte ranges end to end (the whole blob for {@link ClipIndex.Access#DEMUX}): a direct
     *     buffer from its position to its limit; neither is changed
     * @param again where a second attempt reads earlier bytes, or null to do without
     * @throws MissingFramesException where frames cannot be had
     * @throws ClipException for a clip that cannot be decoded at all, or a limit
     * @throws IOException from the sink or the blob
     */
    public void decode(ClipIndex index, WindowPlan plan, ByteBuffer bytes, @Nullable Blob again, FrameSink sink)
            throws IOException {
        if (closed) {
            throw new IllegalStateException("the decoder is closed");
        }
        if (plan.wantedCount() == 0) {
            return;
        }
        if (bytes.remaining() < plan.byteCount() && index.access() == ClipIndex.Access.RANGES) {
            throw new IllegalArgumentException(
                    "the plan needs " + plan.byteCount() + " bytes, got " + bytes.remaining());
        }
        FfmpegLog.enter(index.uri().toString());
        try {
            attempt(index, plan, bytes, again, sink);
        } finally {
            FfmpegLog.leave();
        }
    }

    private void attempt(ClipIndex index, WindowPlan plan, ByteBuffer bytes, @Nullable Blob again, FrameSink sink)
            throws IOException {
        long deadline = System.nanoTime() + limits.maxDecodeTime().toNanos();
        CodecContext context = pool.contextFor(index);
        PacketBytes packets = packetsOf(index, plan, bytes);
        pass.begin(index, plan, deadline);
        pass.run(context, packets, sink, false);
        if (pass.missing() > 0) {
            secondAttempts(index, plan, context, packets, again, sink);
        }
        if (pass.missing() > 0) {
            throw missingFrames(index, plan);
        }
    }

    private PacketBytes packetsOf(ClipIndex index, WindowPlan plan, ByteBuffer bytes) throws IOException {
        if (index.access() == ClipIndex.Access.DEMUX) {
            return demuxed.get(index, bytes);
        }
        planBytes.set(plan, bytes);
        return planBytes;
    }

    /**
     * From the key before, for a first key that is none; then, where nothing was damaged, from the beginning, for
     * streams that refresh gradually.
     */
    private void secondAttempts(
            ClipIndex index,
            WindowPlan plan,
            CodecContext context,
            PacketBytes packets,
            @Nullable Blob again,
            FrameSink sink)
            throws IOException {
        WindowPlan wider = new WindowPlan().dropping(false);
        int[] wanted = new int[plan.wantedCount()];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = plan.wanted(i);
        }
        wider.plan(index, wanted, 0, wanted.length);
        boolean far = wider.segmentLast(wider.segmentCount() - 1) > FAR;
        for (int attempt = 0; attempt < (far ? 1 : 2) && pass.missing() > 0; attempt++) {
            int missingBefore = pass.missing();
            boolean damaged = pass.damaged();
            wider.earlier(index, attempt == 1);
            if (index.access() == ClipIndex.Access.DEMUX) {
                pass.plan(wider);
                pass.run(context, packets, sink, true);
            } else if (again != null && wider.byteCount() <= limits.maxWindowBytes()) {
                readAndRun(context, wider, again, sink);
            }
            if (damaged && pass.missing() == missingBefore) {
                return;
            }
        }
    }

    private void readAndRun(CodecContext context, WindowPlan wider, Blob blob, FrameSink sink) throws IOException {
        try (BytePointer memory = new BytePointer(Math.max(1, wider.byteCount()))) {
            PacketBytes.OfPlan packets = new PacketBytes.OfPlan();
            packets.set(wider, wider.read(blob, memory.asByteBuffer()));
            pass.plan(wider);
            pass.run(context, packets, sink, true);
        }
    }

    private MissingFramesException missingFrames(ClipIndex index, WindowPlan plan) {
        int[] ordinals = new int[plan.wantedCount()];
        int n = 0;
        for (int i = 0; i < plan.wantedCount(); i++) {
            if (!pass.delivered(i)) {
                ordinals[n++] = i;
            }
        }
        ordinals = Arrays.copyOf(ordinals, n);
        int[] frames = new int[n];
        for (int i = 0; i < n; i++) {
            frames[i] = plan.wanted(ordinals[i]);
        }
        int packet = index.packetOf(frames[0]);
        long offset =
                index.access() == ClipIndex.Access.RANGES ? index.packets().pos(packet) : -1;
        return new MissingFramesException(
                pass.timedOut() ? Kind.LIMIT : Kind.DAMAGED,
                index.uri(),
                ordinals,
                frames,
                index.secondsOf(frames[0]),
                offset,
                pass.timedOut()
                        ? "decoding took longer than the limit of " + limits.maxDecodeTime()
                        : "it could not be decoded without errors (" + pass.firstError()
                                + "); leave the sample out, or repair the clip");
    }

    /**
     * Where the decoder could continue in this clip, for {@link WindowPlan#planFrom}: the packet it would take next, or
     * -1 where it would have to start from a key frame.
     */
    public int resumePacket(ClipIndex index) {
        CodecContext context = pool.peek(index);
        return context != null && context.standsIn(index) ? context.next() : -1;
    }

    /** Packets sent to FFmpeg since the decoder was made. */
    public long packetsDecoded() {
        return pass.packetsDecoded();
    }

    /** Packets left out because no wanted frame depended on them. */
    public long packetsLeftOut() {
        return pass.packetsLeftOut();
    }

    /** Codec contexts opened since the decoder was made. */
    public long contextsOpened() {
        return pool.opened();
    }

    /** Frees all native memory. Only the owner may call it. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            LiveNatives.closed();
            pool.close();
            demuxed.close();
            av_frame_free(frame);
        }
    }

    /** Whether FFmpeg has no frame for now, or no more: neither is an error. */
    static boolean isPause(int result) {
        return result == AGAIN || result == AVERROR_EOF;
    }
}
