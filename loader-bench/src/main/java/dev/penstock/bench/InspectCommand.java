package dev.penstock.bench;

import dev.penstock.decode.DatasetSummary;
import dev.penstock.decode.Episodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock inspect}: what a dataset holds. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        description = "Show what a dataset holds: episodes, cameras, frames, codecs, key-frame distance, truth.")
final class InspectCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "PATH", description = "A folder of episodes or videos, an episodes.jsonl, or a URI.")
    String path;

    @Option(names = "--split", paramLabel = "NAME", description = "Only episodes of this split.")
    @Nullable
    String split;

    @Mixin
    StorageOptions storage;

    @Option(names = "--json", description = "As JSON, each episode too.")
    boolean json;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        storage.register();
        Episodes episodes = Episodes.open(path);
        DatasetSummary summary = (split == null ? episodes : episodes.split(split)).describe();
        out.print(json ? summary.toJson() + "\n" : InspectText.of(summary));
        out.flush();
        return Main.OK;
    }
}
