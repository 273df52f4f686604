// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.quantile.Bins.Scale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which bin a value falls in. */
class BinsTest {
  @Test
  void shouldBeSpacedAsSaid() {
    Bins percent = Bins.of(0, 100, 100, Scale.LINEAR);
    Bins octaves = Bins.of(1, 1024, 10, Scale.LOG);
    for (int i = 0; i <= 100; i++) {
      assertThat(percent.edge(i)).isEqualTo(i);
    }
    for (int i = 0; i <= 10; i++) {
      assertThat(octaves.edge(i)).isCloseTo(1 << i, within(1e-12 * (1 << i)));
    }
    assertThat(octaves.edge(10)).isEqualTo(1024);
    assertThat(percent.number()).isEqualTo(100);
    assertThat(percent.within(3, 0.25)).isEqualTo(3.25);
  }

  /** Against a look at every edge: at edges, beside them, far beyond, and at random. */
  @ParameterizedTest
  @CsvSource({
    "0, 100, 100, LINEAR",
    "-3.7, 8.1, 4096, LINEAR",
    "-1, 1, 2, LINEAR",
    "1e-3, 1e6, 4096, LOG",
    "0.3, 0.4, 65536, LOG",
    "-1e300, 1e300, 7, LINEAR",
    "1e-300, 1e300, 1000, LOG"
  })
  void shouldHoldWhatLiesBetweenItsEdges(double lo, double hi, int number, Scale scale) {
    Bins bins = Bins.of(lo, hi, number, scale);
    Random random = new Random(number);
    for (int trial = 0; trial < 2_000; trial++) {
      double edge = bins.edge(random.nextInt(number + 1));
      double value =
          switch (trial % 4) {
            case 0 -> edge;
            case 1 -> Math.nextDown(edge);
            case 2 -> Math.nextUp(edge);
            default -> lo + (hi - lo) * (3 * random.nextDouble() - 1);
          };
      int bin = bins.of(value);
      assertThat(bin == 0 || bins.edge(bin) <= value).isTrue();
      assertThat(bin == number - 1 || value < bins.edge(bin + 1)).isTrue();
      assertThat(bins.of(Math.nextUp(value))).isBetween(bin, bin + 1);
    }
    assertThat(bins.of(Double.NEGATIVE_INFINITY)).isZero();
    assertThat(bins.of(-Double.MAX_VALUE)).isZero();
    assertThat(bins.of(Double.POSITIVE_INFINITY)).isEqualTo(number - 1);
    assertThat(bins.of(hi)).isEqualTo(number - 1);
    assertThat(bins.of(lo)).isZero();
    assertThatThrownBy(() -> bins.of(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Numbers that compare as equal fall in one bin. */
  @Test
  void shouldKnowOnlyOneZero() {
    assertThat(Bins.of(-1, 1, 2, Scale.LINEAR).of(-0.0)).isEqualTo(1);
    assertThat(Bins.of(-1, -0.0, 2, Scale.LINEAR)).isEqualTo(Bins.of(-1, 0.0, 2, Scale.LINEAR));
    assertThat(Bins.of(-0.0, 1, 2, Scale.LINEAR).of(0.0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, LINEAR", "0, 1, 65537, LINEAR", "1, 1, 4, LINEAR", "2, 1, 4, LINEAR",
    "0, 1, 4, LOG", "-1, 1, 4, LOG", "NaN, 1, 4, LINEAR", "0, Infinity, 4, LINEAR",
    "-1.7e308, 1.7e308, 4, LINEAR", "1, 1.0000000000000004, 4, LINEAR",
        "1, 1.0000000000000004, 4, LOG"
  })
  void shouldRefuseWhatHasNoBins(double lo, double hi, int number, Scale scale) {
    assertThatThrownBy(() -> Bins.of(lo, hi, number, scale))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
