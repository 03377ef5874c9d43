package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 60, 120, 600, 36_000})
    void aPolicyThatLastsHasAttemptsForAllOfItWhenAServerRefusesAtOnceAndEveryWaitIsTheShortest(long seconds) {
        RetryPolicy lasting = RetryPolicy.STANDARD.lasting(Duration.ofSeconds(seconds));
        long waits = IntStream.range(1, lasting.attempts())
                .mapToLong(failures -> lasting.waitNanos(failures, 0))
                .sum();
        assertThat(waits).isGreaterThanOrEqualTo(Duration.ofSeconds(seconds).toNanos());
        assertThat(lasting.totalTimeout()).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(lasting.attempts()).isGreaterThanOrEqualTo(RetryPolicy.STANDARD.attempts());
    }

    @Test
    void everyWrongValueIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.STANDARD
                        .withWaits(Duration.ZERO, Duration.ofSeconds(1))
                        .lasting(Duration.ofSeconds(-1)))
                .withMessageContaining("firstWait was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.STANDARD.lasting(Duration.ofSeconds(-1)))
                .withMessageContaining("totalTimeout was PT-1S");
    }
}
