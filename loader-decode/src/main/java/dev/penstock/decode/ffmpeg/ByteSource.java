package dev.penstock.decode.ffmpeg;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes that a demuxer reads at any offset. Owned by one thread. */
interface ByteSource extends AutoCloseable {
    long size();

    /** Reads up to {@code target.remaining()} bytes; the number read, or -1 at the end. */
    int read(long offset, ByteBuffer target) throws IOException;

    @Override
    default void close() {}

    /** Bytes in memory. */
    static ByteSource of(ByteBuffer bytes) {
        ByteBuffer whole = bytes.slice();
        return new ByteSource() {
            @Override
            public long size() {
                return whole.limit();
            }

            @Override
            public int read(long offset, ByteBuffer target) {
                if (offset >= whole.limit()) {
                    return -1;
                }
                int n = (int) Math.min(target.remaining(), whole.limit() - offset);
                target.put(whole.slice((int) offset, n));
                return n;
            }
        };
    }
}
