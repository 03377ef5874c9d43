package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WhatIfTest {

    private static WhatIf predicted(double predicted, double error) {
        return new WhatIf("a change", predicted, error, 2, 1.9, 2.2);
    }

    @Test
    void whatWasPredictedStandsBesideWhatWasMeasured() {
        WhatIf close = predicted(2.2, 0.05);
        assertThat(close.off()).isCloseTo(0.1, within(1e-9));
        assertThat(close.text())
                .contains("2.20x ±  5 %")
                .contains("2.00x (1.90 to 2.20)")
                .contains("+10.0 %")
                .endsWith("within 15 %");
    }

    @Test
    void aPredictionThatIsOffSaysWhetherItHadSaidSo() {
        assertThat(predicted(3, 0.6).text()).endsWith("within the error it stated, which was too large to act on");
        assertThat(predicted(1, 0.2).text()).contains("-50.0 %").endsWith("off by more than it stated");
    }
}
