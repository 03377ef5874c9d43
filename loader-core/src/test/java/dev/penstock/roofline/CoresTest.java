package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CoresTest {

    @Test
    void tasksShareTheCoresWithThoseOfOthers() {
        assertThat(Cores.alone(2).speed(0)).isEqualTo(1);
        assertThat(Cores.alone(2).speed(2)).isEqualTo(1);
        assertThat(Cores.alone(2).speed(4)).isEqualTo(0.5);
        assertThat(new Cores(2, 1).speed(1)).isEqualTo(1);
        assertThat(new Cores(2, 1).speed(3)).isEqualTo(0.5);
    }

    @Test
    void whatOthersTookWhileTheScaleWasMeasuredIsNotTakenTwice() {
        // two counting threads beside one of another process: two thirds of two cores, and the cores are whole
        assertThat(Cores.seen(2, 4.0 / 3, 1).together()).isCloseTo(2, within(1e-9));
        assertThat(Cores.seen(2, 1.2, 0).together()).isCloseTo(1.2, within(1e-9));
        assertThat(Cores.seen(2, 1.9, 1).together()).isEqualTo(2); // they happened to rest
        assertThat(Cores.seen(2, 1.9, 1).left()).isEqualTo(1);
    }

    @Test
    void whatIsNoNumberOfCoresIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Cores(Double.NaN, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Cores(2, -1));
    }
}
