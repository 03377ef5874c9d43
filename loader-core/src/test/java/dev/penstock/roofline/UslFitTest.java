package dev.penstock.roofline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.roofline.UslFit.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UslFitTest {

    @ParameterizedTest
    @CsvSource({"10, 0, 0", "10, 0.1, 0", "10, 0.05, 0.01", "250, 0.3, 0.002", "3, 0, 0.05", "1, 1, 0"})
    void aPlantedCurveIsFoundExactly(double lambda, double sigma, double kappa) {
        UslFit fit = UslFit.of(planted(lambda, sigma, kappa, 0, 1, 1, 2, 3, 4, 6, 8, 12));
        assertThat(fit.lambda()).isCloseTo(lambda, within(1e-6 * lambda));
        assertThat(fit.sigma()).isCloseTo(sigma, within(1e-6));
        assertThat(fit.kappa()).isCloseTo(kappa, within(1e-6));
        assertThat(fit.error()).isLessThan(1e-6);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void fivePercentNoiseLeavesTheFittedCurveWithinTenPercent(long seed) {
        UslFit fit = UslFit.of(planted(20, 0.08, 0.006, 0.05, seed, 1, 2, 3, 4, 6, 8, 12, 16));
        UslFit truth = UslFit.of(planted(20, 0.08, 0.006, 0, 1, 1, 2, 3, 4, 6, 8, 12, 16));
        for (int n = 1; n <= 16; n++) {
            assertThat(fit.at(n)).isCloseTo(truth.at(n), within(0.1 * truth.at(n)));
        }
    }

    @Test
    void parametersNeverGoBelowZeroEvenForASuperlinearMeasurement() {
        UslFit fit = UslFit.of(List.of(new Point(1, 10), new Point(2, 23), new Point(4, 50)));
        assertThat(fit.sigma()).isZero();
        assertThat(fit.kappa()).isZero();
        assertThat(fit.ceiling()).isInfinite();
    }

    @Test
    void onePointGivesLambdaOnly() {
        UslFit fit = UslFit.of(List.of(new Point(4, 40)));
        assertThat(fit.lambda()).isCloseTo(10, within(1e-9));
        assertThat(fit.at(8)).isCloseTo(80, within(1e-9));
    }

    @Test
    void twoPointsAreMetExactly() {
        UslFit fit = UslFit.of(List.of(new Point(1, 10), new Point(2, 15)));
        assertThat(fit.at(1)).isCloseTo(10, within(1e-9));
        assertThat(fit.at(2)).isCloseTo(15, within(1e-9));
    }

    @Test
    void thePeakIsWhereTheLawHasIt() {
        UslFit fit = UslFit.of(planted(10, 0.1, 0.01, 0, 1, 1, 2, 4, 8, 16));
        assertThat(fit.peak()).isCloseTo(Math.sqrt(0.9 / 0.01), within(1e-3));
        assertThat(fit.ceiling()).isCloseTo(fit.at(fit.peak()), within(1e-9)).isGreaterThan(fit.at(fit.peak() + 2));
    }

    @Test
    void aPlateauIsFoundAtTheFirstNumberThatNoLargerOneBeats() {
        UslFit flat = UslFit.of(
                List.of(new Point(1, 10), new Point(2, 19), new Point(3, 20), new Point(4, 20.5), new Point(6, 19.8)));
        assertThat(flat.plateau(0.1)).isEqualTo(2);
        assertThat(flat.hasPlateau(0.1)).isTrue();
        assertThat(flat.fallsPastPeak(0.1)).isFalse();
        UslFit rising = UslFit.of(List.of(new Point(1, 10), new Point(2, 19), new Point(4, 36)));
        assertThat(rising.hasPlateau(0.1)).isFalse();
        UslFit falling = UslFit.of(List.of(new Point(1, 10), new Point(2, 18), new Point(4, 15), new Point(8, 9)));
        assertThat(falling.fallsPastPeak(0.1)).isTrue();
        assertThat(falling.peak()).isBetween(1.0, 5.0);
    }

    @Test
    void repeatedMeasurementsAreAveraged() {
        UslFit fit = UslFit.of(
                List.of(new Point(1, 9), new Point(1, 11), new Point(2, 19), new Point(2, 21), new Point(2, 20)));
        assertThat(fit.plateau(0.1)).isEqualTo(2);
        assertThat(fit.at(2)).isCloseTo(20, within(1.0));
    }

    @Test
    void whatCanNotBeFittedIsRefusedByName() {
        assertThatThrownBy(() -> UslFit.of(List.of())).hasMessageContaining("no point");
        assertThatThrownBy(() -> UslFit.of(List.of(new Point(0, 3)))).hasMessageContaining("n=0");
        assertThatThrownBy(() -> UslFit.of(List.of(new Point(2, 0)))).hasMessageContaining("throughput above 0");
    }

    private static List<Point> planted(double lambda, double sigma, double kappa, double noise, long seed, int... ns) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Point> points = new ArrayList<>();
        for (int n : ns) {
            double x = lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
            points.add(new Point(n, x * (1 + noise * (2 * random.nextDouble() - 1))));
        }
        return points;
    }
}
