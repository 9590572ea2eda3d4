package org.interference.yarn.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuantilesTest {
    @Test
    void aPercentileIsTheValueOfTheNearestRank() {
        Random random = new Random(1);
        for (int n = 1; n <= 1000; n++) {
            // The values are their ranks.
            double[] values =
                    IntStream.rangeClosed(1, n).mapToDouble(rank -> rank).toArray();
            for (int i = n - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                double value = values[i];
                values[i] = values[other];
                values[other] = value;
            }
            for (int percent : new int[] {1, 50, 95, 99, 100}) {
                int rank = (percent * n + 99) / 100;
                assertThat(Quantiles.percentile(values, percent))
                        .as("%d %% of %d", percent, n)
                        .isEqualTo(rank);
            }
        }
    }

    @Test
    void theMedianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
        assertThat(Quantiles.median(9, 1, 4, 2)).isEqualTo(3);
        assertThat(Quantiles.median(9, 1, 2)).isEqualTo(2);
        assertThat(Quantiles.median(List.of(7, 8))).isEqualTo(7.5);
    }

    @Test
    void valuesKeepTheirOrder() {
        double[] values = {3, 1, 2};

        assertThat(Quantiles.percentile(values, 95)).isEqualTo(3);
        assertThat(Quantiles.median(values)).isEqualTo(2);
        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void whatIsUndefinedIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Quantiles.percentile(new double[0], 95));
        assertThatIllegalArgumentException().isThrownBy(Quantiles::median);
        assertThatIllegalArgumentException().isThrownBy(() -> Quantiles.median(1, Double.NaN, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> Quantiles.percentile(new double[] {1, 2}, 101));
    }
}
