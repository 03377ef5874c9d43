package dev.penstock.decode;

import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.spi.DatasetException;
import dev.penstock.view.View;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One episode, opened to be read whole: some of its cameras from first to last frame, and its truth. What ETL reads; a
 * loader takes windows instead. One thread; {@link #close} closes files and truth.
 */
public final class EpisodeSweep implements AutoCloseable {
    private final Episodes dataset;
    private final Episode episode;
    private final ClipFiles files;
    private final Map<String, ClipSweep> clips;
    private final Map<String, CameraClip> cameraClips;
    private final @Nullable EpisodeTruth truth;

    private EpisodeSweep(
            Episodes dataset,
            Episode episode,
            ClipFiles files,
            Map<String, CameraClip> cameraClips,
            @Nullable EpisodeTruth truth) {
        this.dataset = dataset;
        this.episode = episode;
        this.files = files;
        this.cameraClips = cameraClips;
        this.truth = truth;
        Map<String, ClipSweep> sweeps = new LinkedHashMap<>();
        cameraClips.forEach((camera, clip) -> sweeps.put(
                camera,
                new ClipSweep(episode.id(), camera, clip, dataset.settings().limits())));
        this.clips = Collections.unmodifiableMap(sweeps);
    }

    /**
     * Opens an episode.
     *
     * @param dataset whose settings and index cache are used
     * @param cameras the cameras to open, in the order of {@link #clips}
     * @param reference the camera whose frames the truth's frame numbers count; null: the episode's first
     * @throws DatasetException when it lacks a camera, or a clip or the truth can't be used; the message says which
     */
    public static EpisodeSweep open(
            Episodes dataset, Episode episode, Collection<String> cameras, @Nullable String reference)
            throws IOException {
        Problems problems = new Problems(dataset.name());
        ClipFiles files = new ClipFiles(dataset.settings(), dataset.cache());
        boolean opened = false;
        try {
            files.read(java.util.List.of(episode), reference == null ? cameras : with(cameras, reference), problems);
            problems.throwIfAny();
            Map<String, CameraClip> clips = new LinkedHashMap<>();
            for (String camera : cameras) {
                CameraClip clip = files.clip(episode, camera);
                if (clip == null) {
                    problems.add(
                            episode,
                            "camera '" + camera + "': the episode has no such camera, its cameras are "
                                    + episode.cameras().keySet());
                } else if (clip.frames() == 0) {
                    problems.add(episode, "camera '" + camera + "', " + clip + ": it has no frame");
                } else {
                    clips.put(camera, clip);
                }
            }
            problems.throwIfAny();
            EpisodeSweep sweep = new EpisodeSweep(
                    dataset,
                    episode,
                    files,
                    clips,
                    EpisodeTruths.open(episode, files, reference, null, new SchemaFiles(dataset.truthSchema())));
            opened = true;
            return sweep;
        } finally {
            if (!opened) {
                files.close();
            }
        }
    }

    private static Collection<String> with(Collection<String> cameras, String reference) {
        Collection<String> all = new java.util.LinkedHashSet<>(cameras);
        all.add(reference);
        return all;
    }

    /** The episode. */
    public Episode episode() {
        return episode;
    }

    /** The clips by camera. */
    public Map<String, ClipSweep> clips() {
        return clips;
    }

    /** Its truth, or null where it has none. */
    public @Nullable EpisodeTruth truth() {
        return truth;
    }

    /**
     * SHA-256 of what the episode is made of: its id, the times and sizes of its clips' packets and a few of their bytes,
     * its truth. Neither addresses nor modification times count.
     */
    public String fingerprint() throws IOException {
        return SourceFingerprint.of(episode, cameraClips, truth);
    }

    /**
     * How many samples a view has in the episode; there may be none.
     *
     * @throws DatasetException when the episode can't serve the view
     */
    public long samples(View view) throws IOException {
        return SourceBinder.samples(dataset.filter(other -> other.id().equals(episode.id())), view);
    }

    @Override
    public void close() {
        if (truth != null) {
            truth.close();
        }
        files.close();
    }
}
