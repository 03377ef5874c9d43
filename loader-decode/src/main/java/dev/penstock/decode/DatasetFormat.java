package dev.penstock.decode;

import dev.penstock.spi.BlobStore;
import java.io.IOException;
import java.net.URI;

/**
 * A kind of dataset folder that {@link Episodes#open(URI)} understands beside {@code episodes.jsonl} and plain folders
 * of videos: an artifact, a LeRobot folder. Found through {@link java.util.ServiceLoader}; instances are used from any
 * thread.
 */
public interface DatasetFormat {

    /** A short name for messages and logs: {@code "LeRobot"}. */
    String name();

    /**
     * Whether the folder is of this kind. Looks for the kind's own marker file and reads little; {@code false} for any
     * other folder, also an empty or absent one.
     *
     * @param folder ends with a slash
     */
    boolean recognises(BlobStore store, URI folder) throws IOException;

    /**
     * The folder's episodes.
     *
     * @throws dev.penstock.spi.DatasetException when the folder is of this kind but broken
     */
    Episodes open(BlobStore store, URI folder) throws IOException;
}
