package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoreScaleTest {

    @Test
    void allCoresGiveNoMoreThanTheirNumberAndOneIsOne() throws Exception {
        assertThat(CoreScale.measure(1, 1_000_000)).isEqualTo(1);
        int cores = Runtime.getRuntime().availableProcessors();
        assertThat(CoreScale.measure(cores, 2_000_000)).isBetween(Math.min(0.5, cores), (double) cores);
    }

    @Test
    void noThreadIsLeftBehind() throws Exception {
        CoreScale.measure(3, 1_000_000);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("penstock-cores-"));
    }
}
