package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.engine.EpochPlan.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class EpochPlanTest {

    @ParameterizedTest(name = "draw {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void ranksPartitionTheEpochAndEachSampleComesOnce(long draw) {
        SplittableRandom random = new SplittableRandom(draw);
        for (int round = 0; round < 20; round++) {
            SampleOrder order = randomOrder(random);
            int world = 1 + random.nextInt(8);
            int batchSize = 1 + random.nextInt(20);
            for (Ending ending : Ending.values()) {
                if ((ending == Ending.KEEP && world > 1) || tooSmall(order, batchSize, world, ending)) {
                    continue;
                }
                List<EpochPlan> plans = plans(order, batchSize, world, ending, 0);
                String what = order.size() + " samples, batch " + batchSize + ", world " + world + ", " + ending;
                List<Long> global = interleaved(plans);
                long dropped = plans.get(0).droppedSamples();
                assertThat(global).as(what).isEqualTo(inOrder(order, 0, order.size() - dropped));
                assertThat(dropped).as(what).isLessThan((long) batchSize * world);
                assertThat(plans)
                        .as(what)
                        .extracting(EpochPlan::batches)
                        .containsOnly(plans.get(0).batches());
                assertThat(plans.stream().mapToLong(EpochPlan::plannedSamples).sum())
                        .as(what)
                        .isEqualTo(order.size() - dropped);
                assertThat(plans.stream().mapToLong(EpochPlan::paddingRows).sum())
                        .as(what)
                        .isEqualTo(
                                ending == Ending.PAD
                                        ? -order.size() + plans.get(0).batches() * batchSize * world
                                        : 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 8})
    void resumeAtEveryStepEqualsTheUnbrokenTailInAnyWorld(int world) {
        SampleOrder order = SampleOrder.blocks(new long[] {0, 40, 41, 90, 131, 200, 257}, 24, 3, 7);
        for (Ending ending : new Ending[] {Ending.DROP, Ending.PAD}) {
            List<EpochPlan> unbroken = plans(order, 4, world, ending, 0);
            for (long step = 0; step <= unbroken.get(0).batches(); step++) {
                long position = unbroken.get(0).positionAfter(step);
                for (EpochPlan plan : unbroken) {
                    assertThat(plan.positionAfter(step)).isEqualTo(position);
                }
                List<EpochPlan> same = plans(order, 4, world, ending, position);
                for (int rank = 0; rank < world; rank++) {
                    assertThat(batches(same.get(rank), 0)).isEqualTo(batches(unbroken.get(rank), step));
                }
                for (int other : new int[] {1, 2, 3, 4, 8}) {
                    List<EpochPlan> recut = plans(order, 4, other, ending, position);
                    long end = order.size() - recut.get(0).droppedSamples();
                    assertThat(interleaved(recut)).isEqualTo(inOrder(order, position, end));
                }
            }
        }
    }

    @Test
    void worldsMayChangeAgainAndAgainWithinAnEpoch() {
        SplittableRandom random = new SplittableRandom(4);
        for (int draw = 0; draw < 200; draw++) {
            SampleOrder order = randomOrder(random);
            List<Long> delivered = new ArrayList<>();
            long position = 0;
            while (position < order.size()) {
                int world = 1 + random.nextInt(4);
                int batchSize = 1 + random.nextInt(5);
                if (position == 0 && tooSmall(order, batchSize, world, Ending.PAD)) {
                    continue;
                }
                List<EpochPlan> plans = plans(order, batchSize, world, Ending.PAD, position);
                long steps = 1 + random.nextLong(plans.get(0).batches());
                for (long step = 0; step < steps; step++) {
                    for (EpochPlan plan : plans) {
                        delivered.addAll(rows(plan, step, false));
                    }
                }
                position = plans.get(0).positionAfter(steps);
            }
            assertThat(delivered).isEqualTo(inOrder(order, 0, order.size()));
        }
    }

    @Test
    void keepEndsWithASmallerBatch() {
        EpochPlan plan = new EpochPlan(SampleOrder.inOrder(10), 0, 4, 0, 1, Ending.KEEP, 0);
        assertThat(batches(plan, 0)).containsExactly(List.of(0L, 1L, 2L, 3L), List.of(4L, 5L, 6L, 7L), List.of(8L, 9L));
        assertThat(plan.plannedSamples()).isEqualTo(10);
    }

    @Test
    void padFillsUpFromTheEpochsStartAndSaysSo() {
        EpochPlan plan = new EpochPlan(SampleOrder.inOrder(10), 0, 4, 1, 2, Ending.PAD, 0);
        long[] samples = new long[4];
        boolean[] padding = new boolean[4];
        assertThat(plan.batches()).isEqualTo(2);
        assertThat(plan.fill(1, samples, padding)).isEqualTo(4);
        assertThat(samples).containsExactly(2, 3, 4, 5);
        assertThat(padding).containsExactly(true, true, true, true);
        assertThat(plan.plannedSamples()).isEqualTo(4);
        assertThat(plan.paddingRows()).isEqualTo(4);
    }

    @Test
    void aRankWithoutASampleFailsOnEveryRank() {
        for (int rank = 0; rank < 4; rank++) {
            int r = rank;
            assertThatThrownBy(() -> new EpochPlan(SampleOrder.inOrder(6), 0, 2, r, 4, Ending.PAD, 0))
                    .hasMessageContaining("the epoch has 6 samples")
                    .hasMessageContaining("world 4 with batch size 2 and ending PAD needs at least 7");
            assertThatThrownBy(() -> new EpochPlan(SampleOrder.inOrder(7), 0, 2, r, 4, Ending.DROP, 0))
                    .hasMessageContaining("needs at least 8");
        }
        assertThatThrownBy(() -> new EpochPlan(SampleOrder.inOrder(0), 0, 2, 0, 1, Ending.KEEP, 0))
                .hasMessageContaining("the epoch has 0 samples");
    }

    @Test
    void allWrongSettingsAreReportedAtOnce() {
        assertThatThrownBy(() -> new EpochPlan(SampleOrder.inOrder(6), 0, 0, 3, 3, Ending.KEEP, 7))
                .hasMessageContaining("batch size was 0, must be at least 1")
                .hasMessageContaining("rank was 3, must be 0 to world - 1 = 2")
                .hasMessageContaining("ending was KEEP with world 3")
                .hasMessageContaining("start position was 7, must be 0 to 6");
    }

    @ParameterizedTest
    @EnumSource(Ending.class)
    void resumeAtTheEndHasNothingLeft(Ending ending) {
        EpochPlan plan = new EpochPlan(SampleOrder.inOrder(10), 0, 4, 0, 1, ending, 10);
        assertThat(plan.batches()).isZero();
        assertThat(plan.plannedSamples()).isZero();
        assertThat(plan.positionAfter(0)).isEqualTo(10);
    }

    @Test
    void substitutesDependOnPositionAndAttemptButNotOnTheWorld() {
        SampleOrder order = SampleOrder.full(1_000, 3);
        EpochPlan alone = new EpochPlan(order, 8, 10, 0, 1, Ending.KEEP, 0);
        EpochPlan shard = new EpochPlan(order, 8, 10, 1, 2, Ending.PAD, 0);
        assertThat(shard.substitute(0, 4, 0)).isEqualTo(alone.substitute(1, 4, 0));
        long distinct = LongStream.range(0, 100)
                .map(attempt -> alone.substitute(1, 4, (int) attempt))
                .distinct()
                .count();
        assertThat(distinct).isBetween(85L, 100L); // 95 is expected
    }

    /** A random order of up to a few hundred samples. */
    static SampleOrder randomOrder(SplittableRandom random) {
        long[] starts = new long[2 + random.nextInt(20)];
        for (int block = 1; block < starts.length; block++) {
            starts[block] = starts[block - 1] + random.nextInt(block % 3 == 0 ? 60 : 12);
        }
        starts[starts.length - 1]++;
        return switch (random.nextInt(3)) {
            case 0 -> SampleOrder.inOrder(starts[starts.length - 1]);
            case 1 -> SampleOrder.full(starts[starts.length - 1], random.nextLong());
            default -> SampleOrder.blocks(starts, 1 + random.nextInt(100), 1 + random.nextInt(20), random.nextLong());
        };
    }

    private static boolean tooSmall(SampleOrder order, int batchSize, int world, Ending ending) {
        long round = (long) batchSize * world;
        return order.size() < (ending == Ending.DROP ? round : ending == Ending.PAD ? round - batchSize + 1 : 1);
    }

    private static List<EpochPlan> plans(SampleOrder order, int batchSize, int world, Ending ending, long start) {
        List<EpochPlan> plans = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            plans.add(new EpochPlan(order, 0, batchSize, rank, world, ending, start));
        }
        return plans;
    }

    /** What all ranks deliver, round by round, padding left out. */
    private static List<Long> interleaved(List<EpochPlan> plans) {
        List<Long> samples = new ArrayList<>();
        for (long batch = 0; batch < plans.get(0).batches(); batch++) {
            for (EpochPlan plan : plans) {
                samples.addAll(rows(plan, batch, false));
            }
        }
        return samples;
    }

    private static List<List<Long>> batches(EpochPlan plan, long from) {
        return LongStream.range(from, plan.batches())
                .mapToObj(batch -> rows(plan, batch, true))
                .toList();
    }

    private static List<Long> rows(EpochPlan plan, long batch, boolean withPadding) {
        long[] samples = new long[plan.batchSize()];
        boolean[] padding = new boolean[plan.batchSize()];
        int rows = plan.fill(batch, samples, padding);
        List<Long> kept = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            if (withPadding || !padding[row]) {
                kept.add(samples[row]);
            }
        }
        return kept;
    }

    private static List<Long> inOrder(SampleOrder order, long from, long to) {
        return LongStream.range(from, to).mapToObj(order::sample).toList();
    }
}
