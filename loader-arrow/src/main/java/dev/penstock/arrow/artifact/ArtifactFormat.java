package dev.penstock.arrow.artifact;

import dev.penstock.decode.Clip;
import dev.penstock.decode.DatasetFormat;
import dev.penstock.decode.Episode;
import dev.penstock.decode.Episodes;
import dev.penstock.decode.TruthReference;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Opens what a {@link Materializer} wrote. Found by {@link Episodes#open}. A source that has changed since is a warning in
 * the log, with counts.
 */
public final class ArtifactFormat implements DatasetFormat {

    /** For {@link java.util.ServiceLoader}. */
    public ArtifactFormat() {}

    @Override
    public String name() {
        return "artifact";
    }

    @Override
    public boolean recognises(BlobStore store, URI folder) throws IOException {
        return store.exists(folder.resolve(ArtifactTarget.MARKER));
    }

    @Override
    public Episodes open(BlobStore store, URI folder) throws IOException {
        Manifest manifest = manifest(store, folder);
        SourceWatch.warn(store, folder, manifest);
        return open(folder, manifest);
    }

    static Episodes open(URI folder, Manifest manifest) {
        List<Episode> episodes = new ArrayList<>();
        for (Manifest.Entry entry : manifest.episodes()) {
            episodes.add(episode(folder, entry.part()));
        }
        return Episodes.of(readable(folder), episodes).allowing(new ArtifactViewRule(readable(folder), manifest));
    }

    static Manifest manifest(BlobStore store, URI folder) throws IOException {
        URI file = folder.resolve(Manifest.FILE);
        if (!store.exists(file)) {
            throw new DatasetException("artifact " + readable(folder)
                    + " is not finished: it has no manifest; run penstock materialize again, which goes on where it"
                    + " stopped");
        }
        return Manifest.fromJson(readable(file), store.readAll(file));
    }

    private static Episode episode(URI folder, EpisodePart part) {
        URI place = folder.resolve(part.folder() + "/");
        Map<String, Clip> cameras = new LinkedHashMap<>();
        part.cameras()
                .forEach((camera, clip) -> cameras.put(
                        camera,
                        new Clip(place.resolve(clip.clip()), clip.from(), null, null, place.resolve(clip.index()))));
        TruthReference truth = part.truth() == null
                ? null
                : TruthReference.file(place.resolve(part.truth().file()));
        return new Episode(part.id(), cameras, truth, part.split(), part.metadata());
    }

    static String readable(URI uri) {
        return "file".equals(uri.getScheme()) && uri.getPath() != null ? uri.getPath() : uri.toString();
    }
}
