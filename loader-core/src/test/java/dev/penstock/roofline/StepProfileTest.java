package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StepProfileTest {

    /** Nanoseconds, moved on by whatever the planted loop does. */
    private long now = 1_000;

    private long gc;

    @Test
    void phasesOfEveryPartAddUpAndSharesSumToOne() throws Exception {
        StepReport report = run(StepProfile.builder().warmup(2).tail(1), 8, 30, 5, 60, 5);
        for (StepReport.Part part : List.of(report.first(), report.warmup(), report.steady(), report.tail())) {
            assertThat(part.shares().values().stream()
                            .mapToDouble(Double::doubleValue)
                            .sum())
                    .isCloseTo(1, within(1e-12));
            assertThat(part.totalNanos()).isEqualTo(100 * part.steps());
        }
        assertThat(report.steady().shares())
                .containsEntry(Phase.DATA_WAIT, 0.30)
                .containsEntry(Phase.HOST_TO_DEVICE, 0.05)
                .containsEntry(Phase.COMPUTE, 0.60)
                .containsEntry(Phase.OTHER, 0.05);
    }

    @Test
    void firstStepWarmUpSteadyStateAndTailAreKeptApart() throws Exception {
        StepReport report = run(StepProfile.builder().warmup(2).tail(1), 8, 30, 5, 60, 5);
        assertThat(report.first().steps()).isEqualTo(1);
        assertThat(report.warmup().steps()).isEqualTo(2);
        assertThat(report.steady().steps()).isEqualTo(4);
        assertThat(report.tail().steps()).isEqualTo(1);
        assertThat(report.steady().step().p50()).isEqualTo(100);
    }

    @Test
    void theSumOfPhasesIsTheWallClockOfALoopWithNothingAroundIt() throws Exception {
        StepReport report = run(StepProfile.builder(), 20, 30, 5, 60, 5);
        assertThat(report.summedNanos()).isEqualTo(20 * 100);
        assertThat(report.wallNanos()).isEqualTo(report.summedNanos() + 30); // the last hasNext() waited for nothing
        assertThat(report.text()).contains("steady", "data wait", "30.0 %");
    }

    @Test
    void theSynchronizationHookEndsCopyAndComputeSoTheirAsynchronousWorkIsTheirs() throws Exception {
        AtomicInteger pending = new AtomicInteger();
        StepProfile profile = StepProfile.builder()
                .clock(() -> now)
                .warmup(0)
                .tail(0)
                .synchronize(() -> now += pending.getAndSet(0))
                .build();
        for (Integer batch : profile.over(List.of(1, 2, 3))) {
            profile.compute(() -> pending.addAndGet(40 * batch / batch)); // returns at once, as a kernel launch does
        }
        assertThat(profile.report().steady().nanos()).containsEntry(Phase.COMPUTE, 80L);
    }

    @Test
    void collectorPausesAreReportedForThePartTheyFellInto() throws Exception {
        StepProfile profile = StepProfile.builder()
                .clock(() -> now)
                .gcPauses(() -> gc)
                .warmup(1)
                .tail(1)
                .build();
        int step = 0;
        for (Object unused : profile.over(Collections.nCopies(6, "batch"))) {
            int current = step++;
            profile.compute(() -> {
                now += 10;
                gc += current == 3 ? 7 : 0;
                return unused;
            });
        }
        StepReport report = profile.report();
        assertThat(report.steady().gcNanos()).isEqualTo(7);
        assertThat(report.warmup().gcNanos()).isZero();
        assertThat(report.tail().gcNanos()).isZero();
    }

    @Test
    void aThrowingStepStillCountsItsTimeAndTheExceptionPasses() {
        StepProfile profile = StepProfile.builder().clock(() -> now).build();
        Iterator<String> batches = profile.over(List.of("a", "b")).iterator();
        batches.next();
        assertThatThrownBy(() -> profile.compute(() -> {
                    now += 9;
                    throw new IllegalStateException("kernel failed");
                }))
                .hasMessage("kernel failed");
        batches.next();
        assertThat(profile.report().first().nanos()).containsEntry(Phase.COMPUTE, 9L);
    }

    @Test
    void theBuilderNamesEveryWrongSetting() {
        assertThatThrownBy(() -> StepProfile.builder().warmup(-1).tail(-2).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("warmup was -1, must be at least 0; tail was -2, must be at least 0");
    }

    private StepReport run(StepProfile.Builder builder, int steps, int wait, int copy, int compute, int other)
            throws Exception {
        StepProfile profile = builder.clock(() -> now).build();
        Iterator<Integer> source = new Iterator<>() {
            private int left = steps;

            @Override
            public boolean hasNext() {
                now += wait;
                return left > 0;
            }

            @Override
            public Integer next() {
                return left--;
            }
        };
        for (Object unused : profile.over(() -> source)) {
            profile.hostToDevice(() -> now += copy);
            profile.compute(() -> now += compute);
            now += other;
        }
        return profile.report();
    }
}
