package dev.penstock.bench;

import dev.penstock.Loader;
import dev.penstock.bench.report.ReportFiles;
import dev.penstock.decode.Episodes;
import dev.penstock.roofline.Roofline;
import dev.penstock.roofline.RooflineReport;
import dev.penstock.roofline.TrainerStep;
import dev.penstock.view.View;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code penstock roofline}: measures both ceilings and says what to turn next. */
@Command(
        name = "roofline",
        mixinStandardHelpOptions = true,
        description = "Measure the accelerator's and the data's ceiling, and say what to do next.")
final class RooflineCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Mixin
    LoadOptions load;

    @Option(
            names = "--step-ms",
            paramLabel = "M",
            description = "Length of a simulated accelerator step; it uses no CPU. Or give a --trainer.")
    @Nullable
    Double stepMillis;

    @Option(
            names = "--trainer",
            paramLabel = "CLASS",
            description = "A class on the class path that implements dev.penstock.roofline.TrainerStep.")
    @Nullable
    String trainer;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "1.5",
            description = "How long each figure is measured (${DEFAULT-VALUE}).")
    double seconds;

    @Option(
            names = "--decode-sweep",
            paramLabel = "N",
            split = ",",
            description = "Decode threads to sweep. Default: 1 to twice the cores.")
    int @Nullable [] decodeSweep;

    @Option(
            names = "--read-sweep",
            paramLabel = "N",
            split = ",",
            description = "Read threads to sweep. Default: none.")
    int @Nullable [] readSweep;

    @Option(
            names = "--batch-sweep",
            paramLabel = "N",
            split = ",",
            description = "Batch sizes to sweep with fake batches; needs a --trainer. Default: none.")
    int @Nullable [] batchSweep;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Rounds of the stall ledger; 0 leaves it out (${DEFAULT-VALUE}).")
    int rounds;

    @Option(
            names = "--cold",
            description = "Measure the ledger's cold run too, on a copy of the (local) dataset whose bytes are put out"
                    + " of the page cache before each: cold means read from the block device.")
    boolean cold;

    @Option(names = "--artifact", description = "The data is an artifact of this view already.")
    boolean artifact;

    @Option(names = "--out", paramLabel = "DIR", description = "Write report.json and report.html there.")
    @Nullable
    Path folder;

    @Override
    public Integer call() throws Exception {
        TrainerStep step = step();
        String title = title();
        RooflineReport report;
        if (cold) {
            try (ColdCopy copy = coldCopy()) {
                report = measure(step, title, copy);
            }
        } else {
            report = measure(step, title, null);
        }
        var out = spec.commandLine().getOut();
        out.print(report.text());
        if (folder != null) {
            ReportFiles.write(report, folder);
            out.println("wrote " + folder.resolve("report.html") + " and " + folder.resolve("report.json"));
        }
        out.flush();
        return Main.OK;
    }

    /** The dataset's copy; the load options read it from now on. */
    private ColdCopy coldCopy() throws IOException {
        if (load.path.matches("[a-z0-9]+:.*") || !Files.exists(Path.of(load.path))) {
            throw wrong("--cold needs a local folder, got " + load.path
                    + "; what an object store serves without --cache is cold already");
        }
        Path given = Path.of(load.path).toAbsolutePath().normalize();
        boolean isFolder = Files.isDirectory(given);
        Path whole = isFolder ? given : Objects.requireNonNull(given.getParent()); // a file has a folder
        ColdCopy copy = ColdCopy.of(whole, UserCache.folder());
        load.path = copy.folder().resolve(whole.relativize(given)).toString();
        return copy;
    }

    private RooflineReport measure(TrainerStep step, String title, @Nullable ColdCopy copy) throws Exception {
        Episodes episodes = load.open();
        View view = load.view(episodes);
        try (Loader loader = load.loader(episodes, view).build()) {
            Roofline roofline = Roofline.of(loader, step)
                    .secondsPerFigure(seconds)
                    .ledgerRounds(rounds)
                    .materialized(artifact)
                    .titled(title, trainer == null);
            if (copy != null) {
                roofline.coldBy(() -> cool(copy));
            }
            if (decodeSweep != null) {
                roofline.decodeThreads(decodeSweep);
            }
            if (readSweep != null) {
                roofline.readThreads(readSweep);
            }
            if (batchSweep != null) {
                roofline.batchSizes(batchSweep);
            }
            return roofline.measure();
        }
    }

    private static void cool(ColdCopy copy) {
        try {
            copy.cool();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private String title() {
        Path last = Path.of(load.path).getFileName();
        return (last == null ? load.path : last)
                + (stepMillis == null ? ", " + trainer : String.format(Locale.ROOT, ", step %.1f ms", stepMillis));
    }

    private TrainerStep step() throws ReflectiveOperationException {
        if ((stepMillis == null) == (trainer == null)) {
            throw wrong("give either --step-ms or --trainer");
        }
        if (trainer == null && batchSweep != null) {
            throw wrong("--batch-sweep needs a --trainer: a simulated step takes the same time at every size");
        }
        if (stepMillis != null) {
            return new SimulatedStep(stepMillis);
        }
        try {
            Class<?> type = Class.forName(trainer);
            return type.asSubclass(TrainerStep.class).getDeclaredConstructor().newInstance();
        } catch (ClassNotFoundException | ClassCastException | NoSuchMethodException e) {
            throw wrong("--trainer " + trainer + ": needs a class on the class path that implements "
                    + TrainerStep.class.getName() + " and has a constructor without parameters (" + e + ")");
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
