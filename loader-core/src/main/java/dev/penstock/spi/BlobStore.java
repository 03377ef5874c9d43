package dev.penstock.spi;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;

/**
 * Opens and lists blobs of one kind of place. Thread-safe. Found by {@link BlobStores} through
 * {@link java.util.ServiceLoader} by the scheme it serves.
 */
public interface BlobStore extends AutoCloseable {

    /**
     * One entry of a folder.
     *
     * @param uri where; a folder's ends with a slash
     * @param name the last part of its path, without a slash
     * @param size bytes; 0 for a folder
     * @param folder whether it is a folder
     */
    record Entry(URI uri, String name, long size, boolean folder) {}

    /** The URI scheme served: {@code file}, {@code s3}. */
    String scheme();

    /**
     * Opens a blob.
     *
     * @throws BlobException when it is absent or may not be read
     */
    Blob open(URI uri) throws IOException;

    /** The entries directly in a folder, in order of name; empty when there is none. */
    List<Entry> list(URI folder) throws IOException;

    /** Whether {@code uri} is a blob. */
    boolean exists(URI uri) throws IOException;

    /**
     * Writes a blob whole: it is seen complete or not at all, and replaces what was there.
     *
     * @param size the number of bytes that {@code content} has
     */
    void write(URI uri, InputStream content, long size) throws IOException;

    /** Removes a blob; nothing happens when it is absent. */
    void delete(URI uri) throws IOException;

    /** What was done so far; nothing unless a store counts. Costs microseconds. */
    default StoreStats stats() {
        return StoreStats.none(scheme());
    }

    /** Reads a small blob whole: an index, a manifest. */
    default byte[] readAll(URI uri) throws IOException {
        try (Blob blob = open(uri)) {
            if (blob.size() > Integer.MAX_VALUE - 64) {
                throw new BlobException(uri + " has " + blob.size() + " bytes, too many to read whole", false);
            }
            byte[] bytes = new byte[(int) blob.size()];
            blob.read(0, java.nio.ByteBuffer.wrap(bytes));
            return bytes;
        }
    }

    @Override
    default void close() {}
}
