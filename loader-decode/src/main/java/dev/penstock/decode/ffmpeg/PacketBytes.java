package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.WindowPlan;
import java.nio.ByteBuffer;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/** Where the payload of each packet lies in memory. Owned by one thread. */
abstract class PacketBytes {
    /** Native address of the buffer's byte 0. */
    private long base;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    private int offset;

    /** Moves to a packet; false where it is not held. */
    abstract boolean seek(ClipIndex index, int packet);

    final void at(int newOffset) {
        offset = newOffset;
    }

    final void memory(ByteBuffer newBuffer, long newBase) {
        buffer = newBuffer;
        base = newBase;
    }

    /** Memory that holds the packet from {@link #offset}. */
    final ByteBuffer buffer() {
        return buffer;
    }

    final int offset() {
        return offset;
    }

    /** Native address of the packet's first byte. */
    final long address() {
        return base + offset;
    }

    /** The packets of a window plan in its ranges, laid end to end. */
    static final class OfPlan extends PacketBytes {
        private static final int KNOWN = 16;

        private WindowPlan plan = new WindowPlan();

        /** The plan's bytes: a direct buffer, from its position to its limit. */
        void set(WindowPlan newPlan, ByteBuffer bytes) {
            if (!bytes.isDirect()) {
                throw new IllegalArgumentException("the window's bytes must be a direct buffer");
            }
            plan = newPlan;
            memory(bytes, addressOf(bytes));
            start = bytes.position();
            length = bytes.remaining();
        }

        private int start;
        private int length;

        /** Buffers seen lately and the addresses of their element 0: callers lease the same few again and again. */
        private final @Nullable ByteBuffer[] known = new @Nullable ByteBuffer[KNOWN];

        private final long[] addresses = new long[KNOWN];
        private int oldest;

        @SuppressWarnings("ReferenceEquality") // the very object, not equal bytes
        private long addressOf(ByteBuffer bytes) {
            for (int i = 0; i < KNOWN; i++) {
                if (known[i] == bytes) {
                    return addresses[i];
                }
            }
            oldest = (oldest + 1) % KNOWN;
            known[oldest] = bytes;
            addresses[oldest] = new BytePointer(bytes).address();
            return addresses[oldest];
        }

        @Override
        boolean seek(ClipIndex index, int packet) {
            int size = index.packets().size(packet);
            int position = plan.positionOf(index.packets().pos(packet), size);
            if (position < 0 || (long) position + size > length) {
                return false;
            }
            at(start + position);
            return true;
        }
    }
}
