package dev.penstock.decode.ffmpeg;

import java.nio.ByteBuffer;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/** Native memory that grows to the largest picture seen and is freed by {@link #close}. For one thread. */
public final class Scratch implements AutoCloseable {

    /** Holds nothing yet. */
    public Scratch() {}

    private @Nullable Pointer memory;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private long address;

    /** At least {@code size} bytes at {@link #address()}, 64-byte-aligned; their content is undefined. */
    public Scratch atLeast(long size) {
        if (size > bytes.capacity()) {
            if (size > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a picture needs " + size + " bytes of scratch memory, more than 2 GiB");
            }
            close();
            Pointer grown = avutil.av_malloc(size);
            if (grown == null || grown.isNull()) {
                throw new OutOfMemoryError("no native memory for a picture of " + size + " bytes");
            }
            memory = grown;
            LiveNatives.opened();
            address = grown.address();
            bytes = new BytePointer(grown).capacity(size).asByteBuffer();
        }
        return this;
    }

    long address() {
        return address;
    }

    /** The memory, in native order; not valid after growth or {@link #close}. */
    public ByteBuffer bytes() {
        return bytes;
    }

    @Override
    public void close() {
        if (memory != null) {
            LiveNatives.closed();
            avutil.av_free(memory);
            memory = null;
            address = 0;
            bytes = ByteBuffer.allocate(0);
        }
    }
}
