package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.penstock.data.Batch;
import dev.penstock.data.Tensor;
import dev.penstock.engine.NothingLeft;
import dev.penstock.probe.DataWaitProbe;
import dev.penstock.probe.DataWaitReport;
import dev.penstock.probe.SampleCounts;
import dev.penstock.spi.LoaderException;
import dev.penstock.spi.StallException;
import dev.penstock.testkit.Digests;
import dev.penstock.testkit.PlantedDataset;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NothingLeft.class)
@Timeout(60)
class LoaderTest {
    private final PlantedDataset data = new PlantedDataset(50, 5);

    @ParameterizedTest
    @CsvSource({"1,1,1", "1,2,1", "4,1,2", "4,4,3", "2,3,5"})
    void theSameBatchesComeInTheSameOrderAtAnyConcurrency(int read, int decode, int prefetch) throws IOException {
        List<String> expected = new ArrayList<>();
        try (Loader loader = data.loader()
                .shuffle(Shuffle.seed(7))
                .readConcurrency(1)
                .decodeConcurrency(1)
                .build()) {
            expected.addAll(Digests.inOrder(loader));
            expected.addAll(Digests.inOrder(loader));
        }
        try (Loader loader = data.loader()
                .shuffle(Shuffle.seed(7))
                .readConcurrency(read)
                .decodeConcurrency(decode)
                .collateConcurrency(decode)
                .prefetch(prefetch)
                .build()) {
            List<String> got = new ArrayList<>(Digests.inOrder(loader));
            got.addAll(Digests.inOrder(loader));
            assertThat(got).isEqualTo(expected);
        }
        assertThat(data.closedSources).hasValue(2);
        assertThat(data.openDecoders).hasValue(0);
    }

    @Test
    void anEpochHasEverySampleOnceAndTheNextEpochHasAnotherOrder() throws IOException {
        try (Loader loader = data.loader().shuffle(Shuffle.full(3)).build()) {
            List<Long> first = PlantedDataset.numbers(loader);
            List<Long> second = PlantedDataset.numbers(loader);
            assertThat(new TreeSet<>(first)).hasSize(50);
            assertThat(first).hasSize(50).isNotEqualTo(second);
            assertThat(second).containsExactlyInAnyOrderElementsOf(first);
            assertThat(loader.dataWait().samplesCounted()).isEqualTo(new SampleCounts(50, 50, 0, 0, 0, 0, 0, 0));
        }
    }

    @Test
    void tensorsHaveTheirShapesAlignmentRaggedRowsAndText() throws IOException {
        try (Loader loader = data.loader().build()) {
            Batch batch = loader.iterator().next();
            assertThat(batch.size()).isEqualTo(4);
            Tensor pixels = batch.tensor("cam");
            assertThat(pixels.shape()).containsExactly(4, 2, 3, 4, 3);
            assertThat(pixels.data().isDirect()).isTrue();
            assertThat(pixels.data().alignmentOffset(0, 64)).isZero();
            assertThat(pixels.data().remaining()).isEqualTo(4 * 2 * 3 * 4 * 3);
            Tensor list = batch.tensor("list");
            assertThat(list.shape()).containsExactly(0 + 1 + 2 + 3);
            ByteBuffer third = list.sample(3);
            assertThat(List.of(third.getInt(), third.getInt(), third.getInt())).containsExactly(30, 31, 32);
            assertThat(batch.tensor("word").texts()).containsExactly("sample 0", "sample 1", "sample 2", "sample 3");
            assertThatThrownBy(() -> batch.tensor("lidar"))
                    .hasMessage("the view has no tensor 'lidar'; it has [cam, number, list, word]");
        }
    }

    @Test
    void aBatchIsRefusedAfterTheFollowingNextAndKeptByRetain() throws IOException {
        try (Loader loader = data.loader().build()) {
            Iterator<Batch> batches = loader.iterator();
            Batch first = batches.next();
            Batch second = batches.next();
            assertThatThrownBy(() -> first.tensor("cam"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("batch 0 of epoch 0 was given back")
                    .hasMessageContaining("retain()");
            Batch kept = second.retain();
            String before = Digests.of(kept);
            while (batches.hasNext()) {
                batches.next();
            }
            assertThat(Digests.of(kept)).isEqualTo(before);
            assertThat(loader.dataWait().memory().retained()).isEqualTo(1);
            kept.close();
            kept.close();
            assertThatThrownBy(() -> Digests.of(kept)).isInstanceOf(IllegalStateException.class);
            assertThat(loader.dataWait().memory().retained()).isZero();
        }
    }

    @Test
    void aRetainedBatchOutlivesTheLoader() throws IOException {
        Batch kept;
        String before;
        try (Loader loader = data.loader().build()) {
            Iterator<Batch> batches = loader.iterator();
            kept = batches.next().retain();
            before = Digests.of(kept);
            batches.next();
        }
        assertThat(Digests.of(kept)).isEqualTo(before);
        kept.close();
    }

    @Test
    void retainingEveryBatchOfAnEpochWorksWithinTheBudget() throws IOException {
        try (Loader loader = data.loader().prefetch(1).build()) {
            List<Batch> kept = new ArrayList<>();
            for (Batch batch : loader) {
                kept.add(batch.retain());
            }
            assertThat(kept).hasSize(13);
            assertThat(kept.stream().map(Digests::of).distinct()).hasSize(13);
            kept.forEach(Batch::close);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 12, 13})
    void leavingTheLoopAtAnyStepIsSafeAndTheNextIteratorIsTheNextEpoch(int steps) throws IOException {
        List<String> secondEpoch;
        try (Loader loader = data.loader().shuffle(Shuffle.seed(1)).build()) {
            Digests.inOrder(loader);
            secondEpoch = Digests.inOrder(loader);
        }
        try (Loader loader =
                data.loader().shuffle(Shuffle.seed(1)).decodeConcurrency(2).build()) {
            Iterator<Batch> first = loader.iterator();
            for (int i = 0; i < steps; i++) {
                first.next();
            }
            assertThat(Digests.inOrder(loader)).isEqualTo(secondEpoch);
            assertThat(first.hasNext()).isFalse();
        }
    }

    @Test
    void theConsumersExceptionLeavesNothingBehind() throws IOException {
        Loader loader = data.loader().build();
        assertThatThrownBy(() -> {
                    try (loader) {
                        for (Batch batch : loader) {
                            throw new IllegalStateException("the trainer broke at " + batch.number());
                        }
                    }
                })
                .hasMessage("the trainer broke at 0");
    }

    @Test
    void closeFromAnotherThreadEndsAWaitingNext() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        data.onDecode = sample -> never.await();
        Loader loader = data.loader().closeTimeout(Duration.ofMillis(200)).build();
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread trainer = new Thread(() -> {
            try {
                loader.iterator().next();
            } catch (Throwable e) {
                seen.set(e);
            }
        });
        trainer.start();
        await().until(() -> data.reads.get() > 0);
        loader.close();
        trainer.join(10_000);
        assertThat(seen.get()).isInstanceOf(LoaderException.class).hasMessageContaining("closed");
        never.countDown();
    }

    @Test
    void aSourceThatIgnoresInterruptsDoesNotHoldCloseBeyondItsDeadline() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        data.onRead = sample -> awaitWhateverHappens(release);
        Loader loader = data.loader().closeTimeout(Duration.ofMillis(100)).build();
        Iterator<Batch> batches = loader.iterator();
        await().until(() -> data.reads.get() > 0);
        loader.close();
        assertThat(batches.hasNext()).isFalse();
        assertThat(NothingLeft.threads()).isNotEmpty(); // still stuck, and its memory is still there
        release.countDown(); // NothingLeft sees that the last thread frees everything
    }

    private static void awaitWhateverHappens(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aSourceThatBlocksForEverIsNamedByTheStall() throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        data.onRead = sample -> {
            if (sample == 5) {
                never.await();
            }
        };
        try (Loader loader = data.loader()
                .nextTimeout(Duration.ofMillis(300))
                .closeTimeout(Duration.ofMillis(200))
                .build()) {
            Iterator<Batch> batches = loader.iterator();
            batches.next();
            assertThatThrownBy(batches::next)
                    .isInstanceOf(StallException.class)
                    .hasMessageContaining("no batch for 300 ms")
                    .hasMessageContaining("cam of sample 5 of batch 1 of epoch 0")
                    .hasMessageContaining("penstock-read-");
        }
        never.countDown();
    }

    @Test
    void resumeAtEveryStepGivesTheSameBatches() throws IOException {
        List<String> unbroken = new ArrayList<>();
        List<LoaderState> states = new ArrayList<>();
        try (Loader loader = data.loader().shuffle(Shuffle.seed(4)).build()) {
            for (int epoch = 0; epoch < 2; epoch++) {
                states.add(loader.state());
                for (Batch batch : loader) {
                    unbroken.add(batch.epoch() + " " + batch.number() + " " + Digests.of(batch));
                    states.add(loader.state());
                }
                states.remove(states.size() - 1);
            }
        }
        for (int k = 0; k < states.size(); k++) {
            LoaderState state = LoaderState.fromJson(states.get(k).toJson());
            int before = data.decodes.get();
            try (Loader loader = data.loader()
                    .shuffle(Shuffle.seed(4))
                    .epochs(2)
                    .resume(state)
                    .build()) {
                List<String> rest = new ArrayList<>();
                for (int epoch = state.epoch(); epoch < 2; epoch++) {
                    for (Batch batch : loader) {
                        rest.add(batch.epoch() + " " + batch.number() + " " + Digests.of(batch));
                    }
                }
                assertThat(rest).as("resumed at %d", k).isEqualTo(unbroken.subList(k, unbroken.size()));
            }
            assertThat(data.decodes.get() - before).isEqualTo(100 - 50 * state.epoch() - (int) state.position());
        }
    }

    @Test
    void ranksTogetherGiveTheGlobalEpoch() throws IOException {
        List<Long> all = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            try (Loader loader =
                    data.loader().shuffle(Shuffle.seed(4)).shard(rank, 3).build()) {
                assertThat(loader.batches()).isEqualTo(5);
                for (Batch batch : loader) {
                    for (int row = 0; row < batch.size(); row++) {
                        if (!batch.isPadding(row)) {
                            all.add(batch.sampleAt(row));
                        }
                    }
                }
            }
        }
        assertThat(all).hasSize(50).doesNotHaveDuplicates();
    }

    @Test
    void concurrencyChangesWhileRunningWithoutChangingTheBatches() throws IOException {
        List<String> expected;
        try (Loader loader = data.loader().shuffle(Shuffle.seed(9)).build()) {
            expected = Digests.inOrder(loader);
        }
        try (Loader loader = data.loader().shuffle(Shuffle.seed(9)).epochs(1).build()) {
            List<String> got = new ArrayList<>();
            int step = 0;
            for (Batch batch : loader) {
                got.add(batch.number() + " " + Digests.of(batch));
                loader.setDecodeConcurrency(1 + step % 4);
                loader.setReadConcurrency(1 + (step * 3) % 5);
                step++;
            }
            assertThat(got).isEqualTo(expected);
        }
    }

    @Test
    void everyWrongSettingIsSaidAtOnce() {
        assertThatThrownBy(() -> data.loader()
                        .batchSize(0)
                        .decodeConcurrency(-1)
                        .prefetch(0)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 settings are wrong")
                .hasMessageContaining("batchSize was 0, must be at least 1")
                .hasMessageContaining("decodeConcurrency was -1, must be at least 1");
    }

    @Test
    void aBudgetThatIsTooSmallIsRefusedWithTheKnobs() {
        assertThatThrownBy(() -> data.loader().memory(10_000).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be at least")
                .hasMessageContaining("lower batchSize, prefetch, decodeConcurrency or overtake");
        assertThat(data.closedSources).hasValue(1);
    }

    @Test
    void aProbeThatThrowsIsSwitchedOffAndTrainingGoesOn() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        DataWaitProbe probe = new DataWaitProbe() {
            @Override
            public void delivered(int epoch, long batch, long waitNanos, long betweenNanos) {
                calls.incrementAndGet();
                throw new IllegalStateException("planted");
            }
        };
        try (Loader loader = data.loader().probe(probe).build()) {
            assertThat(PlantedDataset.numbers(loader)).hasSize(50);
        }
        assertThat(calls).hasValue(1);
    }

    @Test
    void theReportAddsUp() throws IOException {
        try (Loader loader = data.loader().epochs(1).build()) {
            Digests.inOrder(loader);
            DataWaitReport report = loader.dataWait();
            assertThat(report.batches()).isEqualTo(13);
            assertThat(report.steady().count() + report.tail().count() + 1).isEqualTo(13);
            assertThat(report.awaited().total()).isEqualTo(report.waitNanos());
            assertThat(report.stages()).extracting("stage").containsExactly("read", "decode", "collate");
            assertThat(report.stages()).extracting("batches").containsExactly(13L, 13L, 13L);
            assertThat(report.wallNanos()).isEqualTo(report.waitNanos() + report.stepNanos());
            assertThat(report.toJson()).contains("\"bottleneck\"");
            assertThat(report.text()).contains("data wait").contains("planned 50 = delivered 50");
        }
    }

    @Test
    void replayRepeatsRealBatchesAndSyntheticHasTheirShapes() throws IOException {
        try (Loader loader = data.loader().shuffle(Shuffle.seed(5)).build()) {
            List<String> real = Digests.inOrder(loader).subList(0, 3);
            try (Loader again = data.loader().shuffle(Shuffle.seed(5)).build();
                    FakeBatches fake = FakeBatches.replay(again, 3)) {
                List<String> replayed = Digests.inOrder(fake.steps(7));
                assertThat(replayed).hasSize(7);
                for (int i = 0; i < 7; i++) {
                    assertThat(replayed.get(i).split(" ")[1])
                            .isEqualTo(real.get(i % 3).split(" ")[1]);
                }
            }
            try (FakeBatches noise = FakeBatches.synthetic(PlantedDataset.VIEW, 4)) {
                Batch batch = noise.iterator().next();
                assertThat(batch.tensor("cam").shape()).containsExactly(4, 2, 3, 4, 3);
                assertThat(batch.tensor("word").texts()).hasSize(4);
                assertThat(noise.spec()).isEqualTo(loader.spec());
                batch.close();
            }
        }
    }
}
