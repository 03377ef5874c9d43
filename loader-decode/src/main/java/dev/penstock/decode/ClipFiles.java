package dev.penstock.decode;

import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.IndexCache;
import dev.penstock.decode.ffmpeg.ClipIndexer;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The indexed files of some cameras of some episodes: each file and stream once, however many episodes share it.
 * Filled by {@link #read}, then immutable.
 */
final class ClipFiles {
    private record Key(URI uri, int stream, @Nullable URI index) {
        static Key of(Clip clip) {
            Integer stream = clip.stream();
            return new Key(clip.uri(), stream == null ? IndexCache.BEST_STREAM : stream, clip.index());
        }
    }

    private final DecodeSettings settings;
    private final ClipIndexer indexer;
    private final Map<Key, @Nullable ClipFile> files = new LinkedHashMap<>();

    ClipFiles(DecodeSettings settings, IndexCache cache) {
        this.settings = settings;
        this.indexer = new ClipIndexer(settings.limits(), cache);
    }

    /**
     * Indexes the clips of these cameras. Files that can't be indexed are told to {@code problems}, with the first
     * episode that needs them.
     *
     * @param cameras names of the cameras; null: all that an episode has
     */
    void read(List<Episode> episodes, @Nullable Iterable<String> cameras, Problems problems) throws IOException {
        Map<Key, Episode> firstUser = new LinkedHashMap<>();
        Map<Key, String> firstCamera = new LinkedHashMap<>();
        for (Episode episode : episodes) {
            for (String camera : cameras == null ? episode.cameras().keySet() : cameras) {
                Clip clip = episode.cameras().get(camera);
                if (clip != null && firstUser.putIfAbsent(Key.of(clip), episode) == null) {
                    firstCamera.put(Key.of(clip), camera);
                }
            }
        }
        List<Key> keys = new ArrayList<>(firstUser.keySet());
        List<Callable<ClipFile>> tasks = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            int number = i;
            tasks.add(() -> index(key, number));
        }
        List<IndexPool.Outcome<ClipFile>> outcomes = new IndexPool(settings.indexThreads()).run(tasks);
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            files.put(key, outcomes.get(i).value());
            IOException failure = outcomes.get(i).failure();
            Episode user = firstUser.get(key);
            if (failure != null && user != null) {
                problems.add(user, "camera '" + firstCamera.get(key) + "': " + text(key.uri, failure), failure);
            }
        }
    }

    private static String text(URI uri, IOException failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        boolean named = message.contains(uri.toString()) || message.contains(Addresses.readable(uri));
        return named ? message : Addresses.readable(uri) + ": " + message;
    }

    private ClipFile index(Key key, int number) throws IOException {
        Blob blob = BlobStores.of(key.uri).open(key.uri);
        try {
            ClipIndex index = key.index == null ? indexer.index(blob, key.stream) : StoredIndex.read(key.index, blob);
            return new ClipFile(blob, index, number);
        } catch (IOException | RuntimeException e) {
            blob.close();
            throw e;
        }
    }

    /** The file of a clip; null when it could not be indexed. */
    @Nullable
    ClipFile of(Clip clip) {
        return files.get(Key.of(clip));
    }

    /**
     * The clip of a camera of an episode.
     *
     * @param camera null: the episode's first
     * @return null when the episode has no such camera, or it could not be indexed
     */
    @Nullable
    CameraClip clip(Episode episode, @Nullable String camera) {
        if (episode.cameras().isEmpty()) {
            return null;
        }
        String name = camera == null ? episode.cameras().keySet().iterator().next() : camera;
        Clip clip = episode.cameras().get(name);
        ClipFile file = clip == null ? null : of(clip);
        return clip == null || file == null ? null : new CameraClip(clip, file);
    }

    /** Every file that could be indexed. */
    List<ClipFile> all() {
        List<ClipFile> all = new ArrayList<>();
        for (ClipFile file : files.values()) {
            if (file != null) {
                all.add(file);
            }
        }
        return all;
    }

    /** Closes every blob; for a bind that failed. */
    void close() {
        all().forEach(file -> file.blob().close());
    }
}
