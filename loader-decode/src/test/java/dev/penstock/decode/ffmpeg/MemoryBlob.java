package dev.penstock.decode.ffmpeg;

import dev.penstock.spi.Blob;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Bytes in memory as a blob; counts what is read of them. */
public final class MemoryBlob implements Blob {
    private final URI uri;
    private final byte[] bytes;
    private final String identity;
    private long bytesRead;

    public MemoryBlob(String name, byte[] bytes) {
        this.uri = URI.create("memory:/" + name);
        this.bytes = bytes;
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        this.identity = bytes.length + "-" + crc.getValue();
    }

    public static MemoryBlob of(Path file) throws IOException {
        return new MemoryBlob(String.valueOf(file.getFileName()), Files.readAllBytes(file));
    }

    public byte[] bytes() {
        return bytes;
    }

    public long bytesRead() {
        return bytesRead;
    }

    @Override
    public URI uri() {
        return uri;
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        if (offset < 0 || offset + target.remaining() > bytes.length) {
            throw new EOFException(offset + " + " + target.remaining() + " of " + bytes.length);
        }
        bytesRead += target.remaining();
        target.put(bytes, (int) offset, target.remaining());
    }
}
