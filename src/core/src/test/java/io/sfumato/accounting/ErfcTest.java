// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.special.Erf;
import org.junit.jupiter.api.Test;

/** Published numbers rest on the library's function: this one must not differ by a bit. */
class ErfcTest {
  @Test
  void isTheLibrarysToTheBit() {
    Random random = new Random(40);
    double change = Math.sqrt(1.5); // from the series to the fraction
    DoubleStream.concat(
            DoubleStream.of(
                0,
                -0.0,
                Double.MIN_VALUE,
                1e-160,
                change,
                Math.nextUp(change),
                Math.nextDown(change),
                26.5,
                27.3,
                40,
                Math.nextUp(40.0),
                Double.POSITIVE_INFINITY,
                Double.NaN),
            DoubleStream.generate(
                    () ->
                        random.nextBoolean()
                            ? 3 * random.nextGaussian()
                            : Math.scalb(random.nextDouble(), random.nextInt(60) - 53))
                .limit(20_000))
        .forEach(
            x -> {
              assertSame(x);
              assertSame(-x);
            });
  }

  private static void assertSame(double x) {
    if (Double.doubleToLongBits(Erfc.of(x)) != Double.doubleToLongBits(Erf.erfc(x))) {
      assertThat(Erfc.of(x)).as("erfc(" + x + ")").isEqualTo(Erf.erfc(x));
    }
  }
}
