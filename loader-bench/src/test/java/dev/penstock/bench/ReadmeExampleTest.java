package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.FakeBatches;
import dev.penstock.Loader;
import dev.penstock.Shuffle;
import dev.penstock.bench.demo.DemoDataset;
import dev.penstock.bench.demo.DemoSettings;
import dev.penstock.data.Batch;
import dev.penstock.data.ElementType;
import dev.penstock.data.Tensor;
import dev.penstock.decode.Episodes;
import dev.penstock.spi.Dataset;
import dev.penstock.view.Column;
import dev.penstock.view.Size;
import dev.penstock.view.View;
import dev.penstock.view.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's training loop is this very code, and it runs. */
class ReadmeExampleTest {

    /** What a user's trainer is to the example. */
    interface Trainer {
        void step(Tensor pixels, Tensor truth);
    }

    @Test
    void theReadmesLoopTrainsOnTheDemoDataset(@TempDir Path folder) throws Exception {
        Path index = DemoDataset.make(
                folder, DemoSettings.STANDARD.length(1, 2).size(Size.of(160, 96)), (done, total) -> {});
        AtomicInteger steps = new AtomicInteger();
        train(index, (pixels, truth) -> {
            assertThat(pixels.shape()[1]).isEqualTo(16);
            assertThat(truth.shape()[0]).isEqualTo(pixels.shape()[0]);
            steps.incrementAndGet();
        });
        assertThat(steps.get()).isGreaterThan(20);
    }

    @SuppressWarnings("SystemOut")
    private static void train(Path path, Trainer trainer) throws Exception {
        // README: begin
        Dataset drives = Episodes.open(path); // a folder of clips, an episodes.jsonl, or a URI
        View view = View.builder()
                .video("front", Window.frames(16).every(2), Size.of(224, 224))
                .video("left", Window.frames(16).every(2), Size.of(224, 224))
                .truth("steering", Column.float32())
                .truth("boxes", Column.ragged(ElementType.FLOAT32, 4))
                .build();

        try (Loader loader = Loader.builder(drives, view)
                .batchSize(4)
                .shuffle(Shuffle.seed(7))
                .decodeConcurrency(2)
                .prefetch(2)
                .build()) {
            for (int epoch = 0; epoch < 2; epoch++) {
                for (Batch batch : loader) { // each iterator is the next epoch
                    trainer.step(batch.tensor("front"), batch.tensor("steering"));
                }
                System.out.println(loader.dataWait());
            }
            try (FakeBatches fakes = FakeBatches.replay(loader, 4)) { // the accelerator's own roofline
                for (Batch batch : fakes.steps(20)) {
                    trainer.step(batch.tensor("front"), batch.tensor("steering"));
                }
            }
        }
        // README: end
    }

    @Test
    void theReadmeShowsThisCode() throws Exception {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("penstock"))) {
            root = root.getParent();
        }
        List<String> source = Files.readAllLines(
                root.resolve("loader-bench/src/test/java/dev/penstock/bench/ReadmeExampleTest.java"));
        int from = source.stream().map(String::strip).toList().indexOf("// README: begin") + 1;
        int to = source.stream().map(String::strip).toList().indexOf("// README: end");
        String example = normalized(String.join("\n", source.subList(from, to)));
        assertThat(normalized(Files.readString(root.resolve("README.md")))).contains(example);
    }

    /** Indentation does not count. */
    private static String normalized(String text) {
        return String.join(
                "\n", Arrays.stream(text.split("\n")).map(String::strip).toList());
    }
}
