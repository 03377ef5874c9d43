package dev.penstock.bench.jmh;

import dev.penstock.bench.Quantiles;
import dev.penstock.bench.jmh.WindowReaders.WindowReader;
import dev.penstock.decode.clip.WindowPlan;
import dev.penstock.view.Layout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares window readers on a noisy machine: in every round each contender does the very same windows, one contender
 * after the other, so that a slow spell of the machine meets all of them. Prints the median of windows a second, and the
 * median over the rounds of each contender's ratio to the first.
 */
@Command(name = "PairedWindows", mixinStandardHelpOptions = true)
public final class PairedWindows implements Callable<Integer> {
    @Option(names = "--readers", split = ",", defaultValue = "grabber,bare,chw,hwc,hwc-all")
    private List<String> readers = List.of();

    @Option(names = "--clips", split = ",", defaultValue = "lo", description = "lo, log8, hi, exact (lo at 224x224).")
    private List<String> clips = List.of();

    @Option(names = "--stride", split = ",", defaultValue = "1")
    private List<Integer> strides = List.of();

    @Option(names = "--threads", split = ",", defaultValue = "1")
    private List<Integer> threads = List.of();

    @Option(names = "--windows", defaultValue = "40", description = "Windows in a turn, for each thread.")
    private int windows;

    @Option(names = "--rounds", defaultValue = "9", description = "Rounds after one that warms up.")
    private int rounds;

    @Option(names = "--sequential", description = "Whole clips in order instead of the seeded list.")
    private boolean sequential;

    /** Prints the tables. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new PairedWindows()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        for (String set : clips) {
            for (int stride : strides) {
                for (int threadCount : threads) {
                    compare(set, stride, threadCount);
                }
            }
        }
        return 0;
    }

    private void compare(String set, int stride, int threadCount) throws Exception {
        List<List<Lane>> contenders = new ArrayList<>();
        List<AtomicInteger> places = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(threadCount);
        try {
            for (String reader : readers) {
                AtomicInteger place = new AtomicInteger();
                List<Lane> lanes = new ArrayList<>();
                for (int i = 0; i < threadCount; i++) {
                    lanes.add(new Lane(reader, set, stride, place, sequential));
                }
                places.add(place);
                contenders.add(lanes);
            }
            double[][] perSecond = new double[readers.size()][rounds];
            for (int round = -1; round < rounds; round++) {
                for (int i = 0; i < readers.size(); i++) {
                    double speed = turn(pool, contenders.get(i), places.get(i));
                    if (round >= 0) {
                        perSecond[i][round] = speed;
                    }
                }
            }
            print(set, stride, threadCount, perSecond);
        } finally {
            pool.shutdownNow();
            for (List<Lane> lanes : contenders) {
                for (Lane lane : lanes) {
                    lane.close();
                }
            }
        }
    }

    /** The lanes share the next windows out among themselves, each the next one when it is free; windows a second. */
    private double turn(ExecutorService pool, List<Lane> lanes, AtomicInteger place)
            throws InterruptedException, ExecutionException {
        int count = windows * lanes.size();
        int end = place.get() + count;
        long start = System.nanoTime();
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (Lane lane : lanes) {
            tasks.add(() -> lane.readUpTo(end));
        }
        for (Future<Integer> done : pool.invokeAll(tasks)) {
            done.get();
        }
        place.set(end);
        return count / ((System.nanoTime() - start) / 1e9);
    }

    private void print(String set, int stride, int threadCount, double[][] perSecond) {
        System.out.printf(
                "%n%s%s, stride %d, %d thread%s, %d rounds of %d windows%n",
                set, sequential ? " in order" : "", stride, threadCount, threadCount == 1 ? "" : "s", rounds, windows);
        for (int i = 0; i < perSecond.length; i++) {
            double[] ratios = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                ratios[round] = perSecond[i][round] / perSecond[0][round];
            }
            System.out.printf(
                    "  %-16s %8.1f windows/s %8.0f frames/s   %.2f of %s (%.2f to %.2f)%n",
                    readers.get(i),
                    Quantiles.median(perSecond[i]),
                    Quantiles.median(perSecond[i]) * WindowsBenchmark.FRAMES,
                    Quantiles.median(ratios),
                    readers.get(0),
                    Arrays.stream(ratios).min().orElseThrow(),
                    Arrays.stream(ratios).max().orElseThrow());
        }
    }

    /** One thread's readers of one contender, which has one place in the list for all of its threads. */
    private static final class Lane implements AutoCloseable {
        private final List<WindowReader> open = new ArrayList<>();
        private final WindowReaders.@Nullable Penstock own;
        private final List<int[]> list;
        private final int stride;
        private final AtomicInteger place;

        /** {@code reader} may name other clips than {@code set}: {@code chw@exact}. */
        Lane(String reader, String set, int stride, AtomicInteger place, boolean sequential) throws IOException {
            this.stride = stride;
            this.place = place;
            String[] parts = reader.split("@", 2);
            BenchClips input = BenchClips.of(parts.length == 2 ? parts[1] : set, stride);
            list = sequential ? input.inOrder() : input.windows();
            WindowPlan.Ending ending = sequential ? WindowPlan.Ending.CONTINUE : WindowPlan.Ending.DRAIN;
            own = switch (parts[0]) {
                case "chw" -> new WindowReaders.Penstock(Layout.TCHW, true, ending);
                case "hwc" -> new WindowReaders.Penstock(Layout.THWC, true, ending);
                case "hwc-all" -> new WindowReaders.Penstock(Layout.THWC, false, ending);
                case "bare", "grabber" -> null;
                default ->
                    throw new IllegalArgumentException(
                            "no reader " + reader + "; one of chw, hwc, hwc-all, bare, grabber");
            };
            for (Path clip : input.clips()) {
                open.add(
                        own != null
                                ? own.open(clip)
                                : parts[0].equals("bare")
                                        ? new WindowReaders.Bare(clip)
                                        : new WindowReaders.Grabber(clip));
            }
        }

        int readUpTo(int end) throws IOException {
            int frames = 0;
            for (int at = place.getAndIncrement(); at < end; at = place.getAndIncrement()) {
                int[] window = list.get(at % list.size());
                frames += open.get(window[0]).read(window[1], stride, WindowsBenchmark.FRAMES);
            }
            return frames;
        }

        @Override
        public void close() throws IOException {
            for (WindowReader reader : open) {
                reader.close();
            }
            if (own != null) {
                own.close();
            }
        }
    }
}
