package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.data.Batch;
import dev.penstock.engine.NothingLeft;
import dev.penstock.testkit.PlantedDataset;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many epochs, and many loaders opened, left and closed: nothing grows. {@code -Dpenstock.cycles=2000} and
 * {@code -Dpenstock.epochs=N} make it longer than in the test run; the figures are printed.
 */
@ExtendWith(NothingLeft.class)
@Timeout(300)
class EnduranceTest {
    private static final int CYCLES = Integer.getInteger("penstock.cycles", 200);
    private static final int EPOCHS = Integer.getInteger("penstock.epochs", 1_000);
    private static final int WARM = 20;
    private static final int BATCH = 2;
    /** A sample's bytes lie in the smallest class of read buffers. */
    private static final long READ_BUFFER = 64 << 10;

    /** What must not grow. */
    private record Held(Set<String> threads, int descriptors, long bytes, long files) {
        static Held now() {
            return new Held(
                    Set.copyOf(NothingLeft.threads()),
                    NothingLeft.descriptors(),
                    NothingLeft.bytes(),
                    NothingLeft.openFiles().size());
        }

        /** close() returns when workers have left their work; the JVM takes a moment more to take their threads down. */
        static Held onceThreadsEnded() {
            await("threads end")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> NothingLeft.threads().isEmpty());
            return now();
        }

        void assertNoMoreThan(Held before, long room) {
            assertThat(threads).isEqualTo(before.threads);
            assertThat(bytes).isLessThanOrEqualTo(before.bytes + room);
            assertThat(files).isEqualTo(before.files);
            assertThat(descriptors).isLessThanOrEqualTo(before.descriptors + 2); // the JVM may open an archive
        }

        @Override
        public String toString() {
            return threads.size() + " threads, " + descriptors + " descriptors, " + bytes + " off-heap bytes";
        }
    }

    @Test
    void manyEpochsOfATinyDatasetHoldNoThreadDescriptorOrByteMore() throws IOException {
        PlantedDataset tiny = new PlantedDataset(3, 1);
        try (Loader loader =
                Loader.builder(tiny, PlantedDataset.VIEW).batchSize(BATCH).build()) {
            long rows = 0;
            Held warm = null;
            for (int epoch = 0; epoch < EPOCHS; epoch++) {
                for (Batch batch : loader) {
                    rows += batch.size();
                }
                if (epoch == WARM) {
                    warm = Held.now();
                }
            }
            assertThat(rows).isEqualTo(3L * EPOCHS);
            Held last = Held.now();
            // how many samples are read at once, and so how many buffers are kept, is the scheduler's to say
            long room = (long) loader.batchesInMemory() * BATCH * READ_BUFFER;
            last.assertNoMoreThan(warm, room);
            System.out.println("epoch " + WARM + ": " + warm + "; epoch " + EPOCHS + ": " + last);
        }
    }

    @Test
    void manyLoadersOpenedLeftAndClosedHoldNoThreadDescriptorOrByteMore() throws IOException {
        PlantedDataset data = new PlantedDataset(50, 5);
        Held warm = null;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            try (Loader loader = Loader.builder(data, PlantedDataset.VIEW)
                    .batchSize(4)
                    .decodeConcurrency(1 + cycle % 3)
                    .overtake(cycle % 2 * 8)
                    .build()) {
                Iterator<Batch> batches = loader.iterator();
                for (int i = 0; i < cycle % 5; i++) {
                    batches.next();
                }
            }
            if (cycle == WARM) {
                warm = Held.onceThreadsEnded();
            }
        }
        assertThat(data.closedSources).hasValue(CYCLES);
        assertThat(data.openDecoders).hasValue(0);
        Held last = Held.onceThreadsEnded();
        last.assertNoMoreThan(warm, 0);
        System.out.println("cycle " + WARM + ": " + warm + "; cycle " + CYCLES + ": " + last);
    }
}
