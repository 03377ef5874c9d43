package dev.penstock.decode;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/** Pixel memory of closed frames, for the next ones. One owner thread. */
final class FrameBuffers {
    private static final int KEPT = 64;

    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    ByteBuffer take(int bytes) {
        ByteBuffer buffer = free.poll();
        while (buffer != null && buffer.capacity() != bytes) {
            buffer = free.poll();
        }
        return buffer == null ? ByteBuffer.allocateDirect(bytes) : buffer.clear();
    }

    void giveBack(ByteBuffer buffer) {
        if (free.size() < KEPT) {
            free.push(buffer);
        }
    }
}
