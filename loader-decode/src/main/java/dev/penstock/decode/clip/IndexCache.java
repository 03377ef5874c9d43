package dev.penstock.decode.clip;

import dev.penstock.spi.Blob;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps clip indexes in memory and, where told, in files: in a cache folder, or beside the data. Thread-safe; two
 * threads that ask for the same new clip may both build it, and either result is kept.
 *
 * <p>An index is used only for the blob it was made from: its identity and size must match. A stale, damaged or
 * foreign file is built anew and replaced. A file that cannot be written is logged once and costs nothing else.
 */
public final class IndexCache {
    private static final Logger LOG = LoggerFactory.getLogger(IndexCache.class);
    /** Stream number that stands for the container's best video stream. */
    public static final int BEST_STREAM = -1;

    /** Builds an index where the cache has none. */
    @FunctionalInterface
    public interface Build {
        /** Reads the blob and returns its index. */
        ClipIndex build() throws IOException;
    }

    private enum Place {
        MEMORY,
        FOLDER,
        BESIDE
    }

    private final Place place;
    private final @Nullable Path folder;
    private final int limit;
    /** Guarded by {@code this}; least recently used first. */
    private final LinkedHashMap<String, ClipIndex> memory = new LinkedHashMap<>(64, 0.75f, true);
    /** Guarded by {@code this}. */
    private boolean writeFailureLogged;

    private IndexCache(Place place, @Nullable Path folder, int limit) {
        this.place = place;
        this.folder = folder;
        this.limit = limit;
    }

    /** Keeps up to 4,096 indexes in memory, none in files. */
    public static IndexCache inMemory() {
        return new IndexCache(Place.MEMORY, null, 4096);
    }

    /** Keeps indexes in memory and as files of this folder, which is made on first use. */
    public static IndexCache inFolder(Path folder) {
        return new IndexCache(Place.FOLDER, folder, 4096);
    }

    /** Keeps indexes in memory and as {@code <clip>.pidx} beside each local clip. */
    public static IndexCache besideData() {
        return new IndexCache(Place.BESIDE, null, 4096);
    }

    /**
     * Keeps indexes in the user's cache folder: the system property {@code penstock.indexCache}, else
     * {@code $XDG_CACHE_HOME/penstock/index}, else {@code ~/.cache/penstock/index}.
     */
    public static IndexCache inUserCache() {
        String chosen = System.getProperty("penstock.indexCache");
        if (chosen != null) {
            return inFolder(Path.of(chosen));
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path base = xdg == null || xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return inFolder(base.resolve("penstock").resolve("index"));
    }

    /** The blob's index: from memory, from its file, or built and kept. */
    public ClipIndex get(Blob blob, int stream, Build build) throws IOException {
        String key = stream + " " + blob.uri();
        ClipIndex known;
        synchronized (this) {
            known = memory.get(key);
        }
        if (known != null && known.isOf(blob.identity(), blob.size())) {
            return known;
        }
        Path file = fileOf(blob.uri(), stream);
        ClipIndex index = file == null ? null : read(file, blob, stream);
        if (index == null) {
            index = build.build();
            if (file != null) {
                write(file, index);
            }
        }
        remember(key, index);
        return index;
    }

    private synchronized void remember(String key, ClipIndex index) {
        memory.put(key, index);
        if (memory.size() > limit) {
            Map.Entry<String, ClipIndex> eldest = memory.entrySet().iterator().next();
            memory.remove(eldest.getKey());
        }
    }

    private static @Nullable ClipIndex read(Path file, Blob blob, int stream) {
        try {
            ClipIndex index = ClipIndexFile.decode(Files.readAllBytes(file));
            boolean same = index.uri().equals(blob.uri())
                    && index.isOf(blob.identity(), blob.size())
                    && (stream == BEST_STREAM || stream == index.source().stream());
            if (!same) {
                LOG.debug("index file {} is stale; building it anew", file);
            }
            return same ? index : null;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            LOG.info("index file {} cannot be used ({}); building it anew", file, e.getMessage());
            return null;
        }
    }

    private void write(Path file, ClipIndex index) {
        try {
            ClipIndexFile.write(file, index);
        } catch (IOException e) {
            synchronized (this) {
                if (!writeFailureLogged) {
                    writeFailureLogged = true;
                    LOG.warn("index files cannot be kept in {}: {}", file.getParent(), e.toString());
                }
            }
        }
    }

    private @Nullable Path fileOf(URI uri, int stream) {
        String suffix = (stream == BEST_STREAM ? "" : "." + stream) + ClipIndexFile.EXTENSION;
        if (place == Place.FOLDER && folder != null) {
            return folder.resolve(digest(uri.toString()) + suffix);
        }
        if (place == Place.BESIDE && "file".equals(uri.getScheme())) {
            return Path.of(uri.getPath() + suffix);
        }
        return null;
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
