package dev.penstock.bench;

import dev.penstock.Loader;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code penstock digest}: one figure for all bytes of an epoch in order, to prove determinism. */
@Command(
        name = "digest",
        mixinStandardHelpOptions = true,
        description = "Print the SHA-256 over names, types, shapes and bytes of every tensor of an epoch, in order.")
final class DigestCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Mixin
    LoadOptions load;

    @Option(
            names = "--epoch",
            paramLabel = "E",
            defaultValue = "0",
            description = "The epoch (${DEFAULT-VALUE}); a resumed run has its own.")
    int epoch;

    @Option(names = "--per-batch", description = "Also a line 'NUMBER DIGEST' for each batch.")
    boolean perBatch;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Episodes episodes = load.open();
        BatchDigest whole = new BatchDigest();
        try (Loader loader =
                load.loader(episodes, load.view(episodes)).startAtEpoch(epoch).build()) {
            long taken = 0;
            Iterator<Batch> batches = loader.iterator();
            while (taken < load.steps && batches.hasNext()) {
                Batch batch = batches.next();
                whole.add(batch);
                if (perBatch) {
                    BatchDigest one = new BatchDigest();
                    one.add(batch);
                    out.println(batch.number() + " " + one.hex());
                    out.flush();
                }
                load.saveState(loader);
                taken++;
            }
        }
        out.println(whole.hex());
        out.flush();
        return Main.OK;
    }
}
