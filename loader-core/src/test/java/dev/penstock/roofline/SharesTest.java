package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.roofline.StallLedger.Interval;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Shares are of one whole, parts add up to their total, whatever was measured: seeded random loops and ledgers. */
class SharesTest {

    private long now;

    @RepeatedTest(40)
    void theSharesOfEveryPartOfALoopSumToOneAndItsPartsToTheWholeTime(RepetitionInfo repetition) throws Exception {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        StepProfile profile = StepProfile.builder()
                .clock(() -> now)
                .warmup(random.nextInt(4))
                .tail(random.nextInt(4))
                .build();
        int steps = 1 + random.nextInt(60);
        for (Integer batch : profile.over(() -> waiting(random, steps))) {
            if (batch % 3 != 0) {
                profile.hostToDevice(() -> now += random.nextInt(1_000));
            }
            for (int kernel = random.nextInt(3); kernel > 0; kernel--) {
                profile.compute(() -> now += random.nextInt(100_000));
            }
            now += random.nextInt(50);
        }
        StepReport report = profile.report();
        long counted = 0;
        for (StepReport.Part part : List.of(report.first(), report.warmup(), report.steady(), report.tail())) {
            double sum = part.shares().values().stream()
                    .mapToDouble(Double::doubleValue)
                    .sum();
            assertThat(sum).isCloseTo(part.totalNanos() == 0 ? 0 : 1, within(1e-9));
            assertThat(part.shares().values()).allMatch(share -> share >= 0 && share <= 1);
            counted += part.steps();
        }
        assertThat(counted).isEqualTo(steps);
        assertThat(report.summedNanos()).isLessThanOrEqualTo(report.wallNanos());
    }

    @RepeatedTest(40)
    void thePartsOfALedgerAddUpToTheStepAndEveryFigureLiesInItsInterval(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(7_000 + repetition.getCurrentRepetition());
        List<List<long[]>> runs = new ArrayList<>();
        for (int run = 1 + random.nextInt(4); run > 0; run--) {
            List<long[]> rounds = new ArrayList<>();
            for (int round = 1 + random.nextInt(5); round > 0; round--) {
                rounds.add(random.longs(1 + random.nextInt(30), 1_000, 50_000_000)
                        .map(step -> random.nextInt(10) == 0 ? 20 * step : step) // stalls
                        .toArray());
            }
            runs.add(rounds);
        }
        StallLedger ledger = StallLedger.of(runs, 1);
        double total = ledger.total().estimate();
        double sum =
                ledger.parts().values().stream().mapToDouble(Interval::estimate).sum();
        assertThat(sum).isCloseTo(total, within(1e-9 * total));
        assertThat(sum).isBetween(ledger.total().low() - 1, ledger.total().high() + 1);
        assertThat(ledger.parts().values().stream()
                        .mapToDouble(part -> part.estimate() / total)
                        .sum())
                .isCloseTo(1, within(1e-9));
        assertThat(ledger.parts().values())
                .allMatch(part -> part.low() <= part.estimate() && part.estimate() <= part.high());
    }

    /** Numbers from {@code steps} down to 1, each after a wait. */
    private Iterator<Integer> waiting(SplittableRandom random, int steps) {
        return new Iterator<>() {
            private int left = steps;

            @Override
            public boolean hasNext() {
                now += random.nextInt(200_000);
                return left > 0;
            }

            @Override
            public Integer next() {
                return left--;
            }
        };
    }
}
