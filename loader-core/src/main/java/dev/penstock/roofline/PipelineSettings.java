package dev.penstock.roofline;

import java.util.ArrayList;
import java.util.List;

/**
 * The settings that decide a pipeline's throughput. Immutable.
 *
 * @param readThreads read workers
 * @param decodeThreads decode workers
 * @param collateThreads collate workers
 * @param prefetch finished batches that may wait for the trainer
 * @param slabs batches in memory: being made, finished, and the one that the trainer holds
 * @param cores CPU cores that the process may use
 */
public record PipelineSettings(
        int readThreads, int decodeThreads, int collateThreads, int prefetch, int slabs, int cores) {

    public PipelineSettings {
        List<String> wrong = new ArrayList<>();
        require(wrong, "readThreads", readThreads, 1);
        require(wrong, "decodeThreads", decodeThreads, 1);
        require(wrong, "collateThreads", collateThreads, 1);
        require(wrong, "prefetch", prefetch, 1);
        require(wrong, "slabs", slabs, 2);
        require(wrong, "cores", cores, 1);
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", wrong));
        }
    }

    private static void require(List<String> wrong, String name, int value, int least) {
        if (value < least) {
            wrong.add(name + " was " + value + ", must be at least " + least);
        }
    }
}
