package dev.penstock.bench;

import dev.penstock.FakeBatches;
import dev.penstock.Loader;
import dev.penstock.decode.Episodes;
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

/** {@code penstock run}: loads, with a simulated accelerator step, and reports the trainer's wait. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Load a dataset and report how long a trainer would wait for data.")
final class RunCommand implements Callable<Integer> {
    /** Where the batches come from. */
    enum Fake {
        REPLAY,
        SYNTHETIC
    }

    private static final int REPLAYED = 8;

    @Spec
    CommandSpec spec;

    @Mixin
    LoadOptions load;

    @Option(
            names = "--step-ms",
            paramLabel = "M",
            defaultValue = "0",
            description = "Length of the simulated accelerator step (${DEFAULT-VALUE}).")
    double stepMillis;

    @Option(names = "--epochs", paramLabel = "N", defaultValue = "1", description = "Epochs (${DEFAULT-VALUE}).")
    int epochs;

    @Option(
            names = "--fake",
            description =
                    "${COMPLETION-CANDIDATES}: the same shapes without loading, for the accelerator's own roofline.")
    @Nullable
    Fake fake;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the last epoch's report as JSON.")
    @Nullable
    Path json;

    @Mixin
    ExportOptions exports;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Episodes episodes = load.open();
        View view = load.view(episodes);
        TrainingLoop loop =
                new TrainingLoop(stepMillis, new Progress(spec.commandLine().getErr(), "batch"));
        if (fake == Fake.SYNTHETIC) {
            try (FakeBatches batches = FakeBatches.synthetic(view, load.batch)) {
                fake(batches, loop, out);
            }
            return Main.OK;
        }
        try (ExportOptions.Open open = exports.open();
                Loader loader = open.attachedTo(load.loader(episodes, view))
                        .epochs(load.resume == null ? epochs : Integer.MAX_VALUE)
                        .build()) {
            if (fake == Fake.REPLAY) {
                try (FakeBatches batches = FakeBatches.replay(loader, REPLAYED)) {
                    fake(batches, loop, out);
                }
                return Main.OK;
            }
            real(loader, loop, out);
        }
        return Main.OK;
    }

    private void real(Loader loader, TrainingLoop loop, PrintWriter out) throws IOException {
        for (int epoch = 0; epoch < epochs; epoch++) {
            loop.run(loader, load.steps, loader.batches(), batch -> load.saveState(loader));
            out.print(loader.dataWait().text());
            out.flush();
        }
        if (json != null) {
            Files.writeString(json, loader.dataWait().toJson() + "\n");
        }
    }

    private void fake(FakeBatches batches, TrainingLoop loop, PrintWriter out) throws IOException {
        long steps = load.steps == Long.MAX_VALUE ? 100 : load.steps;
        long start = System.nanoTime();
        long taken = loop.run(batches.steps(steps), steps, steps, batch -> {});
        double seconds = (System.nanoTime() - start) / 1e9;
        out.printf(
                Locale.ROOT,
                "fake batches (%s): %d steps in %.2f s, %.1f batches/s, %.1f samples/s%n",
                String.valueOf(fake).toLowerCase(Locale.ROOT),
                taken,
                seconds,
                taken / seconds,
                taken * load.batch / seconds);
        out.flush();
    }
}
