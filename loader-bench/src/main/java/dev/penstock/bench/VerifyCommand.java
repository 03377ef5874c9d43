package dev.penstock.bench;

import dev.penstock.arrow.artifact.ArtifactCheck;
import dev.penstock.spi.BlobStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock verify}: whether an artifact is still what was written. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Check an artifact: sums, sizes, counts, indexes, and a sample of windows. One line for each"
                + " damage and exit code 1 where there is any.")
final class VerifyCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "DST", description = "The artifact's folder or URI.")
    String artifact;

    @Mixin
    StorageOptions storage;

    @Option(
            names = "--windows",
            paramLabel = "N",
            defaultValue = "64",
            description = "Samples to load (${DEFAULT-VALUE}).")
    int windows;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Which samples (${DEFAULT-VALUE}).")
    long seed;

    @Override
    public Integer call() throws IOException, InterruptedException {
        storage.register();
        ArtifactCheck.Result result = ArtifactCheck.of(BlobStores.uri(artifact), windows, seed);
        PrintWriter out = spec.commandLine().getOut();
        result.damages().forEach(out::println);
        out.printf(
                Locale.ROOT,
                "%s: %s; %d episodes, %d files, %.1f MiB, %d samples loaded%n",
                artifact,
                result.isSound() ? "sound" : "DAMAGED (" + result.damages().size() + ")",
                result.episodes(),
                result.files(),
                result.bytes() / 1048576.0,
                result.windows());
        out.flush();
        return result.isSound() ? Main.OK : Main.FAILED;
    }
}
