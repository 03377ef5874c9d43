package dev.penstock.s3;

import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * A bounded number of direct buffers of one size, made when first needed and used again. Who finds none waits. They are
 * the cache's only off-heap memory: {@code count · size} bytes at most. Thread-safe.
 */
final class ScratchBuffers {
    private final int size;
    private final Semaphore free;
    private final BlockingQueue<ByteBuffer> made;

    ScratchBuffers(int count, int size) {
        this.size = size;
        this.free = new Semaphore(count);
        this.made = new ArrayBlockingQueue<>(count);
    }

    int size() {
        return size;
    }

    /** A cleared buffer, to be given back. */
    ByteBuffer take() throws InterruptedIOException {
        try {
            free.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a cache buffer");
        }
        ByteBuffer buffer = made.poll();
        return buffer != null ? buffer.clear() : ByteBuffer.allocateDirect(size);
    }

    void give(ByteBuffer buffer) {
        made.add(buffer);
        free.release();
    }
}
