package dev.penstock.bench;

import dev.penstock.decode.Episodes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which episodes of a dataset a command takes, and how their storage is reached. */
final class DatasetOptions {
    @Option(names = "--split", paramLabel = "NAME", description = "Only episodes of this split.")
    @Nullable
    String split;

    @Option(
            names = "--allow-missing",
            description =
                    "Take what is there: episodes that lack a file which the view needs are left out with a warning, and"
                            + " inspect lists what is absent.")
    boolean allowMissing;

    @Mixin
    StorageOptions storage;

    /** Opens the dataset. */
    Episodes open(String path) throws IOException {
        storage.register();
        Episodes opened = Episodes.open(path);
        Episodes episodes = allowMissing ? opened.allowMissing() : opened;
        return split == null ? episodes : episodes.split(split);
    }
}
