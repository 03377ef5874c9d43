package dev.penstock.bench;

import dev.penstock.decode.DatasetSummary;
import dev.penstock.decode.Episodes;
import dev.penstock.decode.TruthSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @Mixin
    DatasetOptions dataset;

    @Option(
            names = "--truth",
            description = "Read the whole ground truth: its fields, the values seen, what is missing, and its schema.")
    boolean truth;

    @Option(
            names = "--schema",
            paramLabel = "FILE",
            description = "Write the truth's schema, to hold records against: as " + Episodes.SCHEMA
                    + " in the dataset's folder it is found on opening.")
    @Nullable
    Path schema;

    @Option(names = "--json", description = "As JSON, each episode too.")
    boolean json;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Episodes episodes = dataset.open(path);
        out.print(truth || schema != null ? truth(episodes) : summary(episodes));
        out.flush();
        return Main.OK;
    }

    private String summary(Episodes episodes) throws IOException {
        DatasetSummary summary = episodes.describe();
        return json ? summary.toJson() + "\n" : InspectText.of(summary);
    }

    private String truth(Episodes episodes) throws IOException {
        TruthSummary summary = episodes.describeTruth();
        if (schema != null) {
            Files.writeString(schema, summary.schema().toJson() + "\n");
        }
        return json ? summary.toJson() + "\n" : TruthText.of(summary);
    }
}
