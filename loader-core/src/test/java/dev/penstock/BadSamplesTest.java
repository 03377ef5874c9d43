package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.data.Batch;
import dev.penstock.engine.NothingLeft;
import dev.penstock.probe.SampleCounts;
import dev.penstock.spi.BlobException;
import dev.penstock.spi.LoaderException;
import dev.penstock.spi.SampleException;
import dev.penstock.spi.SampleIdentity;
import dev.penstock.testkit.Digests;
import dev.penstock.testkit.PlantedDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Samples that cannot be read or decoded: an error that names them, tried again, skipped or replaced, as was asked for. */
@ExtendWith(NothingLeft.class)
@Timeout(60)
class BadSamplesTest {
    private final PlantedDataset data = new PlantedDataset(50, 5);

    @Test
    void nextThrowsTheDecodeFailureWithTheSampleInItsPlace() throws IOException {
        data.onDecode = sample -> {
            if (sample == 9) {
                throw new SampleException("front, clip.mp4: frame 12 at 0.4 s could not be decoded", "front", 12, null);
            }
        };
        try (Loader loader = data.loader().decodeConcurrency(3).build()) {
            Iterator<Batch> batches = loader.iterator();
            batches.next();
            batches.next();
            assertThatThrownBy(batches::next)
                    .isInstanceOf(LoaderException.class)
                    .hasMessageContaining("sample 9 (planted, episode episode-4, anchor 0.900 s) of batch 2 of epoch 0")
                    .hasMessageContaining("frame 12 at 0.4 s could not be decoded")
                    .extracting(e -> ((LoaderException) e).sample())
                    .isEqualTo(new SampleIdentity("planted", 9, "episode-4", 0.9));
        }
    }

    @Test
    void anErrorOfADecoderReachesNext() throws IOException {
        data.onDecode = sample -> {
            throw new NoClassDefFoundError("org/bytedeco/Planted");
        };
        try (Loader loader = data.loader().build()) {
            assertThatThrownBy(() -> loader.iterator().next())
                    .isInstanceOf(LoaderException.class)
                    .hasMessageContaining("org/bytedeco/Planted");
        }
    }

    @Test
    void transientReadErrorsAreTriedAgainAndCounted() throws IOException {
        AtomicInteger failures = new AtomicInteger(3);
        data.onRead = sample -> {
            if (sample == 0 && failures.getAndDecrement() > 0) {
                throw new BlobException("planted time-out", true);
            }
        };
        try (Loader loader = data.loader().build()) {
            assertThat(PlantedDataset.numbers(loader)).hasSize(50);
            assertThat(loader.dataWait().samplesCounted().retries()).isEqualTo(3);
        }
    }

    @Test
    void aReadThatNeverSucceedsFailsAtOnceWithTheReason() throws IOException {
        data.onRead = sample -> {
            if (sample == 2) {
                throw new BlobException("s3://bucket/key is gone; check the bucket", false);
            }
        };
        try (Loader loader = data.loader().build()) {
            assertThatThrownBy(() -> loader.iterator().next()).hasMessageContaining("s3://bucket/key is gone");
            assertThat(loader.dataWait().samplesCounted().retries()).isZero();
        }
    }

    @Test
    void badSamplesAreSkippedWithinTheBudgetAndNamedInTheQuarantine(@TempDir Path folder) throws IOException {
        data.onDecode = sample -> {
            if (sample % 10 == 3) {
                throw new SampleException("planted damage", "cam", sample, null);
            }
        };
        data.onCollate = sample -> {
            if (sample == 20) {
                throw new SampleException("planted truth gap", null);
            }
        };
        Path quarantine = folder.resolve("bad.jsonl");
        try (Loader loader = data.loader()
                .decodeConcurrency(2)
                .onBad(BadSamples.skip().budget(0.5, 100))
                .quarantine(quarantine)
                .build()) {
            assertThat(PlantedDataset.numbers(loader)).hasSize(44).doesNotContain(3L, 13L, 20L, 23L, 33L, 43L);
            SampleCounts counts = loader.dataWait().samplesCounted();
            assertThat(counts.skipped()).isEqualTo(6);
            assertThat(counts.balanced()).isTrue();
        }
        List<String> lines = Files.readAllLines(quarantine).stream()
                .filter(l -> l.contains("\"epoch\":0"))
                .toList();
        assertThat(lines).hasSize(6).anyMatch(l -> l.contains("planted truth gap") && l.contains("\"sample\":20"));
    }

    @Test
    void aBatchWhoseSamplesAreAllBadIsLeftOut() throws IOException {
        data.onDecode = sample -> {
            if ((sample >= 4 && sample < 8) || sample >= 46) {
                throw new SampleException("planted damage", null);
            }
        };
        try (Loader loader =
                data.loader().onBad(BadSamples.skip().budget(0.5, 100)).build()) {
            assertThat(PlantedDataset.numbers(loader)).hasSize(42);
            assertThat(loader.dataWait().samplesCounted().skipped()).isEqualTo(8);
        }
    }

    @Test
    void substitutesAreTheSameAtAnyConcurrencyAndKeepTheShape() throws IOException {
        data.onDecode = sample -> {
            if (sample % 7 == 0) {
                throw new SampleException("planted damage", null);
            }
        };
        List<String> expected;
        try (Loader loader = data.loader()
                .shuffle(Shuffle.seed(2))
                .onBad(BadSamples.substitute().budget(0.5, 100))
                .build()) {
            expected = Digests.inOrder(loader);
            assertThat(loader.dataWait().samplesCounted().substituted()).isEqualTo(8);
        }
        try (Loader loader = data.loader()
                .shuffle(Shuffle.seed(2))
                .onBad(BadSamples.substitute().budget(0.5, 100))
                .readConcurrency(3)
                .decodeConcurrency(3)
                .collateConcurrency(2)
                .build()) {
            assertThat(Digests.inOrder(loader)).isEqualTo(expected);
            assertThat(loader.dataWait().samplesCounted().delivered()).isEqualTo(50);
        }
    }

    @Test
    void moreBadSamplesThanTheBudgetFail() throws IOException {
        data.onDecode = sample -> {
            throw new SampleException("planted damage", null);
        };
        try (Loader loader = data.loader().onBad(BadSamples.skip()).build()) {
            assertThatThrownBy(() -> Digests.inOrder(loader))
                    .isInstanceOf(LoaderException.class)
                    .hasMessageContaining("of 50 samples of epoch 0 are bad, more than the budget of 1.00 %")
                    .hasMessageContaining("BadSamples.skip().budget(share, count)");
        }
    }
}
