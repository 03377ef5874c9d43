package dev.penstock.decode.ffmpeg;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.bytedeco.javacpp.BytePointer;

/**
 * Finds where a packet's payload lies in the file, given the position that the demuxer names: that of a block or chunk
 * whose header comes first. Compares every byte, so a found offset is the payload's. One owner thread.
 */
final class PayloadFinder implements AutoCloseable {
    private static final int MOST_HEADER_BYTES = 64;
    private static final int FIRST_LOOK = 32;

    private final ByteSource source;
    private final BytePointer memory = new BytePointer(64L << 10);
    private final ByteBuffer piece = memory.asByteBuffer();
    private int headerBytes;

    PayloadFinder(ByteSource source) {
        this.source = source;
    }

    /** The payload's offset, or -1 where it is not stored whole near the position. */
    long find(long position, ByteBuffer payload) throws IOException {
        if (position < 0) {
            return -1;
        }
        if (matches(position + headerBytes, payload)) {
            return position + headerBytes;
        }
        for (int header = 0; header <= MOST_HEADER_BYTES; header++) {
            if (matches(position + header, payload)) {
                headerBytes = header;
                return position + header;
            }
        }
        return -1;
    }

    private boolean matches(long offset, ByteBuffer payload) throws IOException {
        if (offset + payload.limit() > source.size()) {
            return false;
        }
        for (int at = 0; at < payload.limit(); ) {
            int n = Math.min(at == 0 ? FIRST_LOOK : piece.capacity(), payload.limit() - at);
            if (!read(offset + at, n) || !piece.equals(payload.slice(at, n))) {
                return false;
            }
            at += n;
        }
        return true;
    }

    private boolean read(long offset, int length) throws IOException {
        piece.clear().limit(length);
        long at = offset;
        while (piece.hasRemaining()) {
            int n = source.read(at, piece);
            if (n < 0) {
                return false;
            }
            at += n;
        }
        piece.flip();
        return true;
    }

    @Override
    public void close() {
        memory.close();
    }
}
