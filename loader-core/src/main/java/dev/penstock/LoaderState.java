package dev.penstock;

import dev.penstock.engine.Delivered;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.View;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a run stands: everything that a later run, perhaps with another world or batch size, needs to go on with exactly
 * the next sample. Immutable plain data, under 1 KB as JSON; taking it costs nothing.
 *
 * <p>The state names the <b>next</b> position: it moves when a batch is delivered, never at prefetch, and at an epoch's
 * end it is position 0 of the following epoch. The position is that of the global order, the same on every rank that has
 * delivered the same number of batches; take all ranks' states at the same step.
 *
 * @param version of this form
 * @param dataset digest of the dataset's fingerprint: its content, not its address
 * @param view digest of the view
 * @param shuffle the order
 * @param epoch the epoch of the next batch
 * @param position the global position of the next batch: samples of this epoch that all ranks have delivered
 * @param batchSize rows a batch when the state was taken
 * @param world ranks when the state was taken
 * @param fixedBatchSize whether the order depends on the batch size (datasets mixed by batch), so that it must stay
 * @param ahead where samples may overtake: what was delivered behind {@code position}; null where nothing can have been
 */
public record LoaderState(
        int version,
        String dataset,
        String view,
        Shuffle shuffle,
        int epoch,
        long position,
        int batchSize,
        int world,
        boolean fixedBatchSize,
        @Nullable Ahead ahead) {
    /** The form that this version writes, and the only one that it reads. */
    public static final int VERSION = 1;

    /**
     * The rows of one rank that were delivered behind the position, counted from there.
     *
     * @param rank whose rows
     * @param below all rows below this one
     * @param later and those whose bits are set: base64 of little-endian bits, bit i for row below + i
     */
    public record Ahead(int rank, long below, String later) {

        public Ahead {
            if (rank < 0 || below < 0) {
                throw new IllegalArgumentException(
                        "loader state: rank was " + rank + " and below " + below + ", both must be at least 0");
            }
            Base64.getDecoder().decode(later);
        }

        static Ahead of(int rank, Delivered rows) {
            return new Ahead(rank, rows.first(), Base64.getEncoder().encodeToString(rows.later()));
        }

        Delivered rows() {
            return Delivered.of(below, Base64.getDecoder().decode(later));
        }
    }

    public LoaderState {
        if (epoch < 0 || position < 0 || batchSize < 1 || world < 1) {
            throw new IllegalArgumentException("loader state: epoch was " + epoch + ", position " + position
                    + " (both must be at least 0), batch size " + batchSize + ", world " + world
                    + " (both must be at least 1)");
        }
    }

    /** The state of a loader that has delivered nothing. */
    static LoaderState start(SampleSource source, View view, Shuffle shuffle, int batchSize, int world) {
        return new LoaderState(
                VERSION,
                digest(source.fingerprint()),
                digest(view.toString()),
                shuffle,
                0,
                0,
                batchSize,
                world,
                source instanceof MixSource mix && mix.byBatch(),
                null);
    }

    /** The same loader at another place; an epoch that is over becomes the start of the next. */
    LoaderState at(int nextEpoch, long nextPosition, long epochSamples) {
        return at(nextEpoch, nextPosition, epochSamples, null);
    }

    /** As above, with what was delivered behind that place. */
    LoaderState at(int nextEpoch, long nextPosition, long epochSamples, @Nullable Ahead behind) {
        boolean over = nextPosition >= epochSamples;
        return new LoaderState(
                version,
                dataset,
                view,
                shuffle,
                over ? nextEpoch + 1 : nextEpoch,
                over ? 0 : nextPosition,
                batchSize,
                world,
                fixedBatchSize,
                over ? null : behind);
    }

    /** Rows of the resuming rank that are not to come again. */
    Delivered delivered() {
        return ahead == null ? Delivered.NONE : ahead.rows();
    }

    /**
     * Checks that a loader can go on from this state.
     *
     * @param now a state of that loader, at any place
     * @param rank of that loader
     * @throws ResumeException when dataset, view or order are others; the message lists every difference
     */
    void checkFits(LoaderState now, int rank) {
        List<String> differences = new ArrayList<>();
        if (version != now.version) {
            differences.add("state version was " + version + " and is " + now.version
                    + "; resume with the version of Penstock that wrote it");
        }
        if (!dataset.equals(now.dataset)) {
            differences.add("the dataset's content changed (fingerprint was " + dataset + " and is " + now.dataset
                    + "); resume on the data of the first run");
        }
        if (!view.equals(now.view)) {
            differences.add("the view changed (digest was " + view + " and is " + now.view
                    + "); use the view of the first run");
        }
        addShuffleDifferences(now.shuffle, differences);
        if ((fixedBatchSize || now.fixedBatchSize) && batchSize != now.batchSize) {
            differences.add("batch size was " + batchSize + " and is " + now.batchSize
                    + ", which changes the order of datasets mixed by batch");
        }
        if (ahead != null && world > 1 && (rank != ahead.rank || now.world != world || now.batchSize != batchSize)) {
            differences.add("the state is of rank " + ahead.rank + " of " + world + " with batch size " + batchSize
                    + " in mid-epoch with overtaking, where each rank knows only its own samples, and the loader is rank "
                    + rank + " of " + now.world + " with batch size " + now.batchSize
                    + "; resume each rank from its own state, or all at an epoch's end");
        }
        if (!differences.isEmpty()) {
            throw new ResumeException(differences);
        }
    }

    private void addShuffleDifferences(Shuffle now, List<String> differences) {
        if (shuffle.kind() != now.kind()) {
            differences.add("shuffle was " + shuffle + " and is " + now);
            return;
        }
        if (shuffle.seed() != now.seed()) {
            differences.add("seed was " + shuffle.seed() + " and is " + now.seed());
        }
        if (shuffle.buffer() != now.buffer()) {
            differences.add("shuffle buffer was " + shuffle.buffer() + " and is " + now.buffer());
        }
        if (shuffle.interleave() != now.interleave()) {
            differences.add("shuffle interleave was " + shuffle.interleave() + " and is " + now.interleave());
        }
    }

    /** One line of JSON, readable by {@link #fromJson}. */
    public String toJson() {
        return Json.MAPPER.writeValueAsString(this);
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @throws IllegalArgumentException when it is no state; the message says where
     */
    public static LoaderState fromJson(String json) {
        try {
            return Json.MAPPER.readValue(json, LoaderState.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "not a loader state: " + e.getOriginalMessage() + " at line "
                            + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr(),
                    e);
        }
    }

    /**
     * Writes the state to {@code file}, whole or not at all: aside, flushed to the disk, then renamed. Whatever happens
     * meanwhile, kill -9 and power loss included, the file holds this state or the one before.
     *
     * @throws IOException when it can't be written; the file is then as it was
     */
    public void save(Path file) throws IOException {
        Path whole = file.toAbsolutePath();
        Path aside = whole.resolveSibling(whole.getFileName() + ".part");
        ByteBuffer bytes = ByteBuffer.wrap((toJson() + "\n").getBytes(StandardCharsets.UTF_8));
        try (FileChannel channel = FileChannel.open(
                aside, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(aside, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceFolder(whole.getParent());
    }

    /** Makes the rename last, where folders can be flushed; elsewhere (Windows) the system sees to it. */
    private static void forceFolder(@Nullable Path folder) {
        if (folder != null) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            } catch (IOException e) {
                LoggerFactory.getLogger(LoaderState.class).debug("{} can't be flushed", folder, e);
            }
        }
    }

    /**
     * Reads what {@link #save} wrote.
     *
     * @throws IllegalArgumentException when it is no state; the message says where
     */
    public static LoaderState load(Path file) throws IOException {
        try {
            return fromJson(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + " is " + e.getMessage(), e);
        }
    }

    private static String digest(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** Made at first use: loading JSON's classes takes a cold JVM a third of a second. */
    private static final class Json {
        static final JsonMapper MAPPER = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .build();
    }
}
