package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.StreamFormat;
import java.util.Arrays;
import java.util.BitSet;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.jspecify.annotations.Nullable;

/** Decodes a run of packets and notes which of them yield frames, and in which order. Used once, by one thread. */
final class Outputs {
    private final ClipIndex rough;
    private final CodecContext context;
    private final AVFrame frame;
    private int[] order = new int[64];
    private int count;
    private final BitSet yielded = new BitSet();
    private final BitSet failed = new BitSet();
    private @Nullable StreamFormat seen;

    Outputs(ClipIndex rough, CodecContext context, AVFrame frame) {
        this.rough = rough;
        this.context = context;
        this.frame = frame;
    }

    /** Sends packets {@code first} to {@code last} and drains, or stops at the first frame. */
    void decode(PacketBytes packets, int first, int last, boolean untilFirstFrame) {
        context.restart(rough, first, frame);
        for (int p = first; p <= last; p++) {
            if (!packets.seek(rough, p)) {
                failed.set(p);
                continue;
            }
            int size = rough.packets().size(p);
            int properties = context.bitstream().inspect(packets.buffer(), packets.offset(), size);
            if (context.send(rough, p, packets.address(), size, properties) < 0) {
                failed.set(p);
            }
            receive(p);
            if (untilFirstFrame && count > 0) {
                return;
            }
        }
        context.drain();
        receive(last);
    }

    private void receive(int sent) {
        while (true) {
            int result = context.receive(frame);
            if (result < 0) {
                if (!FrameDecoder.isPause(result)) {
                    failed.set(sent);
                }
                return;
            }
            int packet = context.packetOf(frame);
            if (packet >= 0 && !yielded.get(packet)) {
                note(packet);
            }
        }
    }

    private void note(int packet) {
        if (count == 0) {
            seen = StreamFormats.refined(rough.format(), frame);
        }
        if (count == order.length) {
            order = Arrays.copyOf(order, count * 2);
        }
        order[count++] = packet;
        yielded.set(packet);
    }

    int count() {
        return count;
    }

    /** The packet of the k-th frame that came out. */
    int packet(int k) {
        return order[k];
    }

    boolean yielded(int packet) {
        return yielded.get(packet);
    }

    boolean failed(int packet) {
        return failed.get(packet);
    }

    /** The declared format with what the first frame told. */
    StreamFormat format(StreamFormat declared) {
        return seen == null ? declared : StreamFormats.withDelay(seen, declared.videoDelay());
    }
}
