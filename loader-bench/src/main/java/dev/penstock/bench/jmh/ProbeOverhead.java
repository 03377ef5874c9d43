package dev.penstock.bench.jmh;

import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.bench.Quantiles;
import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episodes;
import dev.penstock.probe.CompositeProbe;
import dev.penstock.probe.CompositeWorkProbe;
import dev.penstock.probe.DataWaitProbe;
import dev.penstock.probe.JfrProbe;
import dev.penstock.probe.MicrometerProbe;
import dev.penstock.probe.TraceFile;
import dev.penstock.probe.WorkProbe;
import dev.penstock.view.Anchors;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;

/**
 * What the probes cost: {@code java -cp … dev.penstock.bench.jmh.ProbeOverhead [ROUNDS]}.
 *
 * <p>Two answers. What a call costs is timed by itself and multiplied with the calls of a batch: a small figure, known
 * well. And the loaders are run: one for each way of being watched, all in one JVM; in turn each drains the same epoch (same seed, so the same
 * samples) of small clips, where pieces are short and probes are called most, so the second answer has the first inside it, and
 * the machine's noise. The turn begins elsewhere each round. A
 * round's ratio is against its own first run without probes; a second run without probes shows what two equal runs
 * differ by. Not a JMH benchmark: JMH would run one way after the other, and the machine's drift would be the result.
 */
public final class ProbeOverhead {
    private static final int WARM_UP = 4;
    private static final int CALLS = 50_000;
    private static final java.lang.management.ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private enum Mode {
        OFF("off"),
        OFF_AGAIN("off, once more"),
        MICROMETER("Micrometer"),
        JFR("flight recorder"),
        TRACE("trace file"),
        ALL("all three");

        final String label;

        Mode(String label) {
            this.label = label;
        }

        boolean has(Mode part) {
            return this == part || this == ALL;
        }
    }

    /** One way of being watched. */
    private static final class Watched implements AutoCloseable {
        private final Loader loader;
        private final @Nullable TraceFile trace;
        private final boolean records;
        private final WorkProbe work;

        Watched(Mode mode, Path data, Path traceFile) throws IOException {
            MicrometerProbe meters =
                    mode.has(Mode.MICROMETER) ? new MicrometerProbe(new SimpleMeterRegistry(), Tags.empty()) : null;
            JfrProbe events = mode.has(Mode.JFR) ? new JfrProbe() : null;
            trace = mode.has(Mode.TRACE) ? new TraceFile(traceFile, Long.MAX_VALUE) : null;
            records = events != null;
            List<Object> probes = java.util.stream.Stream.of(meters, events, trace)
                    .filter(java.util.Objects::nonNull)
                    .map(Object.class::cast)
                    .toList();
            work = CompositeWorkProbe.of(
                    probes.stream().map(WorkProbe.class::cast).toList());
            loader = Loader.builder(Episodes.open(data), view())
                    .batchSize(8)
                    .shuffle(Shuffle.full(7))
                    .decodeConcurrency(2)
                    .probe(CompositeProbe.of(
                            probes.stream().map(DataWaitProbe.class::cast).toList()))
                    .workProbe(work)
                    .build();
        }

        /** Pieces of work in a batch. */
        double calls() {
            LongAdder calls = new LongAdder();
            loader.setWorkProbe((stage, epoch, batch, piece, start, nanos, cpu, bytes) -> calls.increment());
            epoch();
            loader.setWorkProbe(work);
            return (double) calls.sum() / loader.batches();
        }

        /** Nanoseconds that a piece costs more than unwatched: the call, and two readings of the CPU clock. */
        @SuppressWarnings("try") // it records while it is open
        double nanosOfACall() {
            if (work == WorkProbe.NONE) {
                return 0;
            }
            try (Recording recording = recording()) {
                long start = 0;
                for (int i = -CALLS; i < CALLS; i++) { // the first half warms up
                    start = i == 0 ? System.nanoTime() : start;
                    long cpu = THREADS.getCurrentThreadCpuTime();
                    work.worked(
                            WorkProbe.Stage.DECODE, 0, i, 0, i, 2_000_000, THREADS.getCurrentThreadCpuTime() - cpu, 1);
                }
                return (double) (System.nanoTime() - start) / CALLS;
            }
        }

        private Recording recording() {
            Recording recording = new Recording();
            if (records) {
                recording.enable("dev.penstock.Delivery");
                recording.enable("dev.penstock.Work");
                recording.start();
            }
            return recording;
        }

        /** Batches a second, and CPU milliseconds a batch, of one epoch. */
        @SuppressWarnings("try") // it records while it is open
        double[] epoch() {
            try (Recording recording = recording()) {
                long batches = 0;
                long cpu = PROCESS.getProcessCpuTime();
                long start = System.nanoTime();
                for (Batch batch : loader) {
                    batches = batch.number() + 1;
                }
                double nanos = System.nanoTime() - start;
                double cpuNanos = PROCESS.getProcessCpuTime() - cpu;
                loader.idle();
                return new double[] {batches * 1e9 / nanos, cpuNanos / 1e6 / batches};
            }
        }

        @Override
        public void close() throws IOException {
            loader.close();
            if (trace != null) {
                trace.close();
            }
        }
    }

    private ProbeOverhead() {}

    private static View view() {
        return View.builder()
                .video(VideoColumn.of("front", Window.frames(8), Size.of(224, 224))
                        .layout(Layout.TCHW))
                .truth("steering", dev.penstock.view.Column.float32())
                .anchors(Anchors.everyFrames(3))
                .build();
    }

    /** Measures; the first argument is the number of rounds (default 20). */
    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        Path folder = Files.createTempDirectory("penstock-probes");
        DemoSettings small =
                DemoSettings.STANDARD.length(4, 6).size(Size.of(224, 224)).keyFrames(8);
        Path data = DemoDataset.make(folder.resolve("data"), small, (done, total) -> {});
        Map<Mode, Watched> loaders = new EnumMap<>(Mode.class);
        try {
            for (Mode mode : Mode.values()) {
                loaders.put(mode, new Watched(mode, data, folder.resolve(mode + ".json")));
            }
            Map<Mode, double[][]> seen = measure(loaders, rounds);
            print(System.out, seen, rounds);
            printCalls(System.out, loaders, java.util.Objects.requireNonNull(seen.get(Mode.OFF)));
        } finally {
            for (Watched watched : loaders.values()) {
                watched.close();
            }
            try (var files = Files.walk(folder)) {
                files.sorted(java.util.Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static Map<Mode, double[][]> measure(Map<Mode, Watched> loaders, int rounds) {
        Mode[] modes = Mode.values();
        Map<Mode, double[][]> seen = new EnumMap<>(Mode.class);
        Arrays.stream(modes).forEach(mode -> seen.put(mode, new double[rounds][]));
        for (int round = -WARM_UP; round < rounds; round++) {
            for (int i = 0; i < modes.length; i++) {
                Mode mode = modes[Math.floorMod(i + round, modes.length)];
                double[] figures =
                        java.util.Objects.requireNonNull(loaders.get(mode)).epoch();
                if (round >= 0) {
                    java.util.Objects.requireNonNull(seen.get(mode))[round] = figures;
                }
            }
        }
        return seen;
    }

    private static void print(PrintStream out, Map<Mode, double[][]> seen, int rounds) {
        double[][] off = java.util.Objects.requireNonNull(seen.get(Mode.OFF));
        out.printf(
                Locale.ROOT,
                "%d rounds; without probes %.1f batches/s at the median%n",
                rounds,
                Quantiles.median(Arrays.stream(off).mapToDouble(f -> f[0]).toArray()));
        out.println("probes            throughput    middle half      CPU of a batch   middle half");
        seen.forEach((mode, figures) -> {
            double[] rate = ratios(figures, off, 0);
            double[] cpu = ratios(figures, off, 1);
            out.printf(
                    Locale.ROOT,
                    "%-16s  %9.3f     %.3f … %.3f  %9.3f       %.3f … %.3f%n",
                    mode.label,
                    Quantiles.median(rate),
                    Quantiles.of(rate, 0.25),
                    Quantiles.of(rate, 0.75),
                    Quantiles.median(cpu),
                    Quantiles.of(cpu, 0.25),
                    Quantiles.of(cpu, 0.75));
        });
    }

    private static void printCalls(PrintStream out, Map<Mode, Watched> loaders, double[][] off) {
        double cpuMillis =
                Quantiles.median(Arrays.stream(off).mapToDouble(f -> f[1]).toArray());
        double calls = java.util.Objects.requireNonNull(loaders.get(Mode.OFF)).calls();
        out.printf(Locale.ROOT, "%nA batch has %.1f pieces of work and takes %.2f ms of CPU.%n", calls, cpuMillis);
        out.println("probes            µs a piece    share of a batch's CPU");
        loaders.forEach((mode, watched) -> {
            double micros = watched.nanosOfACall() / 1e3;
            out.printf(
                    Locale.ROOT,
                    "%-16s  %9.2f     %.3f %%%n",
                    mode.label,
                    micros,
                    100 * calls * micros / 1e3 / cpuMillis);
        });
    }

    private static double[] ratios(double[][] figures, double[][] off, int which) {
        double[] ratios = new double[figures.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = figures[i][which] / off[i][which];
        }
        return ratios;
    }
}
