package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.probe.TuningStep;
import dev.penstock.probe.TuningStep.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutotunerTest {
    private static final Autotuner.Limits WIDE = new Autotuner.Limits(16, 16, 1);

    /**
     * A planted pipeline: one batch costs its read and decode seconds of a worker; decode workers beyond the cores bring
     * nothing and slow the trainer's own step.
     */
    private record Machine(double read, double decode, double step, int cores, double noise, long seed) {

        /** Seconds of a batch as the trainer sees it. */
        double period(int readers, int decoders) {
            double contention = 1 + 0.15 * Math.max(0, decoders - cores);
            return Math.max(step * contention, Math.max(read / readers, decode / Math.min(decoders, cores)));
        }

        double bestPeriod(Autotuner.Limits limits) {
            double best = Double.MAX_VALUE;
            for (int readers = 1; readers <= limits.mostRead(); readers++) {
                for (int decoders = 1; decoders <= limits.mostDecode(); decoders++) {
                    best = Math.min(best, period(readers, decoders));
                }
            }
            return best;
        }

        Autotuner.Interval interval(int readers, int decoders, SplittableRandom random) {
            double seconds = period(readers, decoders) * (1 + noise * (2 * random.nextDouble() - 1));
            double own = Math.min(seconds, step * (1 + 0.15 * Math.max(0, decoders - cores)));
            return new Autotuner.Interval(
                    100,
                    (long) ((seconds - own) * 100e9),
                    (long) (own * 100e9),
                    readers / read,
                    Math.min(decoders, cores) / decode,
                    decode / seconds / cores,
                    1_000,
                    100);
        }

        List<TuningStep> tune(Autotuner tuner) {
            SplittableRandom random = new SplittableRandom(seed);
            List<TuningStep> steps = new ArrayList<>();
            for (int i = 0; i < 1_000 && !tuner.stopped(); i++) {
                steps.addAll(tuner.next(interval(tuner.read(), tuner.decode(), random)));
            }
            return steps;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.010, 0.040, 0.005, 8, 0.000", // decode costs four times the read
        "0.010, 0.040, 0.005, 8, 0.020",
        "0.040, 0.010, 0.005, 8, 0.020",
        "0.040, 0.040, 0.005, 8, 0.000", // equal: only both together help
        "0.040, 0.040, 0.005, 8, 0.010",
        "0.010, 0.040, 0.012, 8, 0.020", // the trainer is the limit in the end
        "0.010, 0.040, 0.002, 2, 0.020", // two cores
        "0.300, 0.020, 0.010, 4, 0.010", // storage with latency
    })
    void itEndsWithinOneStepOfTheBestOfAFullSweep(double read, double decode, double step, int cores, double noise) {
        for (long seed = 0; seed < 20; seed++) {
            Machine machine = new Machine(read, decode, step, cores, noise, seed);
            Autotuner tuner = new Autotuner(WIDE, 1, 1);
            List<TuningStep> steps = machine.tune(tuner);
            double best = machine.bestPeriod(WIDE);
            double oneMore = Math.min(
                    machine.period(tuner.read() + 1, tuner.decode() + 1),
                    Math.min(
                            machine.period(tuner.read() + 1, tuner.decode()),
                            machine.period(tuner.read(), tuner.decode() + 1)));
            double reached = Math.min(oneMore, machine.period(tuner.read(), tuner.decode()));
            assertThat(tuner.stopped()).isTrue();
            assertThat(reached).as("seed %d: %s", seed, steps).isLessThanOrEqualTo(best * 1.03 + 2 * noise * best);
        }
    }

    @Test
    void aTrainerThatDoesNotWaitIsLeftAlone() {
        Autotuner tuner = new Autotuner(WIDE, 2, 3);
        List<TuningStep> steps = new Machine(0.01, 0.01, 0.1, 4, 0, 1).tune(tuner);
        assertThat(steps).hasSize(1);
        assertThat(steps.get(0).action()).isEqualTo(Action.STOP);
        assertThat(steps.get(0).evidence()).contains("waits 0.00 %, under 1 %");
        assertThat(tuner.read()).isEqualTo(2);
        assertThat(tuner.decode()).isEqualTo(3);
    }

    @Test
    void theFirstTrialIsOneMoreWorkerAtTheLowerCapacityAndATrialWithoutGainIsTakenBack() {
        Autotuner tuner = new Autotuner(new Autotuner.Limits(16, 16, 1.1), 1, 2);
        List<TuningStep> steps = new Machine(0.001, 0.04, 0.001, 2, 0, 1).tune(tuner);
        assertThat(steps.get(0)).extracting("action", "read", "decode").containsExactly(Action.TRY, 1, 3);
        assertThat(steps.get(1)).extracting("action", "read", "decode").containsExactly(Action.STEP_BACK, 1, 2);
        assertThat(steps.get(1).evidence()).isEqualTo("20.00 ms a batch against 20.00: gain 0.0 %, noise 1.0 %");
        assertThat(steps).last().extracting("action", "read", "decode").containsExactly(Action.STOP, 1, 2);
    }

    @Test
    void gainsBelowTheNoiseAreNotKept() {
        Autotuner tuner = new Autotuner(WIDE, 1, 1);
        SplittableRandom random = new SplittableRandom(5);
        List<TuningStep> steps = new ArrayList<>();
        while (!tuner.stopped()) { // the period has nothing to do with the setting
            double seconds = 0.1 * (1 + 0.3 * (random.nextDouble() - 0.5));
            steps.addAll(tuner.next(
                    new Autotuner.Interval(1, (long) (seconds * 5e8), (long) (seconds * 5e8), 10, 10, 0.1, 9, 1)));
        }
        assertThat(tuner.read() + tuner.decode()).as("%s", steps).isLessThanOrEqualTo(4);
    }

    @Test
    void limitsOnThreadsCpuAndMemoryAreKeptAndNamed() {
        Machine slow = new Machine(0.5, 0.5, 0.001, 16, 0, 1);
        Autotuner threads = new Autotuner(new Autotuner.Limits(2, 3, 1), 1, 1);
        assertThat(slow.tune(threads))
                .allMatch(step -> step.read() <= 2 && step.decode() <= 3)
                .last()
                .asString()
                .contains("read is limited to 2");
        Autotuner.Interval busy = new Autotuner.Interval(10, 900, 100, 100, 1, 0.95, 1_000, 100);
        assertThat(stopOn(busy, new Autotuner.Limits(1, 9, 0.9)))
                .isEqualTo("no trial is allowed; the loader uses 95 % of the cores, limited to 90 %;"
                        + " read is limited to 1");
        Autotuner.Interval full = new Autotuner.Interval(10, 900, 100, 100, 1, 0.2, 50, 100);
        assertThat(stopOn(full, new Autotuner.Limits(1, 9, 0.9)))
                .contains("memory has 50 bytes free, another decoder needs 100");
    }

    @Test
    void theSameMeasurementsGiveTheSameDecisions() {
        Machine machine = new Machine(0.02, 0.05, 0.004, 4, 0.05, 9);
        assertThat(machine.tune(new Autotuner(WIDE, 1, 1))).isEqualTo(machine.tune(new Autotuner(WIDE, 1, 1)));
    }

    private static String stopOn(Autotuner.Interval interval, Autotuner.Limits limits) {
        Autotuner tuner = new Autotuner(limits, 1, 1);
        List<TuningStep> steps = new ArrayList<>();
        while (!tuner.stopped()) {
            steps.addAll(tuner.next(interval));
        }
        return steps.get(steps.size() - 1).evidence();
    }
}
