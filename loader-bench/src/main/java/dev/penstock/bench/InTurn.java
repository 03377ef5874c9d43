package dev.penstock.bench;

import dev.penstock.Loader;
import dev.penstock.data.Batch;
import java.util.Arrays;

/**
 * Two loaders under the same trainer, one after the other, several times over: what one gains over the other while the
 * machine's speed drifts. A round's gain is the ratio of two runs that lie beside one another.
 *
 * @param gain median of the rounds' ratios of batches a second: 1.5 is half as many again
 * @param low lowest of them
 * @param high highest of them
 */
record InTurn(double gain, double low, double high) {
    private static final int LEAST_BATCHES = 8;

    /** Batches a second of {@code after} ÷ of {@code before}, each for {@code seconds} a round; an odd number of rounds. */
    static InTurn measure(Loader before, Loader after, SimulatedStep step, double seconds, int rounds) {
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            double was = rate(before, step, seconds);
            double is = rate(after, step, seconds);
            ratios[round] = is / was;
        }
        Arrays.sort(ratios);
        return new InTurn(ratios[rounds / 2], ratios[0], ratios[rounds - 1]);
    }

    /** Steady: the batches that were made while nobody took any are left out. */
    private static double rate(Loader loader, SimulatedStep step, double seconds) {
        int skip = loader.batchesInMemory();
        int taken = 0;
        long start = 0;
        while (true) {
            for (Batch batch : loader) {
                step.step(batch);
                taken++;
                long now = System.nanoTime();
                if (taken == skip) {
                    start = now;
                } else if (taken >= skip + LEAST_BATCHES && now - start >= seconds * 1e9) {
                    loader.idle();
                    return (taken - skip) * 1e9 / (now - start);
                }
            }
        }
    }
}
