package dev.penstock.decode;

import dev.penstock.spi.BlobStore;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A plain folder of videos: each file directly in it is one episode with one camera. Hidden files, sub-folders and
 * files with other extensions are passed over.
 */
final class VideoFolder {
    /** Name of the only camera. */
    static final String CAMERA = "video";

    /** What counts as a video by its name; its content decides later whether it is one. */
    static final Set<String> EXTENSIONS = Set.of(
            "mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "mts", "m2ts", "mpg", "mpeg", "3gp", "ogv", "mjpeg",
            "mjpg");

    private VideoFolder() {}

    /** The folder's episodes by file name; empty when it holds no video. */
    static List<Episode> read(BlobStore store, URI folder) throws IOException {
        List<Episode> episodes = new ArrayList<>();
        for (BlobStore.Entry entry : store.list(folder)) {
            if (!entry.folder() && isVideo(entry.name())) {
                episodes.add(episode(entry.name(), entry.uri()));
            }
        }
        return episodes;
    }

    /** One file as an episode. */
    static Episode episode(String name, URI uri) {
        return Episode.of(name, Map.of(CAMERA, Clip.of(uri)));
    }

    static boolean isVideo(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0
                && name.charAt(0) != '.'
                && EXTENSIONS.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
    }
}
