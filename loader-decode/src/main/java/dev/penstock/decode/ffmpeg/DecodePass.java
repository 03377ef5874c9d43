package dev.penstock.decode.ffmpeg;

import static org.bytedeco.ffmpeg.avutil.AVFrame.AV_FRAME_FLAG_CORRUPT;

import dev.penstock.decode.clip.ClipException;
import dev.penstock.decode.clip.ClipException.Kind;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.WindowPlan;
import java.io.IOException;
import java.util.Arrays;
import org.bytedeco.ffmpeg.avutil.AVFrame;

/**
 * Sends a plan's packets and hands out the wanted frames that come back; one call of {@link FrameDecoder}, which may
 * run it more than once until nothing is missing. Reused from call to call. One owner thread.
 */
final class DecodePass {
    /** Frames that a draining decoder may fail to give before it is believed to have no more. */
    private static final int MOST_ERRORS = 64;

    private final AVFrame frame;
    private final Taint taint = new Taint();
    private ClipIndex index;
    private WindowPlan plan;
    private PacketBytes packets;
    private boolean[] delivered = new boolean[16];
    private int missing;
    private long deadline;
    private boolean timedOut;
    private String firstError = "";
    private long packetsDecoded;
    private long packetsLeftOut;

    @SuppressWarnings("NullAway.Init") // set by begin, before anything reads them
    DecodePass(AVFrame frame) {
        this.frame = frame;
    }

    void begin(ClipIndex clip, WindowPlan wanted, long deadlineNanos) {
        index = clip;
        plan = wanted;
        deadline = deadlineNanos;
        timedOut = false;
        firstError = "";
        int n = wanted.wantedCount();
        if (delivered.length < n) {
            delivered = new boolean[n];
        }
        Arrays.fill(delivered, 0, n, false);
        missing = n;
    }

    /** The same wanted frames by another plan. */
    void plan(WindowPlan wider) {
        plan = wider;
    }

    /** Wanted positions without a frame yet. */
    int missing() {
        return missing;
    }

    boolean delivered(int ordinal) {
        return delivered[ordinal];
    }

    boolean timedOut() {
        return timedOut;
    }

    /** Whether the last run met errors. */
    boolean damaged() {
        return taint.any();
    }

    String firstError() {
        return firstError.isEmpty() ? "the decoder returned no picture for it" : firstError;
    }

    long packetsDecoded() {
        return packetsDecoded;
    }

    long packetsLeftOut() {
        return packetsLeftOut;
    }

    /**
     * @param careful every packet is sent, and every run of packets starts from a flushed decoder
     */
    void run(CodecContext context, PacketBytes payloads, FrameSink sink, boolean careful) throws IOException {
        packets = payloads;
        taint.clear();
        try {
            for (int segment = 0; segment < plan.segmentCount() && missing > 0 && !timedOut; segment++) {
                int first = enter(context, segment, sink, careful);
                sendAll(context, first, plan.segmentLast(segment), sink, careful);
            }
            if (missing > 0 && !timedOut) {
                drain(context, sink);
            }
            if (taint.any() || timedOut) {
                context.markBroken();
            }
        } catch (IOException | RuntimeException | Error e) {
            context.markBroken();
            throw e;
        } finally {
            if (plan.ending() == WindowPlan.Ending.DRAIN) {
                context.held().clear();
            }
        }
    }

    /** Puts the decoder where the run of packets can be sent; the first packet to send. */
    private int enter(CodecContext context, int segment, FrameSink sink, boolean careful) throws IOException {
        int first = plan.segmentFirst(segment);
        if (!careful && segment == 0 && canContinue(context)) {
            release(context, sink, false);
            return context.next();
        }
        if (segment == 0 && plan.resumeAt() >= 0 && !careful) {
            // The bytes before resumeAt are not there: leave the first attempt, the second one reads them.
            context.markBroken();
        }
        if (segment > 0) {
            if (!careful && context.standsIn(index) && resets(context, first)) {
                context.skipTo(first);
                return first;
            }
            drain(context, sink);
        }
        context.restart(index, first, frame);
        return first;
    }

    /** Whether every wanted frame of the first run can still come out of the decoder as it stands. */
    private boolean canContinue(CodecContext context) {
        int next = context.next();
        if (!context.standsIn(index)
                || plan.segmentFirst(0) < context.runStart()
                || next < plan.segmentFirst(0)
                || (plan.resumeAt() >= 0 && next != plan.resumeAt())) {
            return false;
        }
        for (int i = 0; i < plan.wantedCount(); i++) {
            int packet = index.packetOf(plan.wanted(i));
            if (packet < next && packet <= plan.segmentLast(0) && !isComing(context, packet)) {
                return false;
            }
        }
        return true;
    }

    /** Whether the frame of a packet sent before is still to come out, or waits. */
    private static boolean isComing(CodecContext context, int packet) {
        return context.isInFlight(packet) || context.held().contains(packet);
    }

    private boolean resets(CodecContext context, int packet) {
        return packets.seek(index, packet)
                && (context.bitstream()
                                        .inspect(
                                                packets.buffer(),
                                                packets.offset(),
                                                index.packets().size(packet))
                                & Bitstream.RESET)
                        != 0;
    }

    private void sendAll(CodecContext context, int first, int last, FrameSink sink, boolean careful)
            throws IOException {
        for (int p = first; p <= last && missing > 0; p++) {
            if (System.nanoTime() > deadline) {
                timedOut = true;
                return;
            }
            send(context, p, careful);
            receiveAll(context, sink);
        }
    }

    private void send(CodecContext context, int p, boolean careful) throws ClipException {
        boolean mayDrop = !careful && plan.dropping() && !index.hasParts() && !plan.needsFrameOf(index, p);
        if (mayDrop && plan.drops(index, p)) {
            context.leaveOut(p);
            packetsLeftOut++;
            return;
        }
        if (!packets.seek(index, p)) {
            if (plan.resumeAt() >= 0) {
                taint.add(p, false);
                return;
            }
            throw new ClipException(
                    Kind.CHANGED,
                    index.uri(),
                    -1,
                    Double.NaN,
                    index.packets().pos(p),
                    "packet " + p + " is not in the bytes read for the window; index the clip again",
                    null);
        }
        int size = index.packets().size(p);
        int properties = context.bitstream().inspect(packets.buffer(), packets.offset(), size);
        if (mayDrop && (properties & (Bitstream.DISPOSABLE | Bitstream.PARAMETERS)) == Bitstream.DISPOSABLE) {
            context.leaveOut(p);
            packetsLeftOut++;
            return;
        }
        int sent = context.send(index, p, packets.address(), size, properties);
        packetsDecoded++;
        if (sent < 0 && sent != FrameDecoder.AGAIN) {
            failed(context, p, sent);
        }
    }

    /** Whether nothing depends on a packet; not where two packets make a frame. */
    private boolean isDisposable(CodecContext context, int packet) {
        return !index.hasParts()
                && packets.seek(index, packet)
                && (context.bitstream()
                                        .inspect(
                                                packets.buffer(),
                                                packets.offset(),
                                                index.packets().size(packet))
                                & Bitstream.DISPOSABLE)
                        != 0;
    }

    private void failed(CodecContext context, int packet, int result) {
        taint.add(packet, isDisposable(context, packet));
        if (firstError.isEmpty()) {
            firstError = "packet " + packet + ": " + FfmpegErrors.text(result);
        }
    }

    private void drain(CodecContext context, FrameSink sink) throws IOException {
        context.drain();
        receiveAll(context, sink);
        release(context, sink, true);
    }

    private void receiveAll(CodecContext context, FrameSink sink) throws IOException {
        // A packet yields a handful of frames at most; a drain as many as the decoder holds.
        int errors = 0;
        while (missing > 0) {
            int result = context.receive(frame);
            if (FrameDecoder.isPause(result)) {
                return;
            }
            if (result < 0) {
                failed(context, Math.max(0, context.next() - 1), result);
                if (!context.isDrained() || ++errors > MOST_ERRORS) {
                    return;
                }
                continue;
            }
            int packet = context.packetOf(frame);
            if (packet >= 0) {
                take(context, packet);
                release(context, sink, false);
            }
        }
    }

    /** Notes what a received frame says of its packet, and holds it if it is wanted. */
    private void take(CodecContext context, int packet) {
        if (frame.decode_error_flags() != 0 || (frame.flags() & AV_FRAME_FLAG_CORRUPT) != 0) {
            taint.add(packet, isDisposable(context, packet));
            if (firstError.isEmpty()) {
                firstError = "packet " + packet + " decoded with errors, flags " + frame.decode_error_flags();
            }
        }
        int number = index.frameOf(packet);
        int ordinal = number < 0 ? -1 : plan.firstOrdinalOf(number);
        boolean wantedNow = ordinal >= 0 && !delivered[ordinal];
        if ((wantedNow || isForLater(number)) && !context.held().isFull()) {
            context.held().add(frame, packet);
        }
    }

    /** Whether a frame is of use only to the call that continues where this one ends. */
    private boolean isForLater(int number) {
        return plan.ending() == WindowPlan.Ending.CONTINUE && number > plan.wanted(plan.wantedCount() - 1);
    }

    /** Delivers held frames from the first on, up to one that still waits for an earlier packet's verdict. */
    private void release(CodecContext context, FrameSink sink, boolean all) throws IOException {
        HeldFrames held = context.held();
        while (!held.isEmpty()) {
            int packet = held.packet();
            boolean waits = !all && !held.isFull() && context.waitsForEarlier(packet);
            if (waits || isForLater(index.frameOf(packet))) {
                return;
            }
            if (!taint.any() || !taint.covers(index, packet)) {
                deliver(packet, held.frame(), sink);
            }
            held.drop();
        }
    }

    private void deliver(int packet, AVFrame picture, FrameSink sink) throws IOException {
        int number = index.frameOf(packet);
        picture.pts(index.packets().pts(packet));
        int first = plan.firstOrdinalOf(number);
        for (int i = first; i >= 0 && i < plan.wantedCount() && plan.wanted(i) == number; i++) {
            if (!delivered[i]) {
                delivered[i] = true;
                missing--;
                sink.frame(i, picture);
            }
        }
    }
}
