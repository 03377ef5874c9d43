package dev.penstock.roofline;

import dev.penstock.FakeBatches;
import dev.penstock.Loader;
import dev.penstock.data.Batch;
import dev.penstock.probe.ServiceTimes;
import dev.penstock.probe.WaitSummary;
import dev.penstock.roofline.Stretch.Length;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures which ceiling is lower, the accelerator's or the data's, and what to turn next.
 *
 * <pre>{@code
 * RooflineReport report = Roofline.of(loader, trainer::step).measure();
 * System.out.println(report);
 * report.advise().get(0).nextStep();
 * }</pre>
 *
 * <p>{@link #measure()} trains: it runs the step on real batches and on fake ones, hundreds of times, so give it a model
 * whose weights you can throw away. It runs on the calling thread, takes the loader for itself, changes its concurrency
 * and puts it back. Use one object once, from one thread.
 */
public final class Roofline {
    private static final int REPLAYED = 4;
    private static final int TIMELINE = 2_000;
    private static final int BINS = 28;

    private final Loader loader;
    private final TrainerStep step;
    private double seconds = 1.5;
    private int rounds = 3;
    private int[] decodeThreads;
    private int[] readThreads = {};
    private int[] batchSizes = {};
    private Predicate<Throwable> outOfMemory = failure -> false;
    private Runnable cleanUp = () -> {};
    private @Nullable Runnable cool;
    private @Nullable CapacityModel before;
    private boolean materialized;
    private boolean simulated;
    private String title = "training";
    private long seed = 1;

    private Roofline(Loader loader, TrainerStep step) {
        this.loader = loader;
        this.step = step;
        int cores = CpuMeter.cores();
        decodeThreads = IntStream.of(1, 2, Math.max(1, cores / 2), cores, cores + 1, cores * 2)
                .filter(n -> n <= 64)
                .distinct()
                .sorted()
                .toArray();
    }

    /** The rooflines of training with {@code step} on {@code loader}'s batches. */
    public static Roofline of(Loader loader, TrainerStep step) {
        return new Roofline(loader, step);
    }

    /** How long each figure is measured, in seconds; default 1.5. A whole measurement is some 15 figures long. */
    public Roofline secondsPerFigure(double wanted) {
        seconds = wanted;
        return this;
    }

    /** Rounds of the stall ledger; default 3, 0 leaves it out. */
    public Roofline ledgerRounds(int wanted) {
        rounds = wanted;
        return this;
    }

    /** The numbers of decode threads to sweep; none leaves the sweep out. Default: 1 to twice the cores. */
    public Roofline decodeThreads(int... wanted) {
        decodeThreads = wanted.clone();
        return this;
    }

    /** The numbers of read threads to sweep; default none. */
    public Roofline readThreads(int... wanted) {
        readThreads = wanted.clone();
        return this;
    }

    /** The batch sizes to sweep with fake batches; default none. The loader's own size is added. */
    public Roofline batchSizes(int... wanted) {
        batchSizes = wanted.clone();
        return this;
    }

    /** Which failures of a step mean that the batch does not fit, and what to do after one. */
    public Roofline outOfMemory(Predicate<Throwable> doesNotFit, Runnable freeMemory) {
        outOfMemory = doesNotFit;
        cleanUp = freeMemory;
        return this;
    }

    /** What makes the data cold, for the ledger's fetch part: clears the disk cache, say. Without it: no such part. */
    public Roofline coldBy(Runnable hook) {
        cool = hook;
        return this;
    }

    /** The capacities of an earlier measurement, so that a bottleneck that moved is called so. */
    public Roofline after(RooflineReport earlier) {
        before = earlier.evidence().capacity();
        return this;
    }

    /** Says that the data is an artifact of this view already: materializing is no advice then. */
    public Roofline materialized(boolean isArtifact) {
        materialized = isArtifact;
        return this;
    }

    /** What the report is called, and whether the trainer only simulates an accelerator. */
    public Roofline titled(String name, boolean trainerIsSimulated) {
        title = name;
        simulated = trainerIsSimulated;
        return this;
    }

    /**
     * Measures.
     *
     * @throws Exception what the trainer's step threw
     */
    public RooflineReport measure() throws Exception {
        LoaderPipeline pipeline = new LoaderPipeline(loader);
        Length length = new Length(Math.round(seconds * 1e9), 12, 100_000);
        try (FakeBatches fakes = FakeBatches.replay(loader, REPLAYED)) {
            Iterator<Batch> replayed = fakes.iterator();
            CpuMeter cpu = new CpuMeter();
            double stepSeconds = stepAlone(pipeline, replayed, length, cpu);
            double trainerCpu = Math.min(1, cpu.processShare() * CpuMeter.cores());
            List<RooflineReport.Moment> timeline = new ArrayList<>();
            Recording recording = recording(pipeline, length, timeline);
            pipeline.idle(); // the replay looks at the cores
            PipelineReplay replay = recording.replay(trainerCpu);
            BatchSizeReport batches = batchSweep();
            ConcurrencySweep sweep = new ConcurrencySweep(pipeline, step, length);
            ConcurrencyReport decode = decodeThreads.length == 0
                    ? null
                    : sweep.decode(with(decodeThreads, pipeline.settings().decodeThreads()));
            ConcurrencyReport read = readThreads.length == 0
                    ? null
                    : sweep.read(with(readThreads, pipeline.settings().readThreads()));
            StallLedger ledger =
                    rounds == 0 ? null : new LedgerRuns(pipeline, replayed, step, length, cool).measure(rounds, seed);
            pipeline.idle();
            Evidence evidence = new Evidence(
                    pipeline.settings(),
                    loader.settings().batchSize(),
                    CapacityModel.of(recording.stretch().stages(), 1 / stepSeconds, CpuMeter.cores()),
                    recording.stretch().awaited(),
                    recording.stretch().waitShare(),
                    batches,
                    decode,
                    read,
                    ledger,
                    replay,
                    before,
                    materialized);
            return report(recording, timeline, stepSeconds, evidence, replay);
        }
    }

    private RooflineReport report(
            Recording recording,
            List<RooflineReport.Moment> timeline,
            double stepSeconds,
            Evidence evidence,
            PipelineReplay replay) {
        long[] waits = recording.times().batches().stream()
                .mapToLong(ServiceTimes.BatchTimes::waitNanos)
                .sorted()
                .toArray();
        return new RooflineReport(
                title,
                simulated,
                RooflineReport.Machine.here(),
                recording.batchesPerSecond(),
                stepSeconds,
                summary(waits),
                histogram(waits),
                timeline,
                evidence,
                changes(replay.settings()).stream().map(replay::predict).toList(),
                Advisor.advise(evidence));
    }

    /** Changes that every report predicts. */
    private List<Change> changes(PipelineSettings settings) {
        List<Change> changes = new ArrayList<>(List.of(
                Change.readThreads(1),
                Change.decodeThreads(1),
                Change.prefetch(4),
                Change.collateFaster(20).named("truth in Arrow (collate ÷20)"),
                Change.largerBatch(2, 2).named("batch ×2, step ×2")));
        if (settings.decodeThreads() > 1) {
            changes.add(1, Change.decodeThreads(-1));
        }
        if (!materialized) {
            changes.add(Change.decodeFaster(8).and(Change.readFaster(2)).named("materialized (decode ÷8)"));
        }
        return changes;
    }

    private double stepAlone(Pipeline pipeline, Iterator<Batch> replayed, Length length, CpuMeter cpu)
            throws Exception {
        pipeline.idle();
        for (int i = 0; i < 5; i++) {
            step.step(replayed.next());
        }
        cpu.start();
        long start = System.nanoTime();
        int steps = 0;
        while (steps < length.leastBatches() || System.nanoTime() - start < length.leastNanos()) {
            step.step(replayed.next());
            steps++;
        }
        return (System.nanoTime() - start) / 1e9 / steps;
    }

    /** The run that everything else is compared with, recorded piece by piece; fills the timeline of its queues. */
    private Recording recording(LoaderPipeline pipeline, Length length, List<RooflineReport.Moment> timeline)
            throws Exception {
        long[] first = new long[1];
        TrainerStep watched = batch -> {
            if (timeline.size() < TIMELINE) {
                long now = System.nanoTime();
                first[0] = timeline.isEmpty() ? now : first[0];
                Pipeline.Depths d = pipeline.depths();
                timeline.add(new RooflineReport.Moment(
                        (now - first[0]) / 1e9, d.read(), d.decode(), d.collate(), d.ready()));
            }
            step.step(batch);
        };
        Length longer = new Length(2 * length.leastNanos(), 40, length.mostBatches());
        int skip = 2 * pipeline.settings().slabs();
        return Recording.of(pipeline, step, skip, watched, longer);
    }

    private @Nullable BatchSizeReport batchSweep() throws Exception {
        if (batchSizes.length == 0) {
            return null;
        }
        return BatchSizeSweep.of(size -> new Endless(FakeBatches.synthetic(loader.view(), size)), step)
                .secondsPerSize(seconds / 3)
                .outOfMemory(outOfMemory)
                .cleanUp(cleanUp)
                .sizes(with(batchSizes, loader.settings().batchSize()));
    }

    private static int[] with(int[] numbers, int another) {
        int[] all = Arrays.copyOf(numbers, numbers.length + 1);
        all[numbers.length] = another;
        return Arrays.stream(all).distinct().sorted().toArray();
    }

    private static WaitSummary summary(long[] sorted) {
        int n = sorted.length;
        return n == 0
                ? WaitSummary.NONE
                : new WaitSummary(
                        n,
                        Arrays.stream(sorted).sum(),
                        sorted[(n - 1) / 2],
                        sorted[(int) Math.ceil(0.99 * n) - 1],
                        sorted[n - 1]);
    }

    private static List<Long> histogram(long[] nanos) {
        long[] bins = new long[BINS];
        for (long wait : nanos) {
            bins[Math.min(BINS - 1, 64 - Long.numberOfLeadingZeros(wait / 1_000))]++;
        }
        return Arrays.stream(bins).boxed().toList();
    }

    /** Fake batches of one size, freed after it. */
    private static final class Endless implements Iterator<Batch>, AutoCloseable {
        private final FakeBatches fakes;
        private final Iterator<Batch> batches;

        Endless(FakeBatches fakes) {
            this.fakes = fakes;
            this.batches = fakes.iterator();
        }

        @Override
        public boolean hasNext() {
            return batches.hasNext();
        }

        @Override
        public Batch next() {
            return batches.next();
        }

        @Override
        public void close() {
            fakes.close();
        }
    }
}
