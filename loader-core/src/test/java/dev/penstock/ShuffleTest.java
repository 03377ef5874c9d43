package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.engine.EpochPlan;
import dev.penstock.engine.SampleOrder;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ShuffleTest {
    private static final CountedSource SOURCE = CountedSource.even(40, 300);

    @Test
    void everyEpochHasAnotherOrderOfTheSameSamples() {
        for (Shuffle shuffle : new Shuffle[] {Shuffle.seed(7), Shuffle.seed(7).buffer(100), Shuffle.full(7)}) {
            Set<Long> firstTwo = new HashSet<>();
            for (int epoch = 0; epoch < 20; epoch++) {
                SampleOrder order = shuffle.order(SOURCE, epoch, 8);
                firstTwo.add(order.sample(0) * SOURCE.size() + order.sample(1));
                assertThat(LongStream.range(0, order.size())
                                .map(order::sample)
                                .distinct()
                                .count())
                        .isEqualTo(SOURCE.size());
            }
            assertThat(firstTwo).as("%s", shuffle).hasSize(20);
        }
    }

    @Test
    void noShuffleIsTheDatasetsOwnOrder() {
        SampleOrder order = Shuffle.none().order(SOURCE, 3, 8);
        assertThat(LongStream.range(0, order.size()).map(order::sample)).isSorted();
    }

    /** Guards the format: a stored state must mean the same order in every later version and on every machine. */
    @Test
    void theOrderOfASeedStaysAsItIs() {
        SampleOrder blocks = Shuffle.seed(7).order(SOURCE, 1, 8);
        SampleOrder full = Shuffle.full(7).order(SOURCE, 1, 8);
        assertThat(LongStream.range(0, 8).map(blocks::sample))
                .containsExactly(1369L, 9474L, 9478L, 3718L, 9561L, 1415L, 10149L, 11067L);
        assertThat(LongStream.range(0, 8).map(full::sample))
                .containsExactly(11520L, 810L, 11573L, 11638L, 1669L, 4672L, 11048L, 9116L);
    }

    @Test
    void settingsRoundTripThroughJson() {
        JsonMapper json = JsonMapper.builder().build();
        for (Shuffle shuffle :
                new Shuffle[] {Shuffle.none(), Shuffle.seed(-3).buffer(9).interleave(2), Shuffle.full(7)}) {
            assertThat(json.readValue(json.writeValueAsString(shuffle), Shuffle.class))
                    .isEqualTo(shuffle);
        }
        Shard shard = Shard.of(1, 4).ending(Shard.Ending.DROP);
        assertThat(json.readValue(json.writeValueAsString(shard), Shard.class)).isEqualTo(shard);
    }

    @Test
    void wrongSettingsSayWhatTheyWereAndWhatTheyMustBe() {
        assertThatThrownBy(() -> Shuffle.seed(1).buffer(0)).hasMessageContaining("shuffle buffer was 0");
        assertThatThrownBy(() -> Shuffle.full(1).buffer(5)).hasMessageContaining("this is FULL shuffle");
        assertThatThrownBy(() -> Shard.of(4, 4)).hasMessageContaining("rank was 4, must be 0 to 3");
        assertThatThrownBy(() -> new Shard(0, 2, Shard.Ending.KEEP)).hasMessageContaining("must be DROP or PAD");
        assertThatThrownBy(() -> new Shard(0, 0, Shard.Ending.PAD)).hasMessageContaining("world was 0");
    }

    @Test
    void aShardIsItsPartOfTheWholeOrder() {
        SampleOrder order = Shuffle.seed(7).order(SOURCE, 0, 8);
        EpochPlan plan = Shard.of(1, 3).plan(order, 0, 8, 0);
        long[] samples = new long[8];
        assertThat(plan.fill(2, samples, new boolean[8])).isEqualTo(8);
        assertThat(samples)
                .containsExactly(
                        LongStream.range(7 * 8, 8 * 8).map(order::sample).toArray());
    }

    @Test
    void aBufferedShuffleComesNearAFullOneAndNoShuffleIsFarFromIt() {
        ShuffleQuality none = ShuffleQuality.of(SOURCE, Shuffle.none(), 0, 32);
        ShuffleQuality blocks = ShuffleQuality.of(SOURCE, Shuffle.seed(7), 0, 32);
        ShuffleQuality full = ShuffleQuality.of(SOURCE, Shuffle.full(7), 0, 32);
        assertThat(none.distanceShare()).isLessThan(0.01);
        assertThat(none.blocksPerBatch()).isLessThan(1.2);
        assertThat(blocks.distanceShare()).isBetween(0.8, 1.2);
        assertThat(blocks.blockShare()).isBetween(0.6, 1.05);
        assertThat(full.distanceShare()).isBetween(0.97, 1.03);
        assertThat(full.blockShare()).isBetween(0.97, 1.03);
        assertThat(full.fullNeighbourDistance()).isBetween(3_900.0, 4_100.0); // (12,000 + 1) / 3
    }

    @Test
    void aTraceHasTheSamplesAtSpreadPositions() {
        assertThat(ShuffleQuality.trace(SOURCE, Shuffle.none(), 0, 8, 5))
                .containsExactly(0, 2_400, 4_800, 7_200, 9_600);
    }
}
