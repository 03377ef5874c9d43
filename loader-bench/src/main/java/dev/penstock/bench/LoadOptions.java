package dev.penstock.bench;

import dev.penstock.BadSamples;
import dev.penstock.Loader;
import dev.penstock.LoaderState;
import dev.penstock.Shuffle;
import dev.penstock.decode.Episodes;
import dev.penstock.view.View;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What commands that load a dataset share: where it is, the view, the loader's settings. */
final class LoadOptions {
    /** How samples are ordered, as typed. */
    enum Order {
        NONE,
        BLOCKS,
        FULL
    }

    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Parameters(paramLabel = "PATH", description = "A folder of episodes or videos, an episodes.jsonl, or a URI.")
    String path;

    @Mixin
    DatasetOptions dataset;

    @Mixin
    ViewOptions view;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "8",
            description = "Samples in a batch (${DEFAULT-VALUE}).")
    int batch;

    @Option(
            names = "--decode",
            paramLabel = "N",
            defaultValue = "2",
            description = "Decode threads (${DEFAULT-VALUE}).")
    int decode;

    @Option(names = "--read", paramLabel = "N", defaultValue = "2", description = "Read threads (${DEFAULT-VALUE}).")
    int read;

    @Option(
            names = "--prefetch",
            paramLabel = "N",
            defaultValue = "2",
            description = "Finished batches that may wait (${DEFAULT-VALUE}).")
    int prefetch;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the shuffle; alone it means --shuffle blocks.")
    @Nullable
    Long seed;

    @Option(names = "--shuffle", description = "${COMPLETION-CANDIDATES}. Default: none, or blocks with a --seed.")
    @Nullable
    Order shuffle;

    @Option(
            names = "--buffer",
            paramLabel = "N",
            description = "Samples that a blocks shuffle mixes (" + Shuffle.DEFAULT_BUFFER + ").")
    int buffer = Shuffle.DEFAULT_BUFFER;

    @Option(names = "--rank", paramLabel = "R", defaultValue = "0", description = "This rank (${DEFAULT-VALUE}).")
    int rank;

    @Option(
            names = "--world",
            paramLabel = "W",
            defaultValue = "1",
            description = "Number of ranks (${DEFAULT-VALUE}).")
    int world;

    @Option(
            names = "--on-bad",
            defaultValue = "FAIL",
            description = "A sample that can't be had: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    BadSamples.Rule onBad;

    @Option(
            names = "--bad-share",
            paramLabel = "0..1",
            defaultValue = "0.01",
            description = "Most bad samples of an epoch (${DEFAULT-VALUE}).")
    double badShare;

    @Option(names = "--quarantine", paramLabel = "FILE", description = "JSON Lines file that names each bad sample.")
    @Nullable
    Path quarantine;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Cap on off-heap memory: 512m, 4g. Default: half of the machine's.")
    @Nullable
    String memory;

    @Option(names = "--steps", paramLabel = "N", description = "Stop after this many batches.")
    long steps = Long.MAX_VALUE;

    @Option(
            names = "--next-timeout",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "Longest wait for a batch (${DEFAULT-VALUE}).")
    long nextTimeout;

    @Option(
            names = "--sample-deadline",
            paramLabel = "SECONDS",
            description = "Longest work on one clip of a sample, read and decode; past it the sample is bad.")
    double sampleDeadline;

    @Option(
            names = "--overtake",
            paramLabel = "K",
            description = "Samples that may be handed over before a late one; the order then depends on timing.")
    int overtake;

    @Option(names = "--track-leaks", description = "Show where batches were retained that are never closed.")
    boolean trackLeaks;

    @Option(
            names = "--save-state",
            paramLabel = "FILE",
            description = "Write the state after each batch, to resume from.")
    @Nullable
    Path saveState;

    @Option(names = "--resume", paramLabel = "FILE", description = "Go on from a saved state.")
    @Nullable
    Path resume;

    @Option(names = "--autotune", description = "Raise read and decode threads while batches come faster.")
    boolean autotune;

    /** Opens the dataset. */
    Episodes open() throws IOException {
        return dataset.open(path);
    }

    /** The view over {@code episodes}. */
    View view(Episodes episodes) throws IOException {
        return view.view(episodes);
    }

    /** A builder with all settings of the command line. */
    Loader.Builder loader(Episodes episodes, View of) throws IOException {
        Loader.Builder builder;
        try {
            builder = Loader.builder(episodes, of)
                    .batchSize(batch)
                    .decodeConcurrency(decode)
                    .readConcurrency(read)
                    .prefetch(prefetch)
                    .shuffle(order())
                    .shard(rank, world)
                    .nextTimeout(Duration.ofSeconds(nextTimeout))
                    .sampleDeadline(Duration.ofMillis(Math.round(1_000 * sampleDeadline)))
                    .overtake(overtake)
                    .trackLeaks(trackLeaks)
                    .onBad(new BadSamples(
                            onBad, badShare, Long.MAX_VALUE, quarantine == null ? null : quarantine.toString()));
            if (autotune) {
                builder.autotune();
            }
            if (memory != null) {
                builder.memory(bytes(memory));
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
        }
        return resume == null ? builder : builder.resume(LoaderState.load(resume));
    }

    /** Writes the loader's state where --save-state says, whole or not at all. */
    void saveState(Loader loader) throws IOException {
        if (saveState == null) {
            return;
        }
        loader.state().save(saveState);
    }

    /** The order as typed. */
    Shuffle order() {
        Order chosen = shuffle == null ? (seed == null ? Order.NONE : Order.BLOCKS) : shuffle;
        long of = seed == null ? 0 : seed;
        return switch (chosen) {
            case NONE -> Shuffle.none();
            case BLOCKS -> Shuffle.seed(of).buffer(buffer);
            case FULL -> Shuffle.full(of);
        };
    }

    /** Reads {@code 512m}, {@code 4g}, {@code 1000000}. */
    static long bytes(String text) {
        String lower = text.toLowerCase(Locale.ROOT).replaceAll("i?b$", "");
        int shift = lower.endsWith("k")
                ? 10
                : lower.endsWith("m") ? 20 : lower.endsWith("g") ? 30 : lower.endsWith("t") ? 40 : 0;
        String number = shift == 0 ? lower : lower.substring(0, lower.length() - 1);
        try {
            return Math.multiplyExact(Long.parseLong(number), 1L << shift);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "size was '" + text + "', must be a number of bytes such as 512m or 4g", e);
        }
    }
}
