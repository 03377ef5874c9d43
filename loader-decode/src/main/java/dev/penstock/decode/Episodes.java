package dev.penstock.decode;

import dev.penstock.decode.clip.IndexCache;
import dev.penstock.decode.ffmpeg.FfmpegLibrary;
import dev.penstock.decode.truth.TruthSchema;
import dev.penstock.spi.BlobStore;
import dev.penstock.spi.BlobStores;
import dev.penstock.spi.Dataset;
import dev.penstock.spi.DatasetException;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.View;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of {@link Episode}s: clips of one or more cameras, and ground truth over the same time.
 *
 * <p>{@link #open} takes an {@code episodes.jsonl} index, a folder that holds one, a folder of a kind that a
 * {@link DatasetFormat} on the class path knows, a plain folder of videos, or one video; local or wherever a
 * {@link BlobStore} reaches. It reads the index and no video. docs/formats.md shows the index.
 *
 * <pre>{@code
 * Episodes drives = Episodes.open("s3://bucket/drives/").split("train")
 *         .filter(e -> "rain".equals(e.metadata().get("weather")));
 * }</pre>
 *
 * <p>Immutable and thread-safe: {@link #filter}, {@link #split} and {@link #with} return new datasets.
 */
public final class Episodes implements Dataset {
    /** Name of the index in a dataset's folder. */
    public static final String INDEX = "episodes.jsonl";

    /** Name of the truth schema in a dataset's folder. */
    public static final String SCHEMA = "truth-schema.json";

    private final String name;
    private final List<Episode> episodes;
    private final DecodeSettings settings;
    /** Shared by all datasets made from this one, so that binding a second view indexes nothing again. */
    private final IndexCache cache;

    private final Terms terms;

    /**
     * Where a dataset comes from, and on what terms its views are bound.
     *
     * @param place where it was opened; null for one made in code
     * @param whole whether no episode of the place was filtered out
     * @param rule which views it serves
     * @param schema what every truth record is checked against, where the episode names no schema of its own
     * @param missingAllowed whether files may be absent
     */
    private record Terms(
            @Nullable URI place,
            boolean whole,
            ViewRule rule,
            @Nullable TruthSchema schema,
            boolean missingAllowed) {}

    private Episodes(String name, List<Episode> episodes, DecodeSettings settings, IndexCache cache, Terms terms) {
        this.name = name;
        this.episodes = episodes;
        this.settings = settings;
        this.cache = cache;
        this.terms = terms;
    }

    /**
     * Opens a dataset by path or URI, as people type it.
     *
     * @throws DatasetException when there is none, or its index is wrong: file, line, field and what to do
     * @throws IOException when it can't be read
     */
    public static Episodes open(String pathOrUri) throws IOException {
        return open(BlobStores.uri(pathOrUri));
    }

    /** Opens a dataset on this machine; see {@link #open(String)}. */
    public static Episodes open(Path path) throws IOException {
        return open(path.toAbsolutePath().normalize().toUri());
    }

    /** Opens a dataset anywhere; see {@link #open(String)}. */
    public static Episodes open(URI uri) throws IOException {
        FfmpegLibrary.loadAhead();
        return openAt(uri).at(uri);
    }

    private static Episodes openAt(URI uri) throws IOException {
        BlobStore store = BlobStores.of(uri);
        if (!uri.toString().endsWith("/") && store.exists(uri)) {
            return openFile(store, uri);
        }
        URI folder = Addresses.folder(uri);
        for (DatasetFormat format : ServiceLoader.load(DatasetFormat.class, DatasetFormat.class.getClassLoader())) {
            if (format.recognises(store, folder)) {
                return SchemaFiles.withSchemaOf(format.open(store, folder), store, folder);
            }
        }
        URI index = Addresses.child(folder, INDEX);
        if (store.exists(index)) {
            Episodes indexed = of(Addresses.readable(folder), EpisodeLines.read(store, index));
            return SchemaFiles.withSchemaOf(indexed, store, folder);
        }
        List<Episode> videos = VideoFolder.read(store, folder);
        if (videos.isEmpty()) {
            throw new DatasetException(Addresses.readable(uri) + " is no dataset: it "
                    + (store.list(folder).isEmpty()
                            ? "does not exist or is empty"
                            : "holds neither " + INDEX + " nor a video directly in it")
                    + "; give a folder with " + INDEX + ", the index itself, or a folder of videos ("
                    + String.join(", ", new TreeSet<>(VideoFolder.EXTENSIONS)) + ")");
        }
        return of(Addresses.readable(folder), videos);
    }

    /** A dataset made in code; ids must be unique. */
    public static Episodes of(List<Episode> episodes) {
        return of("episodes", episodes);
    }

    /**
     * A dataset made in code.
     *
     * @param name what messages call it
     * @throws IllegalArgumentException when two episodes have the same id
     */
    public static Episodes of(String name, List<Episode> episodes) {
        Set<String> ids = new HashSet<>();
        for (Episode episode : episodes) {
            if (!ids.add(episode.id())) {
                throw new IllegalArgumentException(
                        name + " has two episodes '" + episode.id() + "'; ids must be unique");
            }
        }
        return new Episodes(
                Objects.requireNonNull(name, "name"),
                List.copyOf(episodes),
                DecodeSettings.DEFAULT,
                DecodeSettings.DEFAULT.newCache(),
                new Terms(null, true, ViewRule.ANY, null, false));
    }

    @Override
    public String name() {
        return name;
    }

    /** The episodes, in the index's order. */
    public List<Episode> episodes() {
        return episodes;
    }

    /** How clips are indexed and decoded. */
    public DecodeSettings settings() {
        return settings;
    }

    /** The same episodes, indexed and decoded with other settings. */
    public Episodes with(DecodeSettings other) {
        Objects.requireNonNull(other, "settings");
        return new Episodes(name, episodes, other, other.newCache(), terms);
    }

    private Episodes with(Terms other) {
        return new Episodes(name, episodes, settings, cache, other);
    }

    /**
     * The same episodes, of whose truth every record is checked against a schema: one that breaks it is an error with
     * episode, file, line and field when a view is bound. An episode that names a schema of its own keeps it. {@link #open}
     * takes {@link #SCHEMA} in the dataset's folder; null: no schema.
     */
    public Episodes truthSchema(@Nullable TruthSchema schema) {
        return with(new Terms(terms.place, terms.whole, terms.rule, schema, terms.missingAllowed));
    }

    /** What every truth record is checked against, or null. */
    public @Nullable TruthSchema truthSchema() {
        return terms.schema;
    }

    /**
     * The same dataset, of which files may be absent: half a download, a subset. {@link #bind} then leaves out the episodes
     * that lack a file which the view needs, with a warning that counts and names them; {@link #describe} leaves out what is
     * absent and lists it. Without this, an absent file is an error that lists what is missing.
     */
    public Episodes allowMissing() {
        return with(new Terms(terms.place, terms.whole, terms.rule, terms.schema, true));
    }

    /**
     * The episodes that a view is bound to: all, or of {@link #allowMissing()} those that have every file which the view
     * needs.
     *
     * @throws DatasetException when none is left
     */
    public Episodes present(View view) throws IOException {
        return terms.missingAllowed
                ? MissingFiles.of(this, SourceBinder.cameras(view), EpisodeTruths.isNeeded(view))
                        .rest()
                : this;
    }

    boolean isMissingAllowed() {
        return terms.missingAllowed;
    }

    /** The episodes for which {@code wanted} is true, in the same order; there may be none. */
    public Episodes filter(Predicate<? super Episode> wanted) {
        List<Episode> kept = new ArrayList<>();
        for (Episode episode : episodes) {
            if (wanted.test(episode)) {
                kept.add(episode);
            }
        }
        return with(kept);
    }

    /** The same dataset with these episodes of it. */
    Episodes with(List<Episode> part) {
        boolean all = terms.whole && part.size() == episodes.size();
        Terms left = new Terms(terms.place, all, terms.rule, terms.schema, terms.missingAllowed);
        return new Episodes(name, List.copyOf(part), settings, cache, left);
    }

    /** The same dataset, which refuses views that {@code allowed} refuses: for a format that holds less than its source. */
    public Episodes allowing(ViewRule allowed) {
        Objects.requireNonNull(allowed, "allowed");
        return with(new Terms(terms.place, terms.whole, allowed, terms.schema, terms.missingAllowed));
    }

    private Episodes at(URI address) {
        return with(new Terms(address, terms.whole, terms.rule, terms.schema, terms.missingAllowed));
    }

    /**
     * The episodes of one split.
     *
     * @throws IllegalArgumentException when no episode is of that split; the message lists the splits
     */
    public Episodes split(String split) {
        Episodes part = filter(e -> split.equals(e.split()));
        if (part.episodes.isEmpty()) {
            Set<String> splits = new TreeSet<>();
            episodes.forEach(e -> splits.add(e.split() == null ? "(none)" : e.split()));
            throw new IllegalArgumentException(
                    name + " has no episode of split '" + split + "'; its splits are " + splits);
        }
        return part;
    }

    /** Where it was opened; null for a dataset made in code. */
    public @Nullable URI place() {
        return terms.place;
    }

    /** Whether it has all the episodes of its place: neither {@link #filter} nor {@link #split} left one out. */
    public boolean isWhole() {
        return terms.whole;
    }

    @Override
    public SampleSource bind(View view) throws IOException {
        terms.rule.check(view);
        return SourceBinder.bind(this, view);
    }

    /**
     * Reads the whole truth of every episode: its fields, the values seen, what is missing. Needs no video, but for the times
     * of frames that records are keyed by. One episode's truth is open at a time.
     *
     * @throws DatasetException when some truth can't be read, or two episodes' don't go together
     */
    public TruthSummary describeTruth() throws IOException {
        return TruthScan.read(this);
    }

    /**
     * Looks at every clip and truth and says what the dataset holds. Indexes clips that are not in the index cache.
     *
     * @throws IOException when one can't be read
     */
    public DatasetSummary describe() throws IOException {
        return SummaryReader.read(this);
    }

    IndexCache cache() {
        return cache;
    }

    @Override
    public String toString() {
        return name + ": " + episodes.size() + " episodes";
    }

    private static Episodes openFile(BlobStore store, URI uri) throws IOException {
        String file = Addresses.name(uri);
        if (file.endsWith(".jsonl")) {
            Episodes indexed = of(Addresses.readable(uri), EpisodeLines.read(store, uri));
            return SchemaFiles.withSchemaOf(indexed, store, uri.resolve("."));
        }
        if (VideoFolder.isVideo(file)) {
            return of(Addresses.readable(uri), List.of(VideoFolder.episode(file, uri)));
        }
        throw new DatasetException(Addresses.readable(uri) + " is neither an index (.jsonl) nor a video ("
                + String.join(", ", new TreeSet<>(VideoFolder.EXTENSIONS)) + ")");
    }
}
