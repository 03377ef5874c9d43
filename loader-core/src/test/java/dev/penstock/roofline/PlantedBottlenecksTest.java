package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Loader;
import dev.penstock.roofline.Advice.Kind;
import dev.penstock.roofline.Diagnosis.Cause;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The matrix: planted bottlenecks through the real engine, at trainers of half, the same and twice the loader's speed.
 * Only the verdict is asserted, no time. Each pipeline makes a batch of two samples in some {@code period} milliseconds.
 *
 * <p>The planted loads need the machine's cores to themselves, so the class is left out of the ordinary test run:
 * {@code mvn test -pl loader-core -Dpenstock.excluded= -Dtest=PlantedBottlenecksTest}.
 */
@Tag("quiet")
class PlantedBottlenecksTest {
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private final PlantedDataset planted = new PlantedDataset();
    private int decodeThreads = 1;
    private int prefetch = 2;
    private double period;
    private int[] sweep = {};
    private int ledgerRounds;
    private TrainerStep trainer = batch -> {};
    private final ExecutorService trainerThreads = Executors.newCachedThreadPool();

    @AfterEach
    void endTrainer() {
        trainerThreads.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void slowReadIsNamed(double speed) throws Exception {
        planted.readWait = 6;
        period = 12;
        RooflineReport report = measure(speed);
        assertThat(report.diagnosis().cause()).as(report.text()).isEqualTo(Cause.READ);
        assertAdvice(report, speed, Kind.RAISE_READ);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void slowDecodeIsNamedAndMoreThreadsAreAdvised(double speed) throws Exception {
        planted.decodeWait = 6;
        period = 12;
        sweep = new int[] {1, 2, 3};
        RooflineReport report = measure(speed);
        assertThat(report.diagnosis().cause()).as(report.text()).isEqualTo(Cause.DECODE);
        assertAdvice(report, speed, Kind.RAISE_DECODE);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void slowCollateIsNamed(double speed) throws Exception {
        planted.collateWait = 12;
        period = 12;
        RooflineReport report = measure(speed);
        assertThat(report.diagnosis().cause()).as(report.text()).isEqualTo(Cause.COLLATE);
        assertAdvice(report, speed, Kind.MOVE_TRUTH_TO_ARROW);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void aGlobalLockInDecodeIsNamedWithItsPlace(double speed) throws Exception {
        planted.decodeWait = 5;
        planted.globalLock = true;
        decodeThreads = 2;
        period = 10;
        sweep = new int[] {1, 2, 4};
        RooflineReport report = measure(speed);
        assertThat(report.diagnosis().cause()).as(report.text()).isEqualTo(Cause.LOCK);
        assertThat(Objects.requireNonNull(report.evidence().decode())
                        .locks()
                        .get(0)
                        .where())
                .contains("PlantedDataset");
        assertAdvice(report, speed, Kind.MATERIALIZE);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void tooFewCoresAreNamed(double speed) throws Exception {
        planted.decodeWait = 0;
        planted.decodeCpu = 5;
        decodeThreads = 2 * CORES;
        period = 10.0 / CORES;
        sweep = new int[] {1, CORES, 2 * CORES, 4 * CORES};
        RooflineReport report = measure(speed);
        assertThat(report.diagnosis().cause()).as(report.text()).isEqualTo(Cause.CORES);
        assertAdvice(report, speed, Kind.MATERIALIZE);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.2})
    void aSlowTrainerIsToldToLookAtItsOwnSide(double speed) throws Exception {
        planted.decodeWait = 2;
        period = 4;
        RooflineReport report = measure(speed);
        assertThat(report.diagnosis().trainerBound()).as(report.text()).isTrue();
        assertThat(report.advise()).extracting(Advice::kind).containsExactly(Kind.STOP);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void aTinyPrefetchUnderJitterIsNamedWhileCapacityIsEnoughAndCapacityWhereItIsNot(double speed) throws Exception {
        planted.slowEvery = 24;
        planted.slowDecodeWait = 80; // every twelfth batch; the others take 2 ms
        planted.decodeWait = 1;
        prefetch = 1;
        period = (22 + 1 + 80) / 12.0;
        RooflineReport report = measure(speed);
        assertThat(report.diagnosis().trainerBound()).as(report.text()).isFalse();
        Set<Cause> right = speed < 1 ? EnumSet.of(Cause.GAPS) : EnumSet.of(Cause.GAPS, Cause.DECODE);
        assertThat(report.diagnosis().cause()).as(report.text()).isIn(speed > 1 ? EnumSet.of(Cause.DECODE) : right);
        if (speed < 1) {
            assertThat(report.advise()).extracting(Advice::kind).contains(Kind.DEEPER_PREFETCH);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2})
    void contentionIsNamedThoughNextReturnsAtOnce(double speed) throws Exception {
        planted.decodeWait = 0;
        planted.decodeCpu = 5;
        decodeThreads = CORES;
        period = 10.0 / CORES;
        ledgerRounds = 3;
        trainer = batch -> onAllCores(period / speed);
        RooflineReport report = run();
        assertThat(report.diagnosis().cause()).as(report.text()).isEqualTo(Cause.CONTENTION);
        assertThat(report.advise()).extracting(Advice::kind).contains(Kind.FEWER_THREADS);
    }

    /** A trainer that has to wait is told what to do; one that does not is not sent tuning. */
    private static void assertAdvice(RooflineReport report, double speed, Kind expected) {
        List<Kind> kinds = report.advise().stream().map(Advice::kind).toList();
        if (speed > 1) {
            assertThat(kinds).as(report.text()).contains(expected);
        } else if (report.diagnosis().trainerBound()) {
            assertThat(kinds).as(report.text()).containsExactly(Kind.STOP);
        }
    }

    private RooflineReport measure(double speed) throws Exception {
        trainer = batch -> PlantedDataset.idle(period / speed);
        return run();
    }

    private RooflineReport run() throws Exception {
        try (Loader loader = Loader.builder(planted, PlantedDataset.VIEW)
                .batchSize(2)
                .readConcurrency(1)
                .decodeConcurrency(decodeThreads)
                .prefetch(prefetch)
                .build()) {
            return Roofline.of(loader, trainer)
                    .secondsPerFigure(0.25)
                    .decodeThreads(sweep)
                    .ledgerRounds(ledgerRounds)
                    .measure();
        }
    }

    /** A step that computes on every core, as a trainer on the CPU does. */
    private void onAllCores(double millis) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(CORES);
        Consumer<Object> share = unused -> {
            PlantedDataset.burn(millis);
            done.countDown();
        };
        for (int i = 0; i < CORES; i++) {
            trainerThreads.execute(() -> share.accept(this));
        }
        done.await();
    }
}
