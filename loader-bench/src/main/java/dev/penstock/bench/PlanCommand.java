package dev.penstock.bench;

import dev.penstock.Loader;
import dev.penstock.ShuffleQuality;
import dev.penstock.data.BatchSpec;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.SampleSource;
import dev.penstock.view.View;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code penstock plan}: what an epoch's order is worth, in figures and as a picture. Reads no pixel. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = {
            "Print the plan of an epoch: samples, batches of this rank, and how well the order is shuffled",
            "against a full permutation. --picture draws position in the data against position in the epoch."
        })
final class PlanCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Mixin
    LoadOptions load;

    @Option(names = "--epoch", paramLabel = "E", defaultValue = "0", description = "The epoch (${DEFAULT-VALUE}).")
    int epoch;

    @Option(names = "--picture", paramLabel = "FILE", description = "Write the picture: a .svg or .png file.")
    @Nullable
    Path picture;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Episodes episodes = load.open();
        View view = load.view(episodes);
        try (Loader loader = load.loader(episodes, view).build()) {
            line(out, "order       %s, epoch %d", load.order(), epoch);
            line(out, "samples     %d of all ranks", loader.samples());
            line(
                    out,
                    "batches     %d of %d samples (%s) on rank %d of %d",
                    loader.batches(),
                    load.batch,
                    bytes(loader.spec(), load.batch),
                    load.rank,
                    load.world);
        }
        try (SampleSource source = episodes.bind(view)) {
            ShuffleQuality quality = ShuffleQuality.of(source, load.order(), epoch, load.batch);
            line(
                    out,
                    "neighbours  %.1f samples apart in the data on average: %.1f %% of a full permutation (%.1f)",
                    quality.neighbourDistance(),
                    100 * quality.distanceShare(),
                    quality.fullNeighbourDistance());
            line(
                    out,
                    "episodes    %.1f of %d in a batch on average: %.1f %% of a full permutation (%.1f)",
                    quality.blocksPerBatch(),
                    quality.blocks(),
                    100 * quality.blockShare(),
                    quality.fullBlocksPerBatch());
            if (picture != null) {
                draw(source, picture);
                line(out, "picture     %s", picture);
            }
        }
        out.flush();
        return Main.OK;
    }

    private void draw(SampleSource source, Path file) throws IOException {
        long[] trace = ShuffleQuality.trace(source, load.order(), epoch, load.batch, PlanPicture.MOST_POINTS);
        PlanPicture drawing = new PlanPicture(trace, source.size(), load.order() + ", epoch " + epoch);
        if (file.toString().toLowerCase(Locale.ROOT).endsWith(".png")) {
            Files.write(file, drawing.png());
        } else {
            Files.writeString(file, drawing.svg());
        }
    }

    private static String bytes(BatchSpec spec, int batch) {
        return String.format(Locale.ROOT, "%.1f MiB", spec.denseBytesPerSample() * batch / 1_048_576.0);
    }

    private static void line(PrintWriter out, String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
    }
}
