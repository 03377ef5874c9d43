package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderGateTest {
    private final OrderGate gate = new OrderGate(6);
    private final List<BatchJob> dropped = new ArrayList<>();

    @Test
    void givesJobsInOrderOfSequenceHoweverTheyCome() {
        BatchJob first = job(0);
        BatchJob second = job(1);
        gate.put(second);

        assertThat(gate.poll()).isNull();
        gate.put(first);

        assertThat(gate.poll()).isSameAs(first);
        assertThat(gate.poll()).isSameAs(second);
        assertThat(gate.held()).isZero();
    }

    @Test
    void aJobFinishedBeforeTheConsumerSkippedToItIsKept() {
        BatchJob stale = job(2);
        BatchJob early = job(4);
        gate.put(stale);
        gate.put(early);

        gate.skipTo(4, dropped::add);

        assertThat(dropped).containsExactly(stale);
        assertThat(gate.held()).isEqualTo(1);
        assertThat(gate.poll()).isSameAs(early);
    }

    @Test
    void aStaleJobIsTheCallersAfterASkip() {
        gate.skipTo(3, dropped::add);

        assertThat(gate.put(job(2))).isFalse();
        assertThat(gate.put(job(3))).isTrue();
    }

    @Test
    void aJobThatCanNotBeUnderWayYetIsAFault() {
        assertThatIllegalStateException().isThrownBy(() -> gate.put(job(6))).withMessageContaining("a gate at 0");
    }

    @Test
    void nothingComesOutOrInAfterTheEnd() throws InterruptedException {
        gate.put(job(0));
        gate.end();

        assertThat(gate.take(Long.MAX_VALUE)).isNull();
        assertThat(gate.put(job(1))).isFalse();
    }

    private static BatchJob job(long sequence) {
        return new BatchJob(sequence, 0, sequence, null, null, 1, 0, 0);
    }
}
