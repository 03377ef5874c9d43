package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.data.Batch;
import dev.penstock.decode.Episodes;
import dev.penstock.view.Anchors;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a batch costs on the heap once the pipe runs: allocation is counted, not timed. */
class SteadyStateHeapTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Batches at either end of an epoch that are left out. */
    private static final int EDGE = 8;

    @Test
    void aBatchOfEightWindowsOfSixteenFramesCostsLessThanFourKilobytesOfHeap(@TempDir Path folder) throws Exception {
        // In a JVM of its own: what the compiler has seen in other tests costs some 900 bytes a batch.
        Path log = folder.resolve("log");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SteadyStateHeapTest.class.getName(),
                        folder.resolve("data").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(child.waitFor(3, TimeUnit.MINUTES)).as("ended").isTrue();
            String said = Files.readString(log);
            assertThat(child.exitValue()).as(said).isZero();
            String bytes = said.replaceAll("(?s).*heap of one batch: (\\d+) bytes.*", "$1");
            assertThat(Long.parseLong(bytes)).isLessThan(4_096);
        } finally {
            child.destroyForcibly();
        }
    }

    /** The measurement: {@code args[0]} is a folder for its dataset. */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Path index = DemoDataset.make(
                folder, DemoSettings.STANDARD.length(4, 5).size(Size.of(160, 96)), (done, total) -> {});
        View view = View.builder()
                .video("front", Window.frames(16), Size.of(64, 64))
                .anchors(Anchors.everyFrames(1))
                .build();
        try (Loader loader = Loader.builder(Episodes.open(index), view)
                .batchSize(8)
                .shuffle(Shuffle.seed(7))
                .decodeConcurrency(2)
                .build()) {
            for (int epoch = 0; epoch < 6; epoch++) {
                steady(loader);
            }
            long each = Long.MAX_VALUE;
            for (int epoch = 0; epoch < 3; epoch++) {
                each = Math.min(each, steady(loader)); // what the JVM adds in between is not the loader's
            }
            System.out.println("heap of one batch: " + each + " bytes");
        }
    }

    /** Runs an epoch; returns the bytes a batch cost between its first and its last batches. */
    private static long steady(Loader loader) {
        long last = loader.batches() - EDGE;
        long batches = 0;
        long before = 0;
        long after = 0;
        for (Batch batch : loader) {
            batches++;
            if (batch.number() == EDGE) {
                before = allocated();
            }
            if (batch.number() == last) {
                after = allocated();
            }
        }
        return (after - before) / (batches - 2 * EDGE);
    }

    /** Bytes allocated so far by the loader's threads and this one. */
    private static long allocated() {
        long total = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("penstock-") || thread == Thread.currentThread()) {
                total += THREADS.getThreadAllocatedBytes(thread.getId());
            }
        }
        return total;
    }
}
