// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The nearest numbers that do not fall. */
class IsotonicTest {
  /**
   * Against the formula of Robertson, Wright and Dykstra 1988: max over j of min over k of means.
   */
  @Test
  void shouldBeTheMaximumOfMinimaOfMeans() {
    Random random = new Random(4);
    for (int trial = 0; trial < 500; trial++) {
      double[] numbers = random.doubles(1 + trial % 20, -5, 5).toArray();
      if (trial % 2 == 0) {
        Arrays.setAll(numbers, i -> Math.rint(numbers[i])); // ties
      }
      double[] rising = Isotonic.regression(numbers);
      for (int i = 0; i < numbers.length; i++) {
        double most = Double.NEGATIVE_INFINITY;
        for (int j = 0; j <= i; j++) {
          double least = Double.POSITIVE_INFINITY;
          double sum = 0;
          for (int k = j; k < numbers.length; k++) {
            sum += numbers[k];
            least = k >= i ? Math.min(least, sum / (k - j + 1)) : least;
          }
          most = Math.max(most, least);
        }
        assertThat(rising[i]).isCloseTo(most, within(1e-12));
        assertThat(i == 0 || rising[i - 1] <= rising[i]).isTrue();
      }
    }
  }

  @Test
  void shouldLeaveAloneWhatDoesNotFall() {
    assertThat(Isotonic.regression(new double[] {-1, 0, 0, 7})).containsExactly(-1, 0, 0, 7);
    assertThat(Isotonic.regression(new double[] {3, 2, 1})).containsExactly(2, 2, 2);
  }
}
