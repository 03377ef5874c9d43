package dev.penstock.decode.truth;

import dev.penstock.spi.Blob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A blob from a byte to its end, read in large pieces. One thread. Leaves the blob open. */
final class BlobStream extends InputStream {
    private static final int PIECE = 256 << 10;

    private final Blob blob;
    private final ByteBuffer piece;
    private long next;

    BlobStream(Blob blob, long from) {
        this.blob = blob;
        this.next = from;
        this.piece = ByteBuffer.allocate((int) Math.max(1, Math.min(PIECE, blob.size() - from)));
        piece.limit(0);
    }

    @Override
    public int read() throws IOException {
        return fill() ? piece.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, piece.remaining());
        piece.get(target, offset, count);
        return count;
    }

    private boolean fill() throws IOException {
        if (piece.hasRemaining()) {
            return true;
        }
        int count = (int) Math.min(piece.capacity(), blob.size() - next);
        if (count <= 0) {
            return false;
        }
        piece.clear().limit(count);
        blob.read(next, piece);
        piece.flip();
        next += count;
        return true;
    }
}
