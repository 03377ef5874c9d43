package dev.penstock.bench;

import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.decode.Episodes;
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

/** {@code penstock demo}: a case study in finding the lower roofline, on a dataset of its own. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = "Walk from a trainer that waits to one that does not, on a small dataset of its own: raw clips,"
                + " more decode threads, small clips, Arrow truth. Each change is predicted, made and measured. The"
                + " accelerator's step is simulated.")
final class DemoCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Option(names = "--quick", description = "Smaller and shorter: for a first look, and for automated checks.")
    boolean quick;

    @Option(
            names = "--step-ms",
            paramLabel = "M",
            defaultValue = "8",
            description = "Length of the simulated accelerator step (${DEFAULT-VALUE}).")
    double stepMillis;

    @Option(
            names = "--decode",
            paramLabel = "N",
            description = "Decode threads that the walk goes up to. Default: the machine's cores, at least 2.")
    int decode = Math.max(2, Runtime.getRuntime().availableProcessors());

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where the data go. Default: the user's cache folder.")
    @Nullable
    Path folder;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "Write each station's report.json and report.html there.")
    @Nullable
    Path report;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        long start = System.nanoTime();
        Path place = folder == null ? UserCache.folder().resolve(CaseData.folderName(quick)) : folder;
        CaseData data = new CaseData(place, quick);
        Episodes raw = raw(data, out);
        new CaseStudy(data, stepMillis, quick ? 0.25 : 0.4, quick ? 3 : 5, decode, report, out).walk(raw);
        out.printf(Locale.ROOT, "%nThe walk took %.0f s.%n", (System.nanoTime() - start) / 1e9);
        out.flush();
        return Main.OK;
    }

    private Episodes raw(CaseData data, PrintWriter out) throws IOException, InterruptedException {
        DemoSettings settings = data.settings();
        Progress progress = new Progress(spec.commandLine().getErr(), "frame");
        long start = System.nanoTime();
        Episodes raw = data.raw(progress::show);
        progress.clear();
        out.printf(
                Locale.ROOT,
                "Dataset: %s (%d episodes of %d s, 2 cameras at %s, H.264, JSON truth), ready after %.1f s%n",
                data.folder(),
                settings.episodes(),
                settings.seconds(),
                settings.size(),
                (System.nanoTime() - start) / 1e9);
        out.flush();
        return raw;
    }
}
