package dev.penstock.s3;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * One chunk in a file: 24 bytes of head, then the payload. The head is big-endian: the eight letters {@code PSTKCH01},
 * the payload's length and CRC-32C (four bytes each) and the chunk's hash, so that a file under a wrong name, a cut one
 * and one with a wrong bit are all noticed.
 */
final class CacheEntry {
    static final int HEAD = 24;
    private static final long MAGIC = 0x5053_544b_4348_3031L;

    /** What a file turned out to be. */
    enum State {
        RIGHT,
        ABSENT,
        DAMAGED
    }

    private CacheEntry() {}

    /** Fills {@code payload} (all that remains of it, which is the whole chunk) and says whether it may be used. */
    static State read(Path file, long hash, ByteBuffer payload) throws IOException {
        ByteBuffer target = payload.duplicate();
        int length = target.remaining();
        ByteBuffer head = ByteBuffer.allocate(HEAD);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() != HEAD + (long) length) {
                return State.DAMAGED;
            }
            fill(channel, head);
            fill(channel, target);
        } catch (NoSuchFileException e) {
            return State.ABSENT;
        }
        if (head.hasRemaining() || target.hasRemaining()) {
            return State.DAMAGED;
        }
        head.flip();
        boolean right = head.getLong() == MAGIC
                && head.getInt() == length
                && head.getInt() == crc(payload.duplicate())
                && head.getLong() == hash;
        return right ? State.RIGHT : State.DAMAGED;
    }

    /** Writes a new file. */
    static void write(Path file, long hash, ByteBuffer payload) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD)
                .putLong(MAGIC)
                .putInt(payload.remaining())
                .putInt(crc(payload.duplicate()))
                .putLong(hash)
                .flip();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            drain(channel, head);
            drain(channel, payload.duplicate());
        }
    }

    private static void fill(FileChannel channel, ByteBuffer target) throws IOException {
        int count = 0;
        while (target.hasRemaining() && count >= 0) {
            count = channel.read(target);
        }
    }

    private static void drain(FileChannel channel, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            channel.write(source);
        }
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
