package dev.penstock.arrow.artifact;

import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where an artifact is written. Parts are made in a local folder and appear under their name whole; a part that is there
 * is done. Methods may be called from any thread, but no two for one part.
 */
interface ArtifactTarget extends AutoCloseable {
    /** Says that a place is an artifact of ours, finished or not, and which. */
    String MARKER = "penstock-artifact.json";
    /** Where the source is and what its files looked like: of this machine, so not in the manifest. */
    String SOURCE = "source.json";
    /** Folder of the parts. */
    String EPISODES = "episodes";

    /** The target of a URI. */
    static ArtifactTarget of(URI uri) throws IOException {
        return "file".equals(uri.getScheme()) || uri.getScheme() == null
                ? new LocalTarget(Path.of(uri.getScheme() == null ? URI.create("file:" + uri.getPath()) : uri))
                : new StoreTarget(BlobStores.of(uri), uri);
    }

    /**
     * Makes the place ours: an empty or absent one, or an artifact of the same key.
     *
     * @param key what its pictures are: a digest of picture rules and encoding
     * @param replace whether an artifact of another key is taken over
     * @throws IOException when it holds something else, an artifact of another key, or another run is at it
     */
    void claim(String key, boolean replace) throws IOException;

    /** What a finished part says of itself; null where it is not there, or a file of it is missing or cut. */
    @Nullable
    EpisodePart part(String folder) throws IOException;

    /** A new empty local folder to make a part in. */
    Path stage() throws IOException;

    /** Puts a whole part in its place; one that is there already is replaced. */
    void publish(Path staged, String folder) throws IOException;

    /** A file of the artifact's own folder, or null where it is absent. */
    byte @Nullable [] read(String name) throws IOException;

    /** Replaces a file of the artifact's own folder at once. */
    void write(String name, byte[] bytes) throws IOException;

    /** Removes the parts that are not among these folders. */
    void removeOthers(Set<String> folders) throws IOException;

    /** Bytes that can still be written; {@link Long#MAX_VALUE} where nobody can tell. */
    long usableBytes() throws IOException;

    @Override
    void close() throws IOException;
}
