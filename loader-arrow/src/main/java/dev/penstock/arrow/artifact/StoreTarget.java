package dev.penstock.arrow.artifact;

import dev.penstock.spi.BlobStore;
import dev.penstock.spi.DatasetException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A place of a {@link BlobStore}: a bucket. Parts are made in a local temporary folder and stored file by file,
 * {@code part.json} last: without it a part is not there. Nothing keeps two runs apart.
 */
final class StoreTarget implements ArtifactTarget {
    private final BlobStore store;
    private final URI folder;
    private final Path work;

    StoreTarget(BlobStore store, URI uri) throws IOException {
        this.store = store;
        this.folder = uri.toString().endsWith("/") ? uri : URI.create(uri + "/");
        this.work = Files.createTempDirectory("penstock-");
    }

    private URI child(String name) {
        return folder.resolve(name);
    }

    @Override
    public void claim(String key, boolean replace) throws IOException {
        if (!store.exists(child(MARKER)) && !store.list(folder).isEmpty()) {
            throw new DatasetException(
                    "target " + folder + " is not empty and is no artifact; give another place. Nothing was changed");
        }
        Marker.claim(this, folder.toString(), key, replace);
    }

    @Override
    public @Nullable EpisodePart part(String name) throws IOException {
        byte[] json = read(name + "/" + EpisodePart.FILE);
        return json == null ? null : Marker.part(json);
    }

    @Override
    public Path stage() throws IOException {
        return Files.createTempDirectory(work, "part-");
    }

    @Override
    public void publish(Path staged, String name) throws IOException {
        store.delete(child(name + "/" + EpisodePart.FILE));
        List<Path> files;
        try (var list = Files.list(staged)) {
            files = list.filter(file -> !file.endsWith(EpisodePart.FILE))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            send(file, name);
        }
        send(staged.resolve(EpisodePart.FILE), name);
        Durable.delete(staged);
    }

    private void send(Path file, String name) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            store.write(child(name + "/" + file.getFileName()), content, Files.size(file));
        }
    }

    @Override
    public byte @Nullable [] read(String name) throws IOException {
        return store.exists(child(name)) ? store.readAll(child(name)) : null;
    }

    @Override
    public void write(String name, byte[] bytes) throws IOException {
        store.write(child(name), new ByteArrayInputStream(bytes), bytes.length);
    }

    @Override
    public void removeOthers(Set<String> folders) throws IOException {
        for (BlobStore.Entry entry : store.list(child(EPISODES + "/"))) {
            if (entry.folder() && !folders.contains(EPISODES + "/" + entry.name())) {
                // First what makes it a part, so that a run that is killed here leaves none half there.
                store.delete(entry.uri().resolve(EpisodePart.FILE));
                for (BlobStore.Entry file : store.list(entry.uri())) {
                    store.delete(file.uri());
                }
            }
        }
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public void close() throws IOException {
        Durable.delete(work);
    }
}
