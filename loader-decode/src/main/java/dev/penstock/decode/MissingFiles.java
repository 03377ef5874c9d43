package dev.penstock.decode;

import dev.penstock.spi.BlobStore;
import dev.penstock.spi.BlobStores;
import dev.penstock.spi.DatasetException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which files of a dataset's episodes are absent. Folders of which several files are needed are listed once instead of asking
 * for each. Immutable.
 */
final class MissingFiles {
    private static final Logger LOG = LoggerFactory.getLogger(MissingFiles.class);
    /** From so many files of one folder on, a listing is cheaper. */
    private static final int LISTED_FROM = 4;

    private static final int EPISODES_NAMED = 3;

    private final Episodes dataset;
    private final Set<URI> absent;
    /** What each episode lacks, for episodes that lack something. */
    private final Map<Episode, List<String>> lacking = new LinkedHashMap<>();

    private MissingFiles(Episodes dataset, Set<URI> absent) {
        this.dataset = dataset;
        this.absent = absent;
    }

    /**
     * Looks which files are there.
     *
     * @param cameras the cameras that are needed; null: those that each episode has
     * @param truth whether truth is needed
     */
    static MissingFiles of(Episodes dataset, @Nullable Set<String> cameras, boolean truth) throws IOException {
        Set<URI> needed = new LinkedHashSet<>();
        for (Episode episode : dataset.episodes()) {
            needed.addAll(needed(episode, cameras, truth));
        }
        MissingFiles missing = new MissingFiles(dataset, absent(needed));
        Set<String> known = new HashSet<>();
        dataset.episodes().forEach(episode -> known.addAll(episode.cameras().keySet()));
        for (Episode episode : dataset.episodes()) {
            List<String> lacks = new ArrayList<>();
            for (URI uri : needed(episode, cameras, truth)) {
                if (missing.absent.contains(uri)) {
                    lacks.add(missing.shortened(uri));
                }
            }
            for (String camera : cameras == null ? Set.<String>of() : cameras) {
                // A camera that no episode has is a wrong name, not a missing file.
                if (!episode.cameras().containsKey(camera) && known.contains(camera)) {
                    lacks.add("camera '" + camera + "'");
                }
            }
            if (!lacks.isEmpty()) {
                missing.lacking.put(episode, lacks);
            }
        }
        return missing;
    }

    private static Set<URI> needed(Episode episode, @Nullable Set<String> cameras, boolean truth) {
        Set<URI> needed = new LinkedHashSet<>();
        episode.cameras().forEach((camera, clip) -> {
            if (cameras == null || cameras.contains(camera)) {
                needed.add(clip.uri());
            }
        });
        TruthReference reference = episode.truth();
        if (truth && reference != null && reference.uri() != null) {
            needed.add(reference.uri());
        }
        return needed;
    }

    private static Set<URI> absent(Set<URI> needed) throws IOException {
        Map<URI, List<URI>> byFolder = new LinkedHashMap<>();
        needed.forEach(uri -> byFolder.computeIfAbsent(uri.resolve("."), folder -> new ArrayList<>())
                .add(uri));
        Set<URI> absent = new HashSet<>();
        for (Map.Entry<URI, List<URI>> folder : byFolder.entrySet()) {
            BlobStore store = BlobStores.of(folder.getKey());
            Map<String, Boolean> names = new HashMap<>();
            boolean listed = folder.getValue().size() >= LISTED_FROM;
            if (listed) {
                store.list(folder.getKey()).forEach(entry -> names.put(entry.name(), !entry.folder()));
            }
            for (URI uri : folder.getValue()) {
                boolean there = listed ? names.getOrDefault(Addresses.name(uri), false) : store.exists(uri);
                if (!there) {
                    absent.add(uri);
                }
            }
        }
        return absent;
    }

    private String shortened(URI uri) {
        String text = Addresses.readable(uri);
        return text.startsWith(dataset.name()) ? text.substring(dataset.name().length()) : text;
    }

    boolean isEmpty() {
        return lacking.isEmpty();
    }

    /** Each absent file or camera, with the episode that needs it. */
    List<String> list() {
        List<String> list = new ArrayList<>();
        lacking.forEach((episode, lacks) -> lacks.forEach(lack -> list.add("episode '" + episode.id() + "': " + lack)));
        return list;
    }

    /**
     * Throws what is missing where several episodes lack something: one fetch or one option mends them all.
     *
     * @param first what is said of the first problem
     */
    void throwIfSeveral(String first, @Nullable Throwable cause) throws DatasetException {
        if (lacking.size() < 2) {
            return;
        }
        String message = first + "; in all " + text() + "; fetch the files, leave the episodes out with filter, or take"
                + " what is there with allowMissing() (--allow-missing)";
        throw cause == null ? new DatasetException(message) : new DatasetException(message, cause);
    }

    /** The dataset without the episodes that lack something; the log says which. */
    Episodes rest() throws DatasetException {
        if (lacking.isEmpty()) {
            return dataset;
        }
        if (lacking.size() == dataset.episodes().size()) {
            throw new DatasetException(dataset.name() + ": " + text() + "; none is left");
        }
        LOG.warn("{}: {}; they are left out", dataset.name(), text());
        return dataset.filter(episode -> !lacking.containsKey(episode));
    }

    /** The dataset without what is absent: cameras, truth, and episodes of which nothing is left. */
    Episodes reduced() {
        List<Episode> left = new ArrayList<>();
        for (Episode episode : dataset.episodes()) {
            Map<String, Clip> cameras = new LinkedHashMap<>(episode.cameras());
            cameras.values().removeIf(clip -> absent.contains(clip.uri()));
            TruthReference truth = episode.truth();
            TruthReference kept = truth == null || absent.contains(truth.uri()) ? null : truth;
            if (!cameras.isEmpty() || kept != null) {
                left.add(new Episode(episode.id(), cameras, kept, episode.split(), episode.metadata()));
            }
        }
        return dataset.with(left);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        text.append(lacking.size()).append(" of ");
        text.append(dataset.episodes().size())
                .append(" episodes lack what they need: ")
                .append(ranges());
        text.append(". Absent are ");
        int named = 0;
        for (Map.Entry<Episode, List<String>> episode : lacking.entrySet()) {
            if (named++ == EPISODES_NAMED) {
                text.append(", ...");
                break;
            }
            text.append(named == 1 ? "" : "; ")
                    .append("of '")
                    .append(episode.getKey().id())
                    .append("' ");
            text.append(String.join(", ", episode.getValue()));
        }
        return text.toString();
    }

    /** The ids, neighbours in the dataset's order as one range. */
    private String ranges() {
        StringBuilder text = new StringBuilder();
        List<Episode> all = dataset.episodes();
        for (int i = 0; i < all.size(); i++) {
            if (!lacking.containsKey(all.get(i))) {
                continue;
            }
            int end = i;
            while (end + 1 < all.size() && lacking.containsKey(all.get(end + 1))) {
                end++;
            }
            text.append(text.isEmpty() ? "" : ", ")
                    .append("'")
                    .append(all.get(i).id())
                    .append("'");
            if (end > i) {
                text.append(end == i + 1 ? ", '" : " to '")
                        .append(all.get(end).id())
                        .append("'");
            }
            i = end;
        }
        return text.toString();
    }
}
