package dev.penstock.bench.jmh;

import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.decode.Episode;
import dev.penstock.view.Layout;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long a loader takes from its start to its first batch, many starts one after another in one JVM: eight windows of
 * 16 frames at 224×224, two decode threads, the clips' indexes in the cache. Prints quartiles of the building of the
 * loader and of the time from the first {@code iterator()} to the first batch.
 */
@Command(name = "FirstBatch", mixinStandardHelpOptions = true)
public final class FirstBatch implements Callable<Integer> {
    @Option(names = "--clips", defaultValue = "lo", description = "lo, log8, hi, exact.")
    private String clips = "";

    @Option(names = "--starts", defaultValue = "40")
    private int starts;

    @Option(names = "--warm-up", defaultValue = "10", description = "Starts before, which are not counted.")
    private int warmUp;

    @Option(names = "--layout", defaultValue = "TCHW")
    private Layout layout = Layout.TCHW;

    /** Prints the quartiles. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new FirstBatch()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        List<Episode> episodes = BenchClips.of(clips, 1).episodes();
        double[] build = new double[starts];
        double[] first = new double[starts];
        for (int i = -warmUp; i < starts; i++) {
            long begin = System.nanoTime();
            try (Loader loader = LoaderBenchmark.builder(episodes, layout)
                    .shuffle(Shuffle.full(i))
                    .decodeConcurrency(2)
                    .build()) {
                long built = System.nanoTime();
                loader.iterator().next();
                if (i >= 0) {
                    build[i] = (built - begin) / 1e6;
                    first[i] = (System.nanoTime() - built) / 1e6;
                }
            }
        }
        System.out.printf(
                "first batch of %s, %d starts, milliseconds: quarter, median, three quarters%n", clips, starts);
        print("building the loader", build);
        print("iterator() to the first batch", first);
        return 0;
    }

    private static void print(String what, double[] values) {
        Arrays.sort(values);
        System.out.printf(
                "  %-30s %6.1f %6.1f %6.1f   (%.1f to %.1f)%n",
                what,
                values[values.length / 4],
                values[values.length / 2],
                values[values.length * 3 / 4],
                values[0],
                values[values.length - 1]);
    }
}
