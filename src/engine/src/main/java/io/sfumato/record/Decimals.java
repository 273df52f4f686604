// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/** The decimals that numbers of records stand for. */
public final class Decimals {
  /** Most digits of a whole number that is rounded down. */
  private static final int MOST_WHOLE_DIGITS = 18;

  private Decimals() {}

  /**
   * The decimal of a double: of a whole number all its digits, else the shortest decimal that no
   * other double is nearer to.
   *
   * @return nothing if it is not finite
   */
  public static Optional<BigDecimal> of(double number) {
    if (!Double.isFinite(number)) {
      return Optional.empty();
    }
    // Double.toString writes other digits on JDK 17 than from JDK 19 on.
    return Optional.of(
        isWhole(number)
            ? new BigDecimal(number)
            : new BigDecimal(NumberOutput.toString(number, true)));
  }

  /** The same of a float, whose shortest decimal has fewer digits. */
  public static Optional<BigDecimal> of(float number) {
    return Float.isFinite(number) && !isWhole(number)
        ? Optional.of(new BigDecimal(NumberOutput.toString(number, true)))
        : of((double) number);
  }

  private static boolean isWhole(double number) {
    return number == Math.rint(number);
  }

  /** Rounded down to a whole number that a long holds; nothing if none does. */
  public static Optional<Long> floor(BigDecimal number) {
    // Decided by the exponent, before it is written out.
    if (number.signum() == 0) {
      return Optional.of(0L);
    }
    long magnitude = (long) number.precision() - number.scale();
    return magnitude > MOST_WHOLE_DIGITS
        ? Optional.empty()
        : Optional.of(
            magnitude < 1
                ? number.signum() < 0 ? -1L : 0L
                : number.setScale(0, RoundingMode.FLOOR).longValueExact());
  }
}
