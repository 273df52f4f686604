// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WideSumTest {
  private static BigInteger value(WideSum sum) {
    return BigInteger.valueOf(sum.high())
        .shiftLeft(64)
        .add(new BigInteger(Long.toUnsignedString(sum.low())));
  }

  @Test
  void isExact() {
    Random random = new Random(4);
    for (int run = 0; run < 2_000; run++) {
      WideSum sum = new WideSum();
      BigInteger exact = BigInteger.ZERO;
      for (int i = 0; i < 20; i++) {
        long a = random.nextLong() >> random.nextInt(64);
        long b = random.nextLong() >> 40 + random.nextInt(20);
        sum.add(a, b);
        exact = exact.add(BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)));
      }
      assertThat(value(sum)).isEqualTo(exact);
      int digits = 40 + random.nextInt(20);
      BigInteger rounded = exact.add(BigInteger.ONE.shiftLeft(digits - 1)).shiftRight(digits);
      if (rounded.bitLength() < 64) {
        assertThat(sum.rounded(digits)).isEqualTo(rounded.longValueExact());
      } else {
        assertThatThrownBy(() -> sum.rounded(digits)).isInstanceOf(ArithmeticException.class);
      }
    }
  }

  @Test
  void rowsKeepEveryBit() {
    Random random = new Random(5);
    for (int run = 0; run < 500; run++) {
      WideSum first = new WideSum();
      first.add(random.nextLong(), 1L << random.nextInt(30));
      long noise = random.nextLong() >> random.nextInt(60);
      Rows exact = new Rows(new WideSum[] {first});
      NoisyRunningRows noisy = exact.plus(new long[] {noise}, 0);
      assertThat(noisy.minus(exact)).containsExactly(noise);
      int digits = random.nextInt(21);
      WideSum shifted = new WideSum();
      noisy.addTo(shifted, 0, digits);
      assertThat(value(shifted))
          .isEqualTo(value(first).add(BigInteger.valueOf(noise)).shiftLeft(digits));
      assertThat(noisy.toString()).isEqualTo("NoisyRunningRows[1 groups]");
    }
  }
}
