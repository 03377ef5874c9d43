package dev.penstock.bench;

import dev.penstock.FakeBatches;
import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.data.Batch;
import dev.penstock.data.ElementType;
import dev.penstock.decode.Episodes;
import dev.penstock.probe.DataWaitReport;
import dev.penstock.view.Anchors;
import dev.penstock.view.Column;
import dev.penstock.view.Layout;
import dev.penstock.view.Size;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code penstock demo}: makes a dataset of its own and shows what the loader says about it. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description =
                "Make a small dataset (2 cameras, moving scenes, JSON truth), load it for two epochs with a simulated"
                        + " accelerator step, and compare with fake batches.")
final class DemoCommand implements Callable<Integer> {
    private static final int BATCH = 8;
    private static final int REPLAYED = 4;
    private static final int FAKE_STEPS = 40;

    @Spec
    CommandSpec spec;

    @Option(names = "--quick", description = "A smaller dataset: for a first look, and for automated checks.")
    boolean quick;

    @Option(
            names = "--step-ms",
            paramLabel = "M",
            defaultValue = "30",
            description = "Length of the simulated accelerator step (${DEFAULT-VALUE}).")
    double stepMillis;

    @Option(names = "--decode", paramLabel = "N", description = "Decode threads. Default: the machine's cores.")
    int decode = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where the dataset goes. Default: the user's cache folder.")
    @Nullable
    Path folder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Path index = dataset(out);
        View view = view();
        Episodes episodes = Episodes.open(index);
        try (Loader loader = Loader.builder(episodes, view)
                .batchSize(BATCH)
                .shuffle(Shuffle.seed(7))
                .decodeConcurrency(decode)
                .epochs(3)
                .build()) {
            out.printf(
                    Locale.ROOT,
                    "%nLoading %d samples (2 cameras x 16 frames at 224x224, truth) in batches of %d, %d decode"
                            + " threads; each batch takes the simulated accelerator %.0f ms.%n",
                    loader.samples(),
                    BATCH,
                    decode,
                    stepMillis);
            double rate = epochs(loader, out);
            fake(loader, rate, out);
        }
        return Main.OK;
    }

    private Path dataset(PrintWriter out) throws IOException, InterruptedException {
        DemoSettings settings =
                quick ? DemoSettings.STANDARD.length(2, 3).size(Size.of(640, 360)) : DemoSettings.STANDARD;
        Path place = folder == null ? UserCache.folder().resolve(quick ? "demo-quick" : "demo") : folder;
        Progress progress = new Progress(spec.commandLine().getErr(), "frame");
        long start = System.nanoTime();
        Path index = DemoDataset.make(place, settings, progress::show);
        progress.clear();
        out.printf(
                Locale.ROOT,
                "Dataset: %s (%d episodes of %d s, 2 cameras at %s, H.264, JSON truth), ready after %.1f s%n",
                place,
                settings.episodes(),
                settings.seconds(),
                settings.size(),
                (System.nanoTime() - start) / 1e9);
        return index;
    }

    private static View view() {
        Window window = Window.frames(16).every(2);
        return View.builder()
                .video(VideoColumn.of("front", window, Size.of(224, 224)).layout(Layout.TCHW))
                .video(VideoColumn.of("left", window, Size.of(224, 224)).layout(Layout.TCHW))
                .truth("steering", Column.float32())
                .truth("boxes", Column.ragged(ElementType.FLOAT32, 4))
                .anchors(Anchors.everyFrames(2))
                .build();
    }

    /** Runs two epochs; returns the batches a second of the second. */
    private double epochs(Loader loader, PrintWriter out) throws IOException {
        double rate = 0;
        for (int epoch = 0; epoch < 2; epoch++) {
            rate = rate(loader, Long.MAX_VALUE, loader.batches(), "batch");
            out.println();
            out.print(loader.dataWait().text());
            out.flush();
        }
        return rate;
    }

    private void fake(Loader loader, double real, PrintWriter out) throws IOException {
        DataWaitReport report = loader.dataWait();
        try (FakeBatches batches = FakeBatches.replay(loader, REPLAYED)) {
            double fake = rate(batches.steps(FAKE_STEPS), FAKE_STEPS, FAKE_STEPS, "fake batch");
            out.printf(
                    Locale.ROOT,
                    "%nFake batches (the accelerator's own roofline): %.1f batches/s. Real batches: %.1f, %.0f %% of it.%n",
                    fake,
                    real,
                    100 * real / fake);
            out.println(verdict(report));
            out.flush();
        }
    }

    /** Batches a second of one pass, from the first call to the end of the last step. */
    private double rate(Iterable<Batch> batches, long most, long expected, String what) throws IOException {
        TrainingLoop loop =
                new TrainingLoop(stepMillis, new Progress(spec.commandLine().getErr(), what));
        long start = System.nanoTime();
        long taken = loop.run(batches, most, expected, batch -> {});
        return taken * 1e9 / (System.nanoTime() - start);
    }

    private static String verdict(DataWaitReport report) {
        if (report.waitShare() < 0.01) {
            return "The trainer hardly waits: the accelerator is the lower roofline, the loader needs no tuning.";
        }
        return String.format(
                Locale.ROOT,
                "The trainer waits %.0f %% of its time: the data roofline is the lower one, and %s is its"
                        + " narrowest stage. More threads help while cores are free; then smaller clips do.",
                100 * report.waitShare(),
                report.bottleneck());
    }
}
