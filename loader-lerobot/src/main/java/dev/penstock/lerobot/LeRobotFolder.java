package dev.penstock.lerobot;

import dev.penstock.spi.BlobStore;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a LeRobot folder, listed folder by folder as they are asked for: one request a folder, however many episodes
 * it has. One thread.
 */
final class LeRobotFolder {
    private final BlobStore store;
    private final URI root;
    private final String name;
    private final Map<String, Map<String, BlobStore.Entry>> listed = new HashMap<>();

    LeRobotFolder(BlobStore store, URI root, String name) {
        this.store = store;
        this.root = root;
        this.name = name;
    }

    /** What messages call a file. */
    String readable(String path) {
        return name + path;
    }

    BlobStore store() {
        return store;
    }

    /** The address of a path below the folder, whatever characters it has. */
    URI uri(String path) {
        try {
            return root.resolve(new URI(null, null, "./" + path, null));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("'" + path + "' is no path", e);
        }
    }

    /** The entries of a folder by name; none where it does not exist. */
    Map<String, BlobStore.Entry> list(String folder) throws IOException {
        Map<String, BlobStore.Entry> entries = listed.get(folder);
        if (entries == null) {
            entries = new LinkedHashMap<>();
            for (BlobStore.Entry entry : store.list(uri(folder))) {
                entries.put(entry.name(), entry);
            }
            listed.put(folder, entries);
        }
        return entries;
    }

    boolean has(String path) throws IOException {
        int slash = path.lastIndexOf('/');
        BlobStore.Entry entry = list(path.substring(0, slash + 1)).get(path.substring(slash + 1));
        return entry != null && !entry.folder();
    }

    /**
     * Where the file at {@code path} really is: there, or under another chunk's folder in its place; null when nowhere.
     * Published sets are found whose metadata counts chunks wrong.
     */
    @Nullable
    String find(String path) throws IOException {
        if (has(path)) {
            return path;
        }
        String[] parts = path.split("/");
        for (int i = 0; i < parts.length - 1; i++) {
            if (parts[i].startsWith("chunk-")) {
                String before = String.join("/", List.of(parts).subList(0, i)) + "/";
                String behind = "/" + String.join("/", List.of(parts).subList(i + 1, parts.length));
                for (BlobStore.Entry chunk : list(before).values()) {
                    String other = before + chunk.name() + behind;
                    if (chunk.folder() && has(other)) {
                        return other;
                    }
                }
            }
        }
        return null;
    }

    /** All files below a folder whose names end with {@code ending}, by path. */
    List<String> below(String folder, String ending) throws IOException {
        List<String> files = new ArrayList<>();
        for (BlobStore.Entry entry : list(folder).values()) {
            if (entry.folder()) {
                files.addAll(below(folder + entry.name() + "/", ending));
            } else if (entry.name().endsWith(ending)) {
                files.add(folder + entry.name());
            }
        }
        return files;
    }
}
