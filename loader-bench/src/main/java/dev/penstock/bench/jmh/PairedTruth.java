package dev.penstock.bench.jmh;

import dev.penstock.bench.Quantiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@link TruthBenchmark} on a noisy machine: in every round each format collates the very same samples, one format after
 * the other, so that a slow spell of the machine meets all of them. Prints the median and the quietest time of a batch,
 * and of each format the median over the rounds of its ratio to JSON.
 */
@Command(name = "PairedTruth", mixinStandardHelpOptions = true)
public final class PairedTruth implements Callable<Integer> {
    @Option(names = "--formats", split = ",", defaultValue = "json,arrow", description = "The first is 1.")
    private List<String> formats = List.of();

    @Option(names = "--rounds", defaultValue = "2000", description = "Rounds that count, of 16 batches each.")
    private int rounds;

    @Option(names = "--warmup", defaultValue = "1500", description = "Rounds before them.")
    private int warmup;

    /** Prints the table. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new PairedTruth()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        List<TruthBenchmark.Ready> contenders = new ArrayList<>();
        try {
            for (String format : formats) {
                TruthBenchmark.Ready ready = new TruthBenchmark.Ready();
                ready.format = format;
                contenders.add(ready);
                ready.open();
            }
            print(measure(contenders));
        } finally {
            for (TruthBenchmark.Ready ready : contenders) {
                ready.close();
            }
        }
        return 0;
    }

    /** Microseconds of a batch, by format and round. */
    private double[][] measure(List<TruthBenchmark.Ready> contenders) throws IOException {
        TruthBenchmark benchmark = new TruthBenchmark();
        double[][] micros = new double[contenders.size()][rounds];
        for (int round = -warmup; round < rounds; round++) {
            for (int i = 0; i < micros.length; i++) {
                contenders.get(i).read();
                long start = System.nanoTime();
                benchmark.collate(contenders.get(i));
                long nanos = System.nanoTime() - start;
                if (round >= 0) {
                    micros[i][round] = nanos / 1e3 / TruthBenchmark.BATCHES;
                }
            }
        }
        return micros;
    }

    private void print(double[][] micros) {
        System.out.printf("%-12s %12s %12s %12s%n", "format", "us, median", "us, quietest", "ratio");
        for (int i = 0; i < micros.length; i++) {
            double[] ratios = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                ratios[round] = micros[0][round] / micros[i][round];
            }
            double quietest = Arrays.stream(micros[i]).min().orElse(Double.NaN);
            System.out.printf(
                    "%-12s %12.1f %12.1f %11.1fx%n",
                    formats.get(i), Quantiles.median(micros[i]), quietest, Quantiles.median(ratios));
        }
    }
}
