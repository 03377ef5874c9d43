package dev.penstock.engine;

import dev.penstock.spi.LoaderException;
import dev.penstock.spi.SampleException;
import dev.penstock.spi.SampleIdentity;
import dev.penstock.spi.SampleSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Applies the bad-sample rule: counts each epoch's bad samples against the budget, names each in the quarantine file,
 * chooses substitutes. Called by collate workers; guarded by its monitor.
 */
final class BadSampleLedger {
    private static final Logger LOG = LoggerFactory.getLogger(BadSampleLedger.class);
    /** A batch in which replacements of replacements go on this long has no good neighbour left. */
    private static final int MOST_ROUNDS = 16;
    /** Log lines for bad samples, then only every so many. */
    private static final int LOGGED_ONE_BY_ONE = 10;

    private final BadSampleRule settings;
    private final SampleSource source;
    /** Guarded by this: bad samples of the epochs under way (two at most). */
    private final Map<Integer, Long> badByEpoch = new HashMap<>();

    BadSampleLedger(BadSampleRule settings, SampleSource source) {
        this.settings = settings;
        this.source = source;
    }

    BadSampleRule.Kind rule() {
        return settings.kind();
    }

    /** Whether the good rows of a batch with bad ones are delivered. */
    boolean keepsGoodRows() {
        return settings.kind() == BadSampleRule.Kind.SKIP;
    }

    /** The failure of a batch's first bad row. */
    synchronized LoaderException failed(BatchJob job) {
        int row = firstBad(job.slab);
        SampleIdentity identity = source.identify(job.slab.samples[row]);
        SampleException why = Objects.requireNonNull(job.slab.failure(row));
        record(job, identity, why);
        return new LoaderException(
                identity + " of " + job + " could not be had: " + why.getMessage()
                        + ". Mend or leave out the file, or let bad samples pass with onBad(BadSamples.skip())",
                identity,
                why);
    }

    /** Counts the bad rows; they are left out by the caller. */
    synchronized void skip(BatchJob job) {
        countAll(job);
    }

    /** Puts another sample into each bad row; returns those rows. */
    synchronized int[] substitute(BatchJob job) {
        countAll(job);
        if (++job.substitutions > MOST_ROUNDS) {
            throw new LoaderException(
                    job + ": after " + MOST_ROUNDS
                            + " rounds its substitutes are bad too; most of the dataset can't be read",
                    null);
        }
        Slab slab = job.slab;
        int[] rows = new int[slab.rows()];
        int count = 0;
        for (int row = 0; row < slab.rows(); row++) {
            if (slab.hasFailed(row)) {
                rows[count++] = row;
                slab.samples[row] = job.plan.substituteAt(slab.positions[row], job.substitutions);
                if (job.substitutions == 1 && !slab.padding[row]) {
                    job.substituted++;
                }
            }
        }
        return java.util.Arrays.copyOf(rows, count);
    }

    private void countAll(BatchJob job) {
        for (int row = 0; row < job.slab.rows(); row++) {
            SampleException why = job.slab.failure(row);
            if (why != null) {
                count(job, source.identify(job.slab.samples[row]), why);
            }
        }
    }

    private void count(BatchJob job, SampleIdentity identity, SampleException why) {
        badByEpoch.keySet().removeIf(e -> e < job.epoch - 1);
        long badOfEpoch = badByEpoch.merge(job.epoch, 1L, Long::sum);
        record(job, identity, why);
        if (badOfEpoch <= LOGGED_ONE_BY_ONE || Long.bitCount(badOfEpoch) == 1) {
            LOG.warn("{} is bad ({} in epoch {} so far): {}", identity, badOfEpoch, job.epoch, why.getMessage());
        }
        long planned = job.plan.plannedSamples();
        if (badOfEpoch > settings.mostCount() || badOfEpoch > Math.max(1, settings.mostShare() * planned)) {
            throw new LoaderException(
                    String.format(
                            java.util.Locale.ROOT,
                            "%d of %d samples of epoch %d are bad, more than the budget of %.2f %% and %d; the last was %s: %s."
                                    + " Mend the data%s, or raise the budget with onBad(BadSamples.%s().budget(share, count))",
                            badOfEpoch,
                            planned,
                            job.epoch,
                            100 * settings.mostShare(),
                            settings.mostCount(),
                            identity,
                            why.getMessage(),
                            settings.quarantine() == null ? "" : " (listed in " + settings.quarantine() + ")",
                            settings.kind().name().toLowerCase(java.util.Locale.ROOT)),
                    identity,
                    why);
        }
    }

    private void record(BatchJob job, SampleIdentity identity, SampleException why) {
        String file = settings.quarantine();
        if (file != null) {
            append(Path.of(file), line(job, identity, why));
        }
    }

    private static String line(BatchJob job, SampleIdentity identity, SampleException why) {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("dataset", identity.dataset());
        entry.put("episode", identity.episode());
        entry.put("camera", why.camera());
        entry.put("frame", why.frame());
        entry.put("sample", identity.sample());
        entry.put("anchorSeconds", identity.anchorSeconds());
        entry.put("epoch", job.epoch);
        entry.put("batch", job.number);
        entry.put("reason", why.getMessage());
        entry.put("time", Instant.now().toString());
        return Json.MAPPER.writeValueAsString(entry) + "\n";
    }

    private static void append(Path file, String line) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new LoaderException("the quarantine file " + file + " can't be written: " + e.getMessage(), e);
        }
    }

    private static int firstBad(Slab slab) {
        for (int row = 0; row < slab.rows(); row++) {
            if (slab.hasFailed(row)) {
                return row;
            }
        }
        throw new IllegalStateException("no row failed");
    }

    /** Made at first use: loading JSON's classes takes a cold JVM a third of a second. */
    private static final class Json {
        static final JsonMapper MAPPER = new JsonMapper();
    }
}
