package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.data.Batch;
import dev.penstock.data.Tensor;
import dev.penstock.engine.NothingLeft;
import dev.penstock.probe.SampleCounts;
import dev.penstock.spi.SampleException;
import dev.penstock.testkit.Digests;
import dev.penstock.testkit.PlantedDataset;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Late samples are overtaken within the window; nothing is lost, repeated or misplaced, over resumes too. */
@ExtendWith(NothingLeft.class)
@Timeout(60)
class OvertakingTest {
    private static final int BATCH = 4;

    private final PlantedDataset data = new PlantedDataset(50, 5);

    private Loader.Builder builder(int overtake) {
        return Loader.builder(data, PlantedDataset.VIEW)
                .batchSize(BATCH)
                .overtake(overtake)
                .readConcurrency(2)
                .decodeConcurrency(3)
                .nextTimeout(Duration.ofSeconds(30));
    }

    /** The samples of the batch; fails where a row's pixels or truth are not that sample's. */
    private static List<Long> checked(Batch batch, boolean paddingToo) {
        List<Long> samples = new ArrayList<>();
        Tensor cam = batch.tensor("cam");
        for (int row = 0; row < batch.size(); row++) {
            long sample = batch.sampleAt(row);
            assertThat(batch.tensor("number").sample(row).getLong()).isEqualTo(sample);
            assertThat(batch.tensor("word").texts().get(row)).isEqualTo("sample " + sample);
            assertThat(batch.tensor("list").sample(row).remaining()).isEqualTo(4 * (int) (sample % 4));
            byte first = (byte) new SplittableRandom(sample).nextInt();
            assertThat(cam.sample(row).get())
                    .as("first pixel of sample %d", sample)
                    .isEqualTo(first);
            if (paddingToo || !batch.isPadding(row)) {
                samples.add(sample);
            }
        }
        return samples;
    }

    private static List<Long> epoch(Loader loader) {
        List<Long> samples = new ArrayList<>();
        loader.forEach(batch -> samples.addAll(checked(batch, false)));
        return samples;
    }

    @Test
    void withoutALateSampleTheOrderIsTheStrictOne() throws IOException {
        List<String> strict = new ArrayList<>();
        try (Loader loader = builder(0).shuffle(Shuffle.seed(3)).build()) {
            loader.forEach(batch -> strict.add(batch.number() + Digests.of(batch)));
        }
        // one worker a stage finishes pieces in the order of the plan, so nothing is ever late
        try (Loader loader = builder(16)
                .shuffle(Shuffle.seed(3))
                .readConcurrency(1)
                .decodeConcurrency(1)
                .build()) {
            List<String> got = new ArrayList<>();
            loader.forEach(batch -> got.add(batch.number() + Digests.of(batch)));
            assertThat(got).isEqualTo(strict);
            assertThat(loader.dataWait().samplesCounted().early()).isZero();
        }
    }

    @Test
    void aLateSampleIsOvertakenUpToTheWindowAndThenWaitedFor() throws IOException {
        CountDownLatch held = new CountDownLatch(1);
        data.onDecode = sample -> {
            if (sample == 2) {
                held.await();
            }
        };
        try (Loader loader = builder(10).build()) {
            Iterator<Batch> batches = loader.iterator();
            List<Long> before = new ArrayList<>();
            for (int i = 0; i < 3; i++) { // rows 0 to 12 without 2; row 13 would be more than 10 behind
                before.addAll(checked(batches.next(), true));
            }
            assertThat(before).hasSize(12).doesNotContain(2L).allMatch(sample -> sample <= 12);
            assertThat(loader.dataWait().samplesCounted().early()).isGreaterThanOrEqualTo(10);
            held.countDown();
            List<Long> all = new ArrayList<>(before);
            while (batches.hasNext()) {
                Batch batch = batches.next();
                assertThat(batch.size()).isEqualTo(batch.number() == 12 ? 2 : BATCH);
                all.addAll(checked(batch, true));
            }
            assertThat(all.subList(12, 16)).contains(2L);
            assertThat(all).hasSize(50).doesNotHaveDuplicates();
            assertThat(loader.dataWait().text()).contains(", early 1");
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "7,1", "7,2", "64,1", "64,3"})
    void everySampleComesOnceAtRandomSlowness(int window, int world) throws IOException {
        for (int rank = 0; rank < world; rank++) {
            slowAtRandom(7L * rank + window);
            List<Long> strict = new ArrayList<>();
            try (Loader loader =
                    builder(0).shuffle(Shuffle.full(5)).shard(rank, world).build()) {
                strict.addAll(epoch(loader));
            }
            try (Loader loader = builder(window)
                    .shuffle(Shuffle.full(5))
                    .shard(rank, world)
                    .collateConcurrency(2)
                    .build()) {
                for (int epoch = 0; epoch < 3; epoch++) {
                    List<Long> got = epoch(loader);
                    if (epoch == 0) {
                        assertThat(got).containsExactlyInAnyOrderElementsOf(strict);
                    }
                    assertThat(got).hasSize(strict.size()).doesNotHaveDuplicates();
                    for (int i = 0; epoch == 0 && i < got.size(); i++) {
                        int place = strict.indexOf(got.get(i));
                        assertThat(place - i).as("samples ahead of their place").isLessThanOrEqualTo(window + BATCH);
                    }
                }
            }
        }
    }

    private void slowAtRandom(long seed) {
        data.onRead = sample -> slow(seed, sample);
        data.onDecode = sample -> slow(seed + 1, sample);
    }

    private static void slow(long seed, long sample) {
        if (new SplittableRandom(seed * 1_000 + sample).nextInt(6) == 0) {
            LockSupport.parkNanos(2_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void resumingAtEveryStepLosesAndRepeatsNothing(int world) throws IOException {
        slowAtRandom(11);
        for (int rank = 0; rank < world; rank++) {
            List<Long> strict = new ArrayList<>();
            try (Loader loader =
                    builder(0).shuffle(Shuffle.full(8)).shard(rank, world).build()) {
                strict.addAll(epoch(loader));
            }
            int steps = (strict.size() + BATCH - 1) / BATCH;
            for (int k = 0; k < steps; k++) {
                List<Long> samples = new ArrayList<>();
                LoaderState state;
                try (Loader loader =
                        builder(9).shuffle(Shuffle.full(8)).shard(rank, world).build()) {
                    Iterator<Batch> batches = loader.iterator();
                    for (int i = 0; i < k; i++) {
                        samples.addAll(checked(batches.next(), false));
                    }
                    state = LoaderState.fromJson(loader.state().toJson());
                }
                int overtake = k % 2 == 0 ? 9 : 0; // going on in strict order is fine too
                try (Loader loader = builder(overtake)
                        .shuffle(Shuffle.full(8))
                        .shard(rank, world)
                        .resume(state)
                        .build()) {
                    Iterator<Batch> batches = loader.iterator();
                    long number = k;
                    while (batches.hasNext()) {
                        Batch batch = batches.next();
                        assertThat(batch.number()).isEqualTo(number++);
                        samples.addAll(checked(batch, false));
                    }
                    assertThat(loader.dataWait().samplesCounted().balanced()).isTrue();
                    assertThat(loader.state().position()).isZero();
                    assertThat(loader.state().epoch()).isEqualTo(1);
                }
                assertThat(samples).as("resumed at %d from %s", k, state).containsExactlyInAnyOrderElementsOf(strict);
            }
        }
    }

    @Test
    void aStateWithHolesResumesAgainAndAgain() throws IOException {
        List<Long> samples = new ArrayList<>();
        LoaderState state = null;
        for (int round = 0; samples.size() < 50; round++) {
            slowAtRandom(100 + round);
            Loader.Builder builder = builder(12).batchSize(1 + round % 5);
            try (Loader loader = (state == null ? builder : builder.resume(state)).build()) {
                Iterator<Batch> batches = loader.iterator();
                for (int i = 0; i < 1 + round % 2 && batches.hasNext(); i++) {
                    samples.addAll(checked(batches.next(), false));
                }
                state = LoaderState.fromJson(loader.state().toJson());
            }
        }
        Collections.sort(samples);
        assertThat(samples).isEqualTo(LongStream.range(0, 50).boxed().toList());
        assertThat(state.epoch()).isEqualTo(1);
    }

    @Test
    void theStateStaysUnderAKilobyteWithTheLargestWindow() throws IOException {
        CountDownLatch held = new CountDownLatch(1);
        PlantedDataset large = new PlantedDataset(4_000, 40);
        large.onRead = sample -> {
            if (sample == 3 || (sample % 2 == 0 && sample > 1_500 && sample < 2_052)) {
                held.await();
            }
        };
        try (Loader loader = Loader.builder(large, PlantedDataset.VIEW)
                .batchSize(8)
                .readConcurrency(400)
                .overtake(LoaderSettings.MOST_OVERTAKING)
                .shuffle(Shuffle.none())
                .build()) {
            Iterator<Batch> batches = loader.iterator();
            for (int i = 0; i < 200; i++) {
                batches.next();
            }
            LoaderState state = loader.state();
            assertThat(state.ahead()).isNotNull();
            assertThat(state.position()).isZero();
            assertThat(state.toJson().getBytes(StandardCharsets.UTF_8).length).isLessThan(1_024);
            assertThat(LoaderState.fromJson(state.toJson())).isEqualTo(state);
            held.countDown();
        }
        assertThatThrownBy(() -> builder(LoaderSettings.MOST_OVERTAKING + 1).build())
                .hasMessageContaining("overtake was 2049, must be at most 2048");
    }

    @Test
    void anotherRankOrWorldIsRefusedInMidEpoch() throws IOException {
        LoaderState state;
        try (Loader loader = builder(8).shard(1, 2).build()) {
            loader.iterator().next();
            state = loader.state();
        }
        assertThatThrownBy(() -> builder(8).shard(0, 2).resume(state).build())
                .isInstanceOf(ResumeException.class)
                .hasMessageContaining("the state is of rank 1 of 2")
                .hasMessageContaining("resume each rank from its own state");
        assertThatThrownBy(() -> builder(8).shard(1, 3).resume(state).build()).isInstanceOf(ResumeException.class);
        try (Loader loader = builder(8).shard(1, 2).resume(state).build()) {
            assertThat(loader.iterator().next().number()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SKIP", "SUBSTITUTE"})
    void badSamplesAreSettledAmongOvertakingOnes(BadSamples.Rule rule) throws IOException {
        slowAtRandom(21);
        PlantedDataset.Step slow = data.onDecode;
        data.onDecode = sample -> {
            slow.on(sample);
            if (sample % 9 == 4) {
                throw new SampleException("planted damage", null);
            }
        };
        try (Loader loader =
                builder(10).onBad(new BadSamples(rule, 0.5, 100, null)).build()) {
            List<Long> got = epoch(loader);
            SampleCounts counts = loader.dataWait().samplesCounted();
            if (rule == BadSamples.Rule.SKIP) {
                assertThat(got).hasSize(44).doesNotHaveDuplicates().noneMatch(sample -> sample % 9 == 4);
                assertThat(counts.skipped()).isEqualTo(6);
            } else {
                assertThat(got).hasSize(50).noneMatch(sample -> sample % 9 == 4);
                assertThat(counts.substituted()).isEqualTo(6);
            }
            assertThat(counts.balanced()).isTrue();
        }
    }

    @Test
    void leavingTheLoopAtAnyStepGoesOnWithTheNextEpoch() throws IOException {
        slowAtRandom(31);
        for (int steps = 0; steps < 13; steps++) {
            try (Loader loader = builder(6).build()) {
                Iterator<Batch> first = loader.iterator();
                for (int i = 0; i < steps; i++) {
                    first.next();
                }
                List<Long> second = epoch(loader);
                assertThat(second).hasSize(50).doesNotHaveDuplicates();
                assertThat(loader.dataWait().epoch()).isEqualTo(1);
            }
        }
    }

    @Test
    void oneWorkerAStageAndOnePrefetchedBatchNeverDeadlock() throws IOException {
        slowAtRandom(41);
        try (Loader loader =
                builder(5).readConcurrency(1).decodeConcurrency(1).prefetch(1).build()) {
            List<Batch> kept = new ArrayList<>();
            for (Batch batch : loader) {
                kept.add(batch.retain());
            }
            assertThat(kept).hasSize(13);
            kept.forEach(Batch::close);
        }
    }
}
