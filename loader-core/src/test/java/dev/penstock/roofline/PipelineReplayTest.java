package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.probe.ServiceTimes;
import org.junit.jupiter.api.Test;

class PipelineReplayTest {
    private static final PipelineSettings ONE_EACH = new PipelineSettings(1, 1, 1, 2, 4, 2);

    private final PlantedTimes planted = new PlantedTimes();

    @Test
    void theUnchangedReplayOfADecodeBoundPipelineMakesDecodesCapacity() {
        planted.decode = 5; // 4 pieces: 20 ms a batch on one thread
        PipelineReplay replay = planted.replay(ONE_EACH);
        assertThat(replay.predict(Change.NONE).batchesPerSecond()).isCloseTo(50, within(0.5));
        assertThat(replay.error()).isLessThan(0.02);
        assertThat(replay.predict(Change.NONE).waitShare()).isCloseTo(0.95, within(0.02));
    }

    @Test
    void aSecondDecodeThreadDoublesADecodeBoundPipelineThatDoesNotUseTheCores() {
        planted.decode = 5;
        assertThat(planted.replay(ONE_EACH).predict(Change.decodeThreads(1)).gain())
                .isCloseTo(1, within(0.03));
    }

    @Test
    void threadsBeyondTheCoresShareThem() {
        planted.decode = 5;
        planted.cpuShare = 1;
        PipelineReplay replay = planted.replay(ONE_EACH);
        double two = replay.predict(Change.decodeThreads(1)).gain();
        double four = replay.predict(Change.decodeThreads(3)).gain();
        assertThat(two).isBetween(0.85, 1.05);
        assertThat(four).isCloseTo(two, within(0.1));
    }

    @Test
    void cheaperDecodeMovesTheBottleneckToCollate() {
        planted.decode = 5;
        planted.collate = 8;
        PipelineReplay replay = planted.replay(ONE_EACH);
        assertThat(replay.predict(Change.decodeFaster(8)).batchesPerSecond()).isCloseTo(125, within(3.0));
        assertThat(replay.predict(Change.decodeFaster(8).and(Change.collateFaster(20)))
                        .batchesPerSecond())
                .isCloseTo(400, within(10.0));
    }

    @Test
    void nothingHelpsAPipelineThatIsFasterThanItsTrainer() {
        planted.step = 30;
        PipelineReplay replay = planted.replay(ONE_EACH);
        assertThat(replay.predict(Change.decodeThreads(3)).gain()).isCloseTo(0, within(0.01));
        assertThat(replay.predict(Change.NONE).waitShare()).isCloseTo(0, within(0.01));
    }

    @Test
    void deeperPrefetchHelpsUnevenWorkOfEnoughCapacity() {
        planted.decode = 1;
        planted.jitter = batch -> batch % 10 == 9 ? 21 : 1; // mean 12 ms a batch, one of 84
        planted.step = 15;
        PipelineReplay replay = planted.replay(new PipelineSettings(1, 1, 1, 1, 2, 2));
        Prediction deeper = replay.predict(Change.prefetch(10));
        assertThat(deeper.gain()).isGreaterThan(0.15);
        assertThat(deeper.batchesPerSecond()).isCloseTo(1e3 / 15, within(2.0));
        assertThat(replay.predict(Change.decodeThreads(0)).gain()).isCloseTo(0, within(1e-9));
    }

    @Test
    void deeperPrefetchDoesNotHelpEvenWorkOfTooLittleCapacity() {
        planted.decode = 5;
        assertThat(planted.replay(ONE_EACH).predict(Change.prefetch(10)).gain()).isCloseTo(0, within(0.02));
    }

    @Test
    void aLargerBatchAmortizesAFixedStep() {
        planted.step = 20;
        Prediction doubled = planted.replay(ONE_EACH).predict(Change.largerBatch(2, 1.25));
        assertThat(doubled.samplesPerSecond()).isCloseTo(2 * 8 * 1e3 / 25, within(8.0));
        assertThat(doubled.gain()).isCloseTo(2 / 1.25 - 1, within(0.05));
    }

    @Test
    void theErrorIsHowFarTheReplayIsFromTheMeasurement() {
        planted.decode = 5;
        ServiceTimes slower = planted.times(39); // 40 ms a batch measured where the stages explain 20
        PipelineReplay replay = PipelineReplay.of(slower, ONE_EACH, 0);
        assertThat(replay.error()).isCloseTo(1, within(0.05));
        assertThat(replay.predict(Change.decodeFaster(1.5)).isBelievable()).isFalse();
    }

    @Test
    void aReplayThatIsTooSlowPromisesNoMoreThanTheTrainersStepAllows() {
        planted.collate = 25;
        planted.step = 8;
        ServiceTimes faster = planted.times(12); // 20 ms a batch measured, where collate alone explains 25
        PipelineReplay replay = PipelineReplay.of(faster, ONE_EACH, 0);
        Prediction arrow = replay.predict(Change.collateFaster(20));
        assertThat(arrow.batchesPerSecond()).isCloseTo(1e3 / 8, within(2.0));
        assertThat(arrow.gain()).isCloseTo(2.5 - 1, within(0.05));
        assertThat(replay.error()).isCloseTo(0.2, within(0.03)); // and it says how wrong it was
    }

    @Test
    void timeThatPiecesWaitedForACoreIsNotCountedTwice() {
        planted.decode = 10; // four threads on two cores: half of the time is waiting for a core
        planted.cpuShare = 0.5;
        planted.pieces = 4;
        PipelineSettings four = new PipelineSettings(1, 4, 1, 2, 6, 2);
        PipelineReplay replay =
                PipelineReplay.of(planted.times(9.1), four, 0); // two cores: 4 × 5 ms + collate, 10.1 ms
        assertThat(replay.error()).isLessThan(0.05);
    }

    @Test
    void coresThatOthersUsedAreNotThereForMoreThreads() {
        planted.decode = 10;
        planted.cpuShare = 1;
        ServiceTimes times = planted.times(39); // one decode thread, all of it CPU time
        Change second = Change.decodeThreads(1);
        Prediction alone = PipelineReplay.of(times, ONE_EACH, 0).predict(second);
        Prediction halved =
                PipelineReplay.of(times, ONE_EACH, 0, new Cores(1.1, 0)).predict(second);
        Prediction crowded =
                PipelineReplay.of(times, ONE_EACH, 0, new Cores(2, 1)).predict(second);
        assertThat(alone.gain()).isGreaterThan(0.5);
        assertThat(halved.gain()).isBetween(-0.05, 0.3); // the cores have nothing left
        assertThat(crowded.gain()).isBetween(0.25, 0.4); // two of three tasks get two thirds of two cores
    }

    @Test
    void aTrialsFactorsAreThoseOfItsStages() {
        planted.cpuShare = 1;
        planted.decode = 12;
        planted.collate = 6;
        ServiceTimes now = planted.times(0);
        planted.decode = 3;
        planted.collate = 2;
        Change change = Change.asInTrial("small clips", now, planted.times(0));
        assertThat(change.decodeFactor()).isCloseTo(4, within(0.05));
        assertThat(change.collateFactor()).isCloseTo(3, within(0.05));
        assertThat(change.readFactor()).isCloseTo(1, within(0.05));
        ServiceTimes other = new ServiceTimes(now.batchSize() + 1, now.batches());
        assertThatThrownBy(() -> Change.asInTrial("small clips", now, other)).hasMessageContaining("same batch size");
    }

    @Test
    void tooShortARecordingIsRefused() {
        ServiceTimes few = new ServiceTimes(8, planted.times(1).batches().subList(0, 9));
        assertThatThrownBy(() -> PipelineReplay.of(few, ONE_EACH, 0)).hasMessageContaining("at least 10");
    }
}
