package dev.penstock.decode;

import dev.penstock.spi.Blob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A blob from its first byte to its last, in reads of 256 KiB. One thread at a time. Closes the blob. */
final class BlobInputStream extends InputStream {
    private static final int CHUNK = 256 << 10;

    private final Blob blob;
    private final byte[] chunk;
    private long next;
    private int at;
    private int filled;

    BlobInputStream(Blob blob) {
        this.blob = blob;
        this.chunk = new byte[(int) Math.min(CHUNK, Math.max(1, blob.size()))];
    }

    @Override
    public int read() throws IOException {
        return fill() ? chunk[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, filled - at);
        System.arraycopy(chunk, at, target, offset, count);
        at += count;
        return count;
    }

    private boolean fill() throws IOException {
        if (at < filled) {
            return true;
        }
        filled = (int) Math.min(chunk.length, blob.size() - next);
        at = 0;
        if (filled == 0) {
            return false;
        }
        blob.read(next, ByteBuffer.wrap(chunk, 0, filled));
        next += filled;
        return true;
    }

    @Override
    public void close() {
        blob.close();
    }
}
