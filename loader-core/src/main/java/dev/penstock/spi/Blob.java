package dev.penstock.spi;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;

/**
 * An immutable object of known size, readable by ranges: a file, an object in a bucket. Thread-safe.
 *
 * <p>A blob is a light handle: opening one learns its size and identity, and many may be open at once. Closing it lets
 * go of what a handle costs; the {@link BlobStore} may close and reopen files underneath.
 */
public interface Blob extends AutoCloseable {

    /** Where the blob is. */
    URI uri();

    /** Size in bytes. */
    long size();

    /** Changes when the content does: size and modification time, or an etag. */
    String identity();

    /**
     * Reads {@code target.remaining()} bytes from {@code offset}; afterwards the target's position is its limit.
     *
     * @throws java.io.EOFException when the range passes the blob's end
     * @throws BlobException when it can't be read: where, why and what to check, and whether trying again may help
     * @throws IOException for any other failure
     */
    void read(long offset, ByteBuffer target) throws IOException;

    @Override
    default void close() {}
}
