package dev.penstock.decode.ffmpeg;

import dev.penstock.spi.Blob;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.bytedeco.javacpp.BytePointer;

/**
 * Reads a blob in large pieces and keeps the last few, so that a demuxer's small and repeated reads cost the store
 * little. Owned by one thread; {@link #close} frees its native memory.
 */
final class BlobSource implements ByteSource {
    private static final int PIECES = 3;

    private final Blob blob;
    private final int pieceBytes;
    private final Piece[] pieces = new Piece[PIECES];
    private long clock;
    private long bytesRead;

    BlobSource(Blob blob, int pieceBytes) {
        this.blob = blob;
        this.pieceBytes = pieceBytes;
        for (int i = 0; i < PIECES; i++) {
            pieces[i] = new Piece();
        }
    }

    @Override
    public long size() {
        return blob.size();
    }

    /** Bytes asked of the blob so far. */
    long bytesRead() {
        return bytesRead;
    }

    @Override
    public int read(long offset, ByteBuffer target) throws IOException {
        if (offset < 0 || offset >= size()) {
            return -1;
        }
        Piece piece = pieceAt(offset, pieceBytes);
        int at = (int) (offset - piece.start);
        int n = Math.min(target.remaining(), piece.length - at);
        target.put(piece.bytes().slice(at, n));
        return n;
    }

    /** Fills the target or fails; false where the blob ends first. */
    boolean readFully(long offset, ByteBuffer target) throws IOException {
        long at = offset;
        while (target.hasRemaining()) {
            int n = read(at, target);
            if (n < 0) {
                return false;
            }
            at += n;
        }
        return true;
    }

    /** Reads these bytes with one request, to be served from memory afterwards. */
    void prefetch(long offset, int length) throws IOException {
        pieceAt(offset, length);
    }

    private Piece pieceAt(long offset, int length) throws IOException {
        Piece oldest = pieces[0];
        for (Piece piece : pieces) {
            if (piece.holds(offset)) {
                piece.used = ++clock;
                return piece;
            }
            if (piece.used < oldest.used) {
                oldest = piece;
            }
        }
        int n = (int) Math.min(length, size() - offset);
        ByteBuffer buffer = oldest.reserve(n);
        blob.read(offset, buffer);
        bytesRead += n;
        oldest.start = offset;
        oldest.length = n;
        oldest.used = ++clock;
        return oldest;
    }

    @Override
    public void close() {
        for (Piece piece : pieces) {
            piece.free();
        }
    }

    private static final class Piece {
        private BytePointer memory = new BytePointer();
        private ByteBuffer view = ByteBuffer.allocate(0);
        private long start;
        private int length;
        private long used;

        boolean holds(long offset) {
            return offset >= start && offset < start + length;
        }

        ByteBuffer bytes() {
            return view;
        }

        ByteBuffer reserve(int n) {
            length = 0;
            if (view.capacity() < n) {
                memory.close();
                memory = new BytePointer((long) n);
                view = memory.asByteBuffer();
            }
            return view.clear().limit(n);
        }

        void free() {
            memory.close();
            view = ByteBuffer.allocate(0);
            length = 0;
        }
    }
}
