package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.s3.AdaptiveGate.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdaptiveGateTest {
    private final List<String> admitted = new ArrayList<>();
    private final ArrayDeque<Long> passes = new ArrayDeque<>();

    private AdaptiveGate.Waiter waiter(String name) {
        return new AdaptiveGate.Waiter() {
            @Override
            void admit(long pass) {
                admitted.add(name);
                passes.add(pass);
            }
        };
    }

    @Test
    void letsInUpToTheLimitAndThenInOrderOfArrival() {
        AdaptiveGate gate = new AdaptiveGate(2);
        for (String name : List.of("a", "b", "c", "d")) {
            gate.enter(waiter(name));
        }
        assertThat(admitted).containsExactly("a", "b");
        assertThat(gate.waiting()).isEqualTo(2);
        assertThat(gate.tryEnter()).isNull();
        gate.leave(passes.remove(), Outcome.SUCCESS);
        assertThat(admitted).containsExactly("a", "b", "c");
    }

    @Test
    void aWaiterThatGaveUpIsNotLetIn() {
        AdaptiveGate gate = new AdaptiveGate(1);
        AdaptiveGate.Waiter second = waiter("b");
        gate.enter(waiter("a"));
        gate.enter(second);
        gate.enter(waiter("c"));
        assertThat(gate.forget(second)).isTrue();
        gate.leave(passes.remove(), Outcome.OTHER);
        assertThat(admitted).containsExactly("a", "c");
    }

    @Test
    void requestsSentBeforeAHalvingDoNotHalveAgain() {
        AdaptiveGate gate = new AdaptiveGate(16);
        for (int i = 0; i < 16; i++) {
            gate.enter(waiter("" + i));
        }
        while (!passes.isEmpty()) {
            gate.leave(passes.remove(), Outcome.THROTTLED);
        }
        assertThat(gate.limit()).isEqualTo(8);
        assertThat(gate.running()).isZero();
    }

    @Test
    void neverGoesUnderOneAndComesBackWithinAsManyRoundTripsAsItsLimit() {
        AdaptiveGate gate = new AdaptiveGate(64);
        for (int i = 0; i < 10; i++) {
            gate.enter(waiter("halve"));
            gate.leave(passes.remove(), Outcome.THROTTLED);
        }
        assertThat(gate.limit()).isEqualTo(1);
        int rounds = 0;
        while (gate.limit() < 58 && rounds < 1_000) { // 90 %
            rounds++;
            int sent = gate.limit();
            for (int i = 0; i < sent; i++) {
                gate.enter(waiter("round " + rounds));
            }
            for (int i = 0; i < sent; i++) {
                gate.leave(passes.remove(), Outcome.SUCCESS);
            }
        }
        // At 30 ms a round trip that is far under 30 s.
        assertThat(rounds).isLessThan(100);
    }

    @Test
    void aLimitThatIsNotReachedDoesNotGrow() {
        AdaptiveGate gate = new AdaptiveGate(64);
        gate.enter(waiter("halve"));
        gate.leave(passes.remove(), Outcome.THROTTLED);
        for (int i = 0; i < 1_000; i++) {
            gate.enter(waiter("alone"));
            gate.leave(passes.remove(), Outcome.SUCCESS);
        }
        assertThat(gate.limit()).isEqualTo(32);
    }
}
