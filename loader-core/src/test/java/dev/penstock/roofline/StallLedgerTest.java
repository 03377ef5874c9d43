package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.roofline.StallLedger.Interval;
import dev.penstock.roofline.StallLedger.Part;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StallLedgerTest {

    @Test
    void thePartsAddUpToTheWholeStepExactly() {
        StallLedger ledger = planted(5, 20, 2, 7, 11);
        double sum =
                ledger.parts().values().stream().mapToDouble(Interval::estimate).sum();
        assertThat(sum).isCloseTo(ledger.total().estimate(), within(1e-6));
        assertThat(ledger.parts()).containsOnlyKeys(Part.values());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void plantedPartsLieInTheirIntervalsWidenedByATwentieth(long seed) {
        StallLedger ledger = planted(seed, 20, 2, 7, 11);
        Map<Part, Double> truth =
                Map.of(Part.COMPUTE, 20e6, Part.CONTENTION, 2e6, Part.PREPARATION, 7e6, Part.FETCH, 11e6);
        for (Part part : Part.values()) {
            Interval interval = ledger.part(part);
            double slack = 0.05 * 40e6;
            assertThat(truth.get(part)).isBetween(interval.low() - slack, interval.high() + slack);
            assertThat(interval.estimate()).isBetween(interval.low(), interval.high());
        }
    }

    @Test
    void aPartThatIsNotThereIsNotCalledPositive() {
        StallLedger ledger = planted(3, 20, 0, 7, 0);
        assertThat(ledger.part(Part.CONTENTION).isPositive()).isFalse();
        assertThat(ledger.part(Part.FETCH).isPositive()).isFalse();
        assertThat(ledger.part(Part.PREPARATION).isPositive()).isTrue();
    }

    @Test
    void aStallAtEveryTenthStepIsSeen() {
        long[] even = IntStream.range(0, 100).mapToLong(i -> 10_000_000).toArray();
        long[] stalling = IntStream.range(0, 100)
                .mapToLong(i -> i % 10 == 0 ? 60_000_000 : 10_000_000)
                .toArray();
        StallLedger ledger = StallLedger.of(List.of(List.of(even), List.of(even), List.of(stalling)), 1);
        assertThat(ledger.part(Part.PREPARATION).estimate()).isCloseTo(5e6, within(1.0));
        assertThat(ledger.part(Part.PREPARATION).isPositive()).isTrue();
        assertThat(ledger.efficiency()).isCloseTo(10.0 / 15, within(1e-6));
    }

    @Test
    void oneSpoiledRoundOfThreeDoesNotMoveTheEstimate() {
        long[] good = IntStream.range(0, 50).mapToLong(i -> 10_000_000).toArray();
        long[] spoiled = IntStream.range(0, 50).mapToLong(i -> 90_000_000).toArray();
        StallLedger ledger = StallLedger.of(List.of(List.of(good, spoiled, good)), 1);
        assertThat(ledger.total().estimate()).isEqualTo(10e6);
    }

    @Test
    void theSameSeedGivesTheSameIntervals() {
        assertThat(planted(4, 20, 2, 7, 11)).isEqualTo(planted(4, 20, 2, 7, 11));
    }

    @Test
    void aRoundWithoutStepsIsRefused() {
        assertThatThrownBy(() -> StallLedger.of(List.of(List.of(new long[0])), 1))
                .hasMessageContaining("every round a step");
    }

    private static StallLedger planted(long seed, double... millis) {
        SplittableRandom random = new SplittableRandom(seed);
        List<List<long[]>> runs = new java.util.ArrayList<>();
        double step = 0;
        for (double part : millis) {
            step += part;
            double mean = step;
            runs.add(IntStream.range(0, 5)
                    .mapToObj(round -> IntStream.range(0, 80)
                            .mapToLong(i -> Math.round(1e6 * mean * (0.9 + 0.2 * random.nextDouble())))
                            .toArray())
                    .toList());
        }
        return StallLedger.of(runs, seed);
    }
}
