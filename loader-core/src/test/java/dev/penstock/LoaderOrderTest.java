package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.data.Batch;
import dev.penstock.engine.NothingLeft;
import dev.penstock.probe.DataWaitProbe;
import dev.penstock.probe.TuningStep;
import dev.penstock.testkit.Digests;
import dev.penstock.testkit.PlantedDataset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Order, shards, resume, mixes and tuning through whole loaders. */
@ExtendWith(NothingLeft.class)
@Timeout(60)
class LoaderOrderTest {
    private static final int BATCH = 3;

    private final PlantedDataset data = new PlantedDataset(70, 6);

    private Loader.Builder builder(Shard shard) {
        return Loader.builder(data, PlantedDataset.VIEW)
                .batchSize(BATCH)
                .shuffle(Shuffle.seed(11).buffer(20).interleave(3))
                .shard(shard)
                .epochs(2);
    }

    /** {@code steps} steps of all ranks, from a state or the start; the samples and the state that rank 0 then has. */
    private LoaderState run(int world, LoaderState from, int steps, List<Long> samples) throws IOException {
        List<Loader> ranks = new ArrayList<>();
        List<Iterator<Batch>> iterators = new ArrayList<>();
        try {
            for (int rank = 0; rank < world; rank++) {
                Loader.Builder builder = builder(Shard.of(rank, world));
                Loader loader = (from == null ? builder : builder.resume(from)).build();
                ranks.add(loader);
                iterators.add(loader.iterator());
            }
            for (int step = 0; step < steps && iterators.get(0).hasNext(); step++) {
                for (Iterator<Batch> rank : iterators) {
                    Batch batch = rank.next();
                    for (int row = 0; row < batch.size(); row++) {
                        if (!batch.isPadding(row)) {
                            samples.add(batch.sampleAt(row));
                        }
                    }
                }
            }
            LoaderState state = ranks.get(0).state();
            for (Loader rank : ranks) {
                LoaderState other = rank.state();
                assertThat(other).isEqualTo(state);
            }
            return LoaderState.fromJson(state.toJson());
        } finally {
            ranks.forEach(Loader::close);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,3", "2,1", "2,8", "3,4", "4,2", "8,1", "8,3"})
    void aChangeOfWorldInMidEpochLosesAndRepeatsNothing(int before, int after) throws IOException {
        List<Long> unbroken = new ArrayList<>();
        run(1, null, Integer.MAX_VALUE, unbroken);
        assertThat(unbroken).hasSize(70).doesNotHaveDuplicates();
        for (int steps = 0; steps <= 70 / (BATCH * before) + 1; steps++) {
            List<Long> samples = new ArrayList<>();
            LoaderState state = run(before, null, steps, samples);
            if (state.epoch() == 0) {
                LoaderState end = run(after, state, Integer.MAX_VALUE, samples);
                assertThat(end.epoch()).isEqualTo(1);
                assertThat(end.position()).isZero();
            }
            assertThat(samples).as("%d steps", steps).isEqualTo(unbroken);
        }
    }

    @Test
    void whatIsLeftMayBeTooLittleForALargerWorldThatDrops() throws IOException {
        LoaderState nearEnd = run(1, null, 23, new ArrayList<>()); // 69 of 70 samples
        Shard shard = Shard.of(1, 2).ending(Shard.Ending.DROP);
        try (Loader loader = builder(shard).resume(nearEnd).build()) {
            Iterator<Batch> iterator = loader.iterator();
            assertThat(iterator.next().epoch()).isEqualTo(1);
        }
    }

    @Test
    void anotherDatasetOrSeedIsRefusedBeforeAnyWork() throws IOException {
        LoaderState state = run(1, null, 2, new ArrayList<>());
        assertThatThrownBy(() -> Loader.builder(new PlantedDataset(71, 6), PlantedDataset.VIEW)
                        .batchSize(BATCH)
                        .shuffle(Shuffle.seed(12).buffer(20).interleave(3))
                        .resume(state)
                        .build())
                .isInstanceOf(ResumeException.class)
                .hasMessageContaining("the dataset's content changed")
                .hasMessageContaining("seed was 11 and is 12");
        assertThat(data.reads.get()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"SAMPLE", "BATCH"})
    void aMixRunsThroughTheWholeLoaderAndResumes(Mix.By by) throws IOException {
        PlantedDataset small = new PlantedDataset(20, 2);
        Mix mix = Mix.of(data, 2).and(small, 1).by(by).stop(Mix.Stop.ALL_EXHAUSTED);
        List<String> unbroken = new ArrayList<>();
        List<LoaderState> states = new ArrayList<>();
        int ofSmall = 0;
        try (Loader loader = mixed(mix).build()) {
            for (int epoch = 0; epoch < 2; epoch++) {
                Iterator<Batch> iterator = loader.iterator();
                states.add(loader.state());
                while (iterator.hasNext()) {
                    Batch batch = iterator.next();
                    for (int row = 0; row < batch.size(); row++) {
                        ofSmall += batch.sampleAt(row) >= 70 ? 1 : 0;
                    }
                    unbroken.add(batch.epoch() + " " + Digests.of(batch));
                    states.add(loader.state());
                }
                states.remove(states.size() - 1);
            }
        }
        assertThat(ofSmall).isBetween(66, 76); // 140 of the first in two epochs, half as many of the second
        for (int k = 0; k < states.size(); k += 5) {
            List<String> resumed = new ArrayList<>();
            try (Loader loader = mixed(mix).resume(states.get(k)).build()) {
                for (int epoch = states.get(k).epoch(); epoch < 2; epoch++) {
                    for (Batch batch : loader) {
                        resumed.add(batch.epoch() + " " + Digests.of(batch));
                    }
                }
            }
            assertThat(resumed).as("from %s", states.get(k)).isEqualTo(unbroken.subList(k, unbroken.size()));
        }
    }

    private static Loader.Builder mixed(Mix mix) {
        return Loader.builder(mix, PlantedDataset.VIEW)
                .batchSize(BATCH)
                .shuffle(Shuffle.full(3))
                .epochs(2);
    }

    /** Decoding costs much, without CPU; the tuner's first trial must be a decode worker, and the batches stay the same. */
    @Test
    void tuningAddsDecodeWorkersWhereDecodingIsSlowAndChangesNoBatch() throws IOException {
        List<String> plain = new ArrayList<>();
        try (Loader loader = builder(Shard.whole()).build()) {
            loader.forEach(batch -> plain.add(Digests.of(batch)));
        }
        data.onDecode = sample -> LockSupport.parkNanos(4_000_000);
        List<TuningStep> heard = new ArrayList<>();
        DataWaitProbe probe = new DataWaitProbe() {
            @Override
            public void tuned(TuningStep step) {
                heard.add(step);
            }
        };
        try (Loader loader = builder(Shard.whole())
                .epochs(1_000)
                .readConcurrency(1)
                .decodeConcurrency(1)
                .autotune(new Autotune(4, 4, 1))
                .probe(probe)
                .build()) {
            List<String> tuned = new ArrayList<>();
            loader.forEach(batch -> tuned.add(Digests.of(batch)));
            assertThat(tuned).isEqualTo(plain);
            for (int epoch = 1; epoch < 100 && heard.size() < 2; epoch++) {
                loader.forEach(batch -> {});
            }
            assertThat(heard.get(0).action()).isEqualTo(TuningStep.Action.TRY);
            assertThat(heard.get(0).decode()).isEqualTo(2);
            assertThat(loader.dataWait().tuning()).isEqualTo(heard);
            assertThat(loader.dataWait().text()).contains("autotune    1. try: read 1, decode 2");
            TuningStep last = heard.get(heard.size() - 1);
            assertThat(loader.decodeConcurrency()).isEqualTo(last.decode());
            assertThat(loader.readConcurrency()).isEqualTo(last.read());
        }
    }
}
