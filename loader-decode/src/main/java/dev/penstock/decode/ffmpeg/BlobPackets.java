package dev.penstock.decode.ffmpeg;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.spi.Blob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.bytedeco.javacpp.BytePointer;

/** A clip's packets read from its blob one after another, in large pieces. One owner thread. */
final class BlobPackets extends PacketBytes implements AutoCloseable {
    private static final int PIECE = 1 << 20;

    private final BlobSource source;
    private BytePointer memory = new BytePointer(64L << 10);
    private ByteBuffer view = memory.asByteBuffer();

    BlobPackets(Blob blob, boolean small) {
        source = new BlobSource(blob, small ? PIECE / 16 : PIECE);
    }

    @Override
    boolean seek(ClipIndex index, int packet) {
        int size = index.packets().size(packet);
        if (view.capacity() < size) {
            memory.close();
            memory = new BytePointer((long) size);
            view = memory.asByteBuffer();
        }
        memory(view, memory.address());
        at(0);
        try {
            return source.readFully(index.packets().pos(packet), view.clear().limit(size));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        source.close();
        memory.close();
    }
}
