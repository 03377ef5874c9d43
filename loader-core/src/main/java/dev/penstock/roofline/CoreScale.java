package dev.penstock.roofline;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/**
 * How many cores' worth of work this process gets out of all its cores at once. Two cores that are halves of one, a
 * hypervisor that gives less than it shows, a quota and busy neighbours all make it less than the number of cores, and no
 * counter of CPU time shows that: a thread on half a core is charged for a whole one.
 *
 * <p>A small computation is counted on one thread, then on one thread for each core, in turn, a few times over; the ratio
 * of the medians is the answer. Nothing else of this process should run meanwhile.
 */
final class CoreScale {
    private static final int TURNS = 5;
    private static final int TABLE = 4_096;
    /** Steps between two looks at the clock. */
    private static final int BETWEEN = 2_000;

    private CoreScale() {}

    /** Measures for some {@code 2 × TURNS × turnNanos}; at least a half, at most {@code cores}. */
    static double measure(int cores, long turnNanos) throws InterruptedException {
        if (cores == 1) {
            return 1;
        }
        count(2 * turnNanos); // compiled from here on
        double[] one = new double[TURNS];
        double[] all = new double[TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            one[turn] = count(turnNanos);
            all[turn] = together(cores, turnNanos);
        }
        Arrays.sort(one);
        Arrays.sort(all);
        return Math.min(cores, Math.max(0.5, all[TURNS / 2] / one[TURNS / 2]));
    }

    private static double together(int cores, long nanos) throws InterruptedException {
        double[] rates = new double[cores];
        CountDownLatch begin = new CountDownLatch(cores);
        Thread[] threads = new Thread[cores];
        for (int i = 0; i < cores; i++) {
            int own = i;
            threads[i] = new Thread(
                    () -> {
                        begin.countDown();
                        try {
                            begin.await();
                            rates[own] = count(nanos);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    "penstock-cores-" + i);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return Arrays.stream(rates).sum();
    }

    /** Steps a nanosecond. */
    private static double count(long nanos) {
        int[] table = new int[TABLE];
        long steps = 0;
        int mixed = 1;
        long start = System.nanoTime();
        long now = start;
        while (now - start < nanos) {
            for (int i = 0; i < BETWEEN; i++) {
                mixed = mixed * 0x9E3779B1 + table[mixed >>> 20];
                table[mixed >>> 20] = mixed;
            }
            steps += BETWEEN;
            now = System.nanoTime();
        }
        return (steps + (mixed == 0 ? 1e-9 : 0)) / (now - start); // the result is used, so it is computed
    }
}
