package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.data.Batch;
import dev.penstock.data.Tensor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchSizeSweepTest {

    /** Moved on by the planted accelerator. */
    private long now;

    private final List<Integer> closed = new ArrayList<>();

    @Test
    void theKneeOfAPlantedAcceleratorIsFound() throws Exception {
        BatchSizeReport report = sweep(Integer.MAX_VALUE).sizes(32, 1, 2, 4, 8, 16);
        assertThat(report.points()).extracting(BatchSizeReport.Point::size).containsExactly(1, 2, 4, 8, 16, 32);
        assertThat(report.line().fixed()).isCloseTo(4e-3, within(1e-6));
        assertThat(report.line().each()).isCloseTo(0.5e-3, within(1e-6));
        assertThat(report.knee()).isCloseTo(8, within(0.01));
        assertThat(report.best()).isEqualTo(32);
        assertThat(report.hitMemory()).isFalse();
        assertThat(closed).containsExactly(1, 2, 4, 8, 16, 32);
    }

    @Test
    void theMemoryWallIsBisectedToTheLargestBatchThatFits() throws Exception {
        List<String> cleaned = new ArrayList<>();
        BatchSizeReport report =
                sweep(21).cleanUp(() -> cleaned.add("device cache")).sizes(8, 16, 32, 64);
        assertThat(report.largestFit()).isEqualTo(21);
        assertThat(report.smallestMiss()).isEqualTo(22);
        assertThat(report.points())
                .extracting(BatchSizeReport.Point::size)
                .contains(8, 16, 21)
                .doesNotContain(32, 64);
        assertThat(cleaned).isNotEmpty();
    }

    @Test
    void anAcceleratorsOwnOutOfMemoryExceptionIsRecognizedByThePredicate() throws Exception {
        BatchSizeReport report = BatchSizeSweep.of(Fake::new, batch -> {
                    now += 1_000_000;
                    if (batch.size() > 4) {
                        throw new IllegalStateException("CUDA error 2: out of memory");
                    }
                })
                .clock(() -> now)
                .outOfMemory(failure -> String.valueOf(failure.getMessage()).contains("out of memory"))
                .sizes(2, 4, 8);
        assertThat(report.largestFit()).isEqualTo(4);
    }

    @Test
    void anyOtherFailureIsThrownAndTheSourceClosed() {
        BatchSizeSweep sweep = BatchSizeSweep.of(Fake::new, batch -> {
            throw new IllegalStateException("wrong shape");
        });
        assertThatThrownBy(() -> sweep.sizes(2)).hasMessage("wrong shape");
        assertThat(closed).containsExactly(2);
    }

    @Test
    void nothingFittingLeavesNoPoint() throws Exception {
        BatchSizeReport report = sweep(0).sizes(1, 2);
        assertThat(report.points()).isEmpty();
        assertThat(report.largestFit()).isZero();
        assertThat(report.smallestMiss()).isEqualTo(1);
    }

    @Test
    void sizesBelowOneAreRefused() {
        assertThatThrownBy(() -> sweep(9).sizes(0, 4)).hasMessageContaining("at least 1");
    }

    /** 4 ms of launch and half a millisecond a sample; more than {@code most} samples do not fit. */
    private BatchSizeSweep sweep(int most) {
        return BatchSizeSweep.of(Fake::new, batch -> {
                    if (batch.size() > most) {
                        throw new OutOfMemoryError("planted: " + batch.size() + " samples");
                    }
                    now += 4_000_000 + 500_000L * batch.size();
                })
                .clock(() -> now);
    }

    private final class Fake implements Iterator<Batch>, AutoCloseable {
        private final int size;

        Fake(int size) {
            this.size = size;
        }

        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public Batch next() {
            return new Sized(size);
        }

        @Override
        public void close() {
            closed.add(size);
        }
    }

    /** A batch that has a size and nothing else: what this accelerator looks at. */
    private record Sized(int size) implements Batch {
        @Override
        public int epoch() {
            return 0;
        }

        @Override
        public long number() {
            return 0;
        }

        @Override
        public List<Tensor> tensors() {
            return List.of();
        }

        @Override
        public Tensor tensor(String name) {
            throw new IllegalArgumentException("no tensor " + name);
        }

        @Override
        public long sampleAt(int row) {
            return row;
        }

        @Override
        public boolean isPadding(int row) {
            return false;
        }

        @Override
        public Batch retain() {
            return this;
        }

        @Override
        public void close() {}
    }
}
