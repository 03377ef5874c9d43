package dev.penstock.arrow.artifact;

import dev.penstock.decode.Episode;
import dev.penstock.decode.EpisodeSweep;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.BlobStore;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log when an artifact's source is no longer what it was made of. Local sources only: there a look at each
 * file's size and time costs nothing, and only an episode that looks different is read. Never fails.
 */
final class SourceWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SourceWatch.class);
    /** Episodes that are read to see whether more than their files' times differ; of more, the look decides. */
    private static final int MOST_READ = 32;

    /** How many episodes of the source differ from the artifact's. */
    record Difference(int changed, int added, int gone) {
        boolean none() {
            return changed + added + gone == 0;
        }
    }

    private SourceWatch() {}

    static void warn(BlobStore store, URI folder, Manifest manifest) {
        try {
            URI file = folder.resolve(ArtifactTarget.SOURCE);
            SourceNote note = store.exists(file) ? SourceNote.fromJson(store.readAll(file)) : null;
            Difference difference = note == null ? null : look(note, manifest);
            if (note != null && difference != null && !difference.none()) {
                LOG.warn(
                        "artifact {}: its source {} has changed since: {} episodes changed, {} are new, {} are gone;"
                                + " penstock materialize brings it up to date",
                        ArtifactFormat.readable(folder),
                        note.place(),
                        difference.changed(),
                        difference.added(),
                        difference.gone());
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("artifact {}: its source could not be looked at", folder, e);
        }
    }

    /** Null where the source is not on this machine, or not there any more. */
    static @Nullable Difference look(SourceNote note, Manifest manifest) throws IOException {
        String place = note.place();
        if (place == null || !place.startsWith("file:")) {
            return null;
        }
        Episodes source;
        try {
            source = Episodes.open(URI.create(place));
        } catch (IOException e) {
            LOG.debug("source {} is not there any more", place, e);
            return null;
        }
        Map<String, EpisodePart> parts = new HashMap<>();
        manifest.episodes().forEach(entry -> parts.put(entry.part().id(), entry.part()));
        Set<String> known = new HashSet<>(note.files().keySet());
        int changed = 0;
        int added = 0;
        int read = 0;
        for (Episode episode : source.episodes()) {
            boolean was = known.remove(episode.id());
            EpisodePart part = parts.get(episode.id());
            if (!was) {
                added += note.whole() ? 1 : 0;
            } else if (part != null && !Objects.equals(note.files().get(episode.id()), SourceNote.look(episode))) {
                changed += read++ < MOST_READ && isSame(source, episode, manifest, part) ? 0 : 1;
            }
        }
        known.retainAll(parts.keySet());
        return new Difference(changed, added, known.size());
    }

    private static boolean isSame(Episodes source, Episode episode, Manifest manifest, EpisodePart part) {
        String reference = manifest.view().referenceCamera();
        try (EpisodeSweep sweep = EpisodeSweep.open(
                source, episode, manifest.pictures().keySet(), reference.isEmpty() ? null : reference)) {
            return sweep.fingerprint().equals(part.fingerprint());
        } catch (IOException e) {
            LOG.debug("episode '{}' of the source can't be read", episode.id(), e);
            return false;
        }
    }
}
