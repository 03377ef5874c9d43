package dev.penstock.arrow.artifact;

import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episodes;
import dev.penstock.decode.clip.ClipIndex;
import dev.penstock.decode.clip.ClipIndexFile;
import dev.penstock.decode.ffmpeg.ClipIndexer;
import dev.penstock.decode.truth.EpisodeTruth;
import dev.penstock.decode.truth.TruthInput;
import dev.penstock.decode.truth.TruthTables;
import dev.penstock.spi.Blob;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.BlobStores;
import dev.penstock.spi.LoaderException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that an artifact is what its manifest says: every file's size and SHA-256, each clip's index against the clip,
 * counts of frames, records and samples, and that some windows can be loaded. Reads every byte once and changes nothing.
 */
public final class ArtifactCheck {
    /**
     * What was found.
     *
     * @param damages one line each; empty when all is well
     * @param episodes episodes of the manifest
     * @param files files that were read
     * @param bytes their size
     * @param windows samples that were loaded
     */
    public record Result(List<String> damages, int episodes, int files, long bytes, long windows) {
        /** Whether nothing is damaged. */
        public boolean isSound() {
            return damages.isEmpty();
        }
    }

    private static final int THREADS = 4;

    private final URI folder;
    private final BlobStore store;
    private final int windows;
    private final long seed;

    private ArtifactCheck(URI folder, int windows, long seed) {
        this.folder = folder;
        this.store = BlobStores.of(folder);
        this.windows = windows;
        this.seed = seed;
    }

    /**
     * Checks an artifact.
     *
     * @param artifact its folder
     * @param windows samples to load, chosen by {@code seed}
     * @throws IOException when the place can't be read at all
     */
    public static Result of(URI artifact, int windows, long seed) throws IOException, InterruptedException {
        URI folder = artifact.toString().endsWith("/") ? artifact : URI.create(artifact + "/");
        return new ArtifactCheck(folder, windows, seed).check();
    }

    private Result check() throws IOException, InterruptedException {
        if (!store.exists(folder.resolve(ArtifactTarget.MARKER))) {
            return nothing(ArtifactFormat.readable(folder) + " is no artifact: it has no " + ArtifactTarget.MARKER);
        }
        Manifest manifest;
        try {
            manifest = ArtifactFormat.manifest(store, folder);
        } catch (IOException e) {
            return nothing(String.valueOf(e.getMessage()));
        }
        List<List<String>> found = new WorkThreads(THREADS).each(manifest.episodes(), entry -> part(entry.part()));
        List<String> damages = new ArrayList<>();
        Set<String> damaged = new HashSet<>();
        for (int i = 0; i < found.size(); i++) {
            damages.addAll(found.get(i));
            if (!found.get(i).isEmpty()) {
                damaged.add(manifest.episodes().get(i).part().id());
            }
        }
        if (!Manifest.Totals.of(manifest.episodes()).equals(manifest.totals())) {
            damages.add("manifest: its totals " + manifest.totals() + " are not the sums of its episodes, "
                    + Manifest.Totals.of(manifest.episodes()));
        }
        long loaded = load(manifest, damaged, damages);
        int files = manifest.episodes().stream()
                .mapToInt(entry -> entry.part().files().size())
                .sum();
        return new Result(
                List.copyOf(damages),
                manifest.episodes().size(),
                files,
                manifest.totals().bytes(),
                loaded);
    }

    private static Result nothing(String damage) {
        return new Result(List.of(damage), 0, 0, 0, 0);
    }

    private List<String> part(EpisodePart part) {
        List<String> damages = new ArrayList<>();
        URI place = folder.resolve(part.folder() + "/");
        String prefix = "episode '" + part.id() + "', ";
        try {
            EpisodePart own = store.exists(place.resolve(EpisodePart.FILE))
                    ? Marker.part(store.readAll(place.resolve(EpisodePart.FILE)))
                    : null;
            if (own == null || !own.described(part.split(), part.metadata()).equals(part)) {
                damages.add(prefix + part.folder() + "/" + EpisodePart.FILE
                        + (own == null ? ": it is missing or damaged" : ": it differs from the manifest"));
            }
        } catch (IOException e) {
            damages.add(prefix + part.folder() + "/" + EpisodePart.FILE + ": " + e.getMessage());
        }
        Set<String> wrong = new HashSet<>();
        for (EpisodePart.FilePart file : part.files()) {
            String damage = file(place, file);
            if (damage != null) {
                damages.add(prefix + part.folder() + "/" + file.name() + ": " + damage);
                wrong.add(file.name());
            }
        }
        part.cameras().forEach((camera, clip) -> {
            if (!wrong.contains(clip.clip()) && !wrong.contains(clip.index())) {
                String damage = clip(place, clip);
                if (damage != null) {
                    damages.add(prefix + "camera '" + camera + "': " + damage);
                }
            }
        });
        EpisodePart.TruthPart truth = part.truth();
        if (truth != null && wrong.stream().noneMatch(name -> name.startsWith("truth."))) {
            String damage = truth(part.id(), place, truth);
            if (damage != null) {
                damages.add(prefix + "truth: " + damage);
            }
        }
        return damages;
    }

    private @Nullable String file(URI place, EpisodePart.FilePart file) {
        URI uri = place.resolve(file.name());
        try {
            if (!store.exists(uri)) {
                return "it is missing";
            }
            try (Blob blob = store.open(uri)) {
                if (blob.size() != file.bytes()) {
                    return "it has " + blob.size() + " bytes, " + file.bytes() + " were written";
                }
            }
            String sum = Digests.of(uri);
            return sum.equals(file.sha256())
                    ? null
                    : "its SHA-256 is " + sum + ", that of what was written is " + file.sha256();
        } catch (IOException e) {
            return "it can't be read: " + e.getMessage();
        }
    }

    /** The index must be the clip's: the same packets at the same places. */
    private @Nullable String clip(URI place, EpisodePart.ClipPart clip) {
        try (Blob blob = store.open(place.resolve(clip.clip()))) {
            ClipIndex index = ClipIndexFile.decode(store.readAll(place.resolve(clip.index())));
            if (index.frameCount() != clip.frames()) {
                return "its index lists " + index.frameCount() + " frames, the manifest " + clip.frames();
            }
            if (index.format().codec().equals("rawvideo")) {
                int last = index.packetOf(index.frameCount() - 1);
                long end = index.packets().pos(last) + index.packets().size(last);
                return end <= blob.size() ? null : "its index ends at byte " + end + " of " + blob.size();
            }
            ClipIndex found = new ClipIndexer().index(blob);
            for (int p = 0; p < index.packets().count(); p++) {
                if (p >= found.packets().count()
                        || found.packets().pos(p) != index.packets().pos(p)
                        || found.packets().size(p) != index.packets().size(p)) {
                    return "packet " + p + " of its index is not at its place in the clip";
                }
            }
            return null;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static @Nullable String truth(String id, URI place, EpisodePart.TruthPart part) {
        try (EpisodeTruth truth = TruthTables.open(TruthInput.file(id, place.resolve(part.file())))) {
            long records =
                    truth.tables().stream().mapToLong(table -> table.records()).sum();
            return records == part.records() ? null : "it has " + records + " records, the manifest " + part.records();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Loads some samples of the episodes that are whole so far; returns how many. */
    private long load(Manifest manifest, Set<String> damaged, List<String> damages) {
        Episodes sound = ArtifactFormat.open(folder, manifest).filter(episode -> !damaged.contains(episode.id()));
        long expected = 0;
        for (Manifest.Entry entry : manifest.episodes()) {
            expected += damaged.contains(entry.part().id()) ? 0 : entry.samples();
        }
        if (expected == 0) {
            return 0;
        }
        long loaded = 0;
        try (Loader loader = Loader.builder(sound, manifest.view())
                .batchSize(1)
                .shuffle(Shuffle.full(seed))
                .epochs(1)
                .build()) {
            if (loader.samples() != expected) {
                damages.add("the view has " + loader.samples() + " samples, the manifest says " + expected);
            }
            for (Batch batch : loader) {
                loaded += batch.size();
                if (loaded >= windows) {
                    break;
                }
            }
        } catch (IOException | LoaderException e) {
            damages.add("a window can't be loaded: " + e.getMessage());
        }
        return loaded;
    }
}
