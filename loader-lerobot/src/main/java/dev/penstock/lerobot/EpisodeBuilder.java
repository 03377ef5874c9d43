package dev.penstock.lerobot;

import dev.penstock.decode.Clip;
import dev.penstock.decode.Episode;
import dev.penstock.decode.TruthReference;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the episodes of a LeRobot folder from what its metadata says of each. A video feature of which not one file is there
 * is no camera; a single file that is absent is kept, so that whoever needs it is told. One use, one thread.
 */
final class EpisodeBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(EpisodeBuilder.class);

    /** An episode so far: where its files should be. */
    private record Draft(int index, Map<String, Clip> clips, TruthReference truth, Map<String, Object> metadata) {}

    private final LeRobotInfo info;
    private final LeRobotFolder files;
    private final List<String> tasks;
    private final List<Draft> drafts = new ArrayList<>();
    private final Set<String> camerasWithFiles = new LinkedHashSet<>();
    private int moved;

    /** @param tasks the text of each task number */
    EpisodeBuilder(LeRobotInfo info, LeRobotFolder files, List<String> tasks) {
        this.info = info;
        this.files = files;
        this.tasks = tasks;
    }

    /** The names of the video features. */
    List<String> videoKeys() {
        List<String> keys = new ArrayList<>();
        info.features().forEach((name, kind) -> {
            if (kind.equals("video")) {
                keys.add(name);
            }
        });
        return keys;
    }

    /**
     * Starts an episode.
     *
     * @param values of the fields in the data file's path
     * @param shared whether its rows are to be found by their episode number
     */
    void episode(int index, Map<String, Object> values, boolean shared, Map<String, Object> metadata)
            throws IOException {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("fps", info.fps());
        options.put("tasks", tasks);
        if (shared) {
            options.put("episode", index);
        }
        String path = locate(info.path(info.dataPath(), values));
        drafts.add(new Draft(index, new LinkedHashMap<>(), TruthReference.file(files.uri(path), options), metadata));
    }

    /** Adds a camera to the episode that was started last. */
    void camera(String key, Map<String, Object> values, @Nullable Double from, @Nullable Double to) throws IOException {
        String pattern = info.videoPath();
        if (pattern == null) {
            throw new DatasetException(info.where() + ": feature '" + key + "' is a video, but video_path is missing");
        }
        String path = locate(info.path(pattern, values));
        if (files.has(path)) {
            camerasWithFiles.add(key);
        }
        Draft draft = drafts.get(drafts.size() - 1);
        try {
            draft.clips.put(key, new Clip(files.uri(path), from, to, null));
        } catch (IllegalArgumentException e) {
            throw new DatasetException(
                    info.where() + ": episode " + draft.index + ", camera '" + key + "': " + e.getMessage(), e);
        }
    }

    private String locate(String path) throws IOException {
        String found = files.find(path);
        moved += found == null || found.equals(path) ? 0 : 1;
        return found == null ? path : found;
    }

    /** The episodes, in the metadata's order. */
    List<Episode> episodes() throws DatasetException {
        List<Episode> episodes = new ArrayList<>();
        Set<Integer> seen = new LinkedHashSet<>();
        for (Draft draft : drafts) {
            if (!seen.add(draft.index)) {
                throw new DatasetException(info.where() + ": the metadata lists episode " + draft.index + " twice");
            }
            Map<String, Clip> cameras = new LinkedHashMap<>(draft.clips);
            cameras.keySet().retainAll(camerasWithFiles);
            episodes.add(new Episode(
                    String.valueOf(draft.index), cameras, draft.truth, info.splitOf(draft.index), draft.metadata));
        }
        report();
        return episodes;
    }

    private void report() {
        if (moved > 0) {
            LOG.info("{}: {} files are in another chunk's folder than the metadata says", info.where(), moved);
        }
        List<String> without = videoKeys();
        without.removeAll(camerasWithFiles);
        if (!without.isEmpty()) {
            LOG.warn("{}: no file of the video features {} is there; they are left out", info.where(), without);
        }
        List<String> images = new ArrayList<>();
        info.features().forEach((name, kind) -> {
            if (kind.equals("image")) {
                images.add(name);
            }
        });
        if (!images.isEmpty()) {
            LOG.warn("{}: the features {} are images inside Parquet, which are not read", info.where(), images);
        }
    }
}
