package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.probe.Awaited;
import dev.penstock.roofline.Advice.Kind;
import dev.penstock.roofline.BatchSizeReport.Point;
import dev.penstock.roofline.CapacityModel.Stage;
import dev.penstock.roofline.Diagnosis.Cause;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Every row of the decision table, each with planted evidence. */
class AdvisorTest {
    private static final Set<Kind> SPOKEN = EnumSet.noneOf(Kind.class);

    /** A pipeline that makes 50 batches/s with one thread of each, decode-bound, for a trainer that takes 100. */
    private final PlantedTimes planted = new PlantedTimes();

    private PipelineSettings settings = new PipelineSettings(1, 1, 1, 2, 5, 2);
    private double read = 2_000;
    private double decode = 50;
    private double collate = 2_000;
    private double need = 100;
    private double waitShare = 0.5;
    private Awaited awaited = new Awaited(0, 0, 100, 0, 0);
    private @Nullable BatchSizeReport batches;
    private @Nullable ConcurrencyReport decodeSweep;
    private @Nullable ConcurrencyReport readSweep;
    private @Nullable StallLedger ledger;
    private @Nullable CapacityModel before;

    AdvisorTest() {
        planted.decode = 5;
        planted.step = 10;
    }

    @AfterAll
    static void everyRowOfTheTableSpokeInSomeTest() {
        assertThat(SPOKEN).containsExactlyInAnyOrder(Kind.values());
    }

    @Test
    void aBatchThatStillGainsUnderFakeDataIsGrownBeforeTheLoaderIsTouched() {
        batches = new BatchSizeReport(
                List.of(new Point(8, 0.010, 0.02), new Point(16, 0.012, 0.02), new Point(32, 0.016, 0.02)), 32, 0);
        List<Advice> advice = advise();
        assertThat(advice.get(0).kind()).isEqualTo(Kind.GROW_BATCH);
        assertThat(advice.get(0).nextStep()).isEqualTo(".batchSize(32)");
        assertThat(gain(advice.get(0))).isEqualTo(32 / 0.016 / (8 / 0.010) - 1);
    }

    @Test
    void aBatchPastTheMemoryWallIsLockedAtTheLargestThatFits() {
        batches = new BatchSizeReport(List.of(new Point(4, 0.010, 0.02), new Point(6, 0.015, 0.02)), 6, 8);
        assertThat(kinds()).startsWith(Kind.LOCK_BATCH);
        assertThat(advise().get(0).nextStep()).startsWith(".batchSize(6)");
    }

    @Test
    void aMemoryWallAboveTheRunsBatchIsNoReasonToSpeak() {
        batches = new BatchSizeReport(List.of(new Point(8, 0.010, 0.02), new Point(16, 0.020, 0.02)), 16, 32);
        assertThat(kinds()).doesNotContain(Kind.LOCK_BATCH, Kind.GROW_BATCH);
    }

    @Test
    void contentionAsksForFewerThreadsAndNamesWhatATimerAroundNextHides() {
        settings = new PipelineSettings(1, 4, 1, 2, 5, 2);
        waitShare = 0.01;
        ledger = ledger(10, 3, 0.2);
        assertThat(kinds()).containsExactly(Kind.FEWER_THREADS);
        assertThat(advise().get(0).nextStep()).startsWith(".decodeConcurrency(3)");
        assertThat(advise().get(0).observation()).contains("30.0 % longer");
        assertThat(evidence().diagnosis().cause()).isEqualTo(Cause.CONTENTION);
    }

    @Test
    void waitsDespiteAmpleCapacityAskForDeeperPrefetch() {
        settings = new PipelineSettings(1, 1, 1, 1, 2, 2);
        planted.decode = 1;
        planted.jitter = batch -> batch % 10 == 9 ? 21 : 1;
        planted.step = 15;
        decode = 1e3 / 12;
        need = 1e3 / 15;
        waitShare = 0.2;
        assertThat(kinds()).containsExactly(Kind.DEEPER_PREFETCH);
        assertThat(advise().get(0).nextStep()).isEqualTo(".prefetch(5)");
        assertThat(evidence().diagnosis()).isEqualTo(new Diagnosis(false, Cause.GAPS));
    }

    @Test
    void batchesThatStartLateAskForMemory() {
        settings = new PipelineSettings(1, 1, 1, 1, 2, 2);
        planted.decode = 1;
        planted.jitter = batch -> batch % 10 == 9 ? 21 : 1;
        planted.step = 15;
        awaited = new Awaited(80, 0, 20, 0, 0);
        assertThat(kinds()).contains(Kind.MORE_MEMORY);
    }

    @Test
    void aReadBoundPipelineWhoseThreadsStillHelpGetsMoreReads() {
        planted.read = 5;
        planted.decode = 0.1;
        read = 50;
        decode = 2_000;
        assertThat(kinds()).containsExactly(Kind.RAISE_READ);
        assertThat(advise().get(0).nextStep()).isEqualTo(".readConcurrency(3)"); // 100 batches/s × 20 ms, a tenth more
    }

    @Test
    void aReadBoundPipelineWhoseThreadsNoLongerHelpGetsItsDataCloser() {
        planted.read = 5;
        planted.decode = 0.1;
        read = 50;
        decode = 2_000;
        readSweep = sweep("read", 0, 0.3, 50, 51, 51);
        assertThat(kinds()).containsExactly(Kind.BRING_DATA_CLOSER);
    }

    @Test
    void waitsAtAFixedBatchRaiseDecodeToTheNumberThatMeetsTheNeed() {
        decodeSweep = sweep("decode", 0, 0.5, 50, 98, 145, 190);
        assertThat(kinds()).containsExactly(Kind.RAISE_DECODE);
        assertThat(advise().get(0).nextStep()).isEqualTo(".decodeConcurrency(3)");
        assertThat(evidence().diagnosis()).isEqualTo(new Diagnosis(false, Cause.DECODE));
    }

    @Test
    void withoutASweepTheReplayPredictsTheGainOfMoreThreads() {
        Advice advice = advise().get(0);
        assertThat(advice.kind()).isEqualTo(Kind.RAISE_DECODE);
        assertThat(advice.nextStep()).isEqualTo(".decodeConcurrency(2)"); // no more than the cores
        assertThat(gain(advice)).isBetween(0.8, 1.05);
    }

    @Test
    void aPlateauByALockNamesTheLock() {
        decodeSweep = sweep("decode", 0.6, 0.5, 50, 51, 50, 50);
        assertThat(kinds()).contains(Kind.RELIEVE_LOCK);
        Advice advice = advise().stream()
                .filter(a -> a.kind() == Kind.RELIEVE_LOCK)
                .findFirst()
                .orElseThrow();
        assertThat(advice.interpretation()).contains("Global", "planted.Decoder.decode");
        assertThat(evidence().diagnosis().cause()).isEqualTo(Cause.LOCK);
    }

    @Test
    void aPlateauByTheCoresAsksToMaterializeWithAPredictedGain() {
        settings = new PipelineSettings(1, 2, 1, 2, 5, 2);
        planted.decode = 10;
        planted.cpuShare = 1;
        decodeSweep = sweep("decode", 0, 1, 25, 48, 49, 48);
        Advice advice = advise().get(0);
        assertThat(advice.kind()).isEqualTo(Kind.MATERIALIZE);
        assertThat(gain(advice)).isGreaterThan(0.5);
        assertThat(evidence().diagnosis().cause()).isEqualTo(Cause.CORES);
    }

    @Test
    void aPlateauWithIdleCoresAndNoLockIsBandwidth() {
        decodeSweep = sweep("decode", 0, 0.4, 50, 51, 50, 50);
        assertThat(evidence().diagnosis().cause()).isEqualTo(Cause.BANDWIDTH);
        assertThat(kinds()).containsExactly(Kind.MATERIALIZE);
    }

    @Test
    void collateThatRoseAfterDecodeFellIsABottleneckThatMovedAndGoesToArrow() {
        planted.decode = 0.5;
        planted.collate = 20;
        decode = 500;
        collate = 50;
        before = new CapacityModel(stages(2_000, 30, 50), 100);
        Advice advice = advise().get(0);
        assertThat(advice.kind()).isEqualTo(Kind.MOVE_TRUTH_TO_ARROW);
        assertThat(advice.interpretation()).contains("the bottleneck moved: decode");
        assertThat(gain(advice)).isGreaterThan(0.8);
    }

    @Test
    void littleWaitAndAFlatSweepSayStop() {
        decode = 400;
        waitShare = 0.01;
        decodeSweep = sweep("decode", 0, 0.5, 400, 401, 400, 400);
        Advice advice = advise().get(0);
        assertThat(kinds()).containsExactly(Kind.STOP);
        assertThat(advice.nextStep()).contains("gradient accumulation");
        assertThat(advice.gain()).isNull();
        assertThat(evidence().diagnosis().trainerBound()).isTrue();
    }

    @Test
    void theDataBottleneckIsNamedAlikeAtEverySpeedOfTheTrainer() {
        for (double speed : new double[] {0.5, 1, 2}) {
            need = 50 * speed;
            waitShare = Math.max(0, 1 - 1 / speed);
            assertThat(evidence().diagnosis().cause())
                    .as("trainer at %s×", speed)
                    .isEqualTo(Cause.DECODE);
        }
    }

    @Test
    void noAdviceIsGivenBelowTheModelsError() {
        planted.read = 5;
        planted.decode = 0.1;
        read = 50;
        decode = 2_000;
        PipelineReplay wrong = PipelineReplay.of(planted.times(200), settings, 0); // explains a tenth of the time
        Evidence e = evidence(wrong);
        assertThat(wrong.error()).isGreaterThan(5);
        assertThat(Advisor.advise(e)).extracting(Advice::kind).containsExactly(Kind.STOP);
        SPOKEN.add(Kind.STOP);
    }

    private static double gain(Advice advice) {
        return Objects.requireNonNull(advice.gain()).expected();
    }

    private List<Kind> kinds() {
        return advise().stream().map(Advice::kind).toList();
    }

    private List<Advice> advise() {
        List<Advice> advice = Advisor.advise(evidence());
        advice.forEach(a -> {
            SPOKEN.add(a.kind());
            assertThat(a.text()).contains("seen:", "means:", "do:", "evidence:");
        });
        return advice;
    }

    private Evidence evidence() {
        return evidence(planted.replay(settings));
    }

    private Evidence evidence(PipelineReplay replay) {
        return new Evidence(
                settings,
                8,
                new CapacityModel(stages(read, decode, collate), need),
                awaited,
                waitShare,
                batches,
                decodeSweep,
                readSweep,
                ledger,
                replay,
                before,
                false);
    }

    private static List<Stage> stages(double read, double decode, double collate) {
        return List.of(
                new Stage("read", 1, 1 / read, read),
                new Stage("decode", 1, 1 / decode, decode),
                new Stage("collate", 1, 1 / collate, collate));
    }

    /** One to n threads, with the throughput of each; the stage's own capacity is what it makes. */
    private ConcurrencyReport sweep(String stage, double lockShare, double machineCpu, double... throughputs) {
        List<ConcurrencyReport.Point> points = new ArrayList<>();
        for (int i = 0; i < throughputs.length; i++) {
            double x = throughputs[i];
            points.add(new ConcurrencyReport.Point(
                    i + 1,
                    x,
                    Math.min(x, need),
                    Math.max(0, 1 - x / need),
                    Math.min(machineCpu, 0.5),
                    machineCpu,
                    (i + 1) / x));
        }
        List<LockWait> locks =
                lockShare == 0 ? List.of() : List.of(new LockWait("Global", "planted.Decoder.decode", 500_000_000));
        return new ConcurrencyReport(stage, points, locks, lockShare);
    }

    private static StallLedger ledger(double... millis) {
        List<List<long[]>> runs = new ArrayList<>();
        double step = 0;
        for (double part : millis) {
            step += part;
            long nanos = Math.round(1e6 * step);
            long[] round = new long[30];
            for (int i = 0; i < round.length; i++) {
                round[i] = nanos + (i % 2 == 0 ? 10_000 : -10_000);
            }
            runs.add(List.of(round, round, round));
        }
        return StallLedger.of(runs, 1);
    }
}
