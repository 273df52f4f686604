// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.mechanism.additive.GridSensitivity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * How far rows of neighbouring datasets lie apart (docs/theory/running-sums.md, Theorem K), as the
 * part that one of a user's windows has in it: W windows move all rows by at most D sqrt(f(W)), and
 * any number w of them, up to W, by at most sqrt(w) times what a window is charged, {@code D
 * sqrt(f(W) / W)}.
 */
public final class RowSensitivity {
  private static final MathContext UP = new MathContext(40, RoundingMode.CEILING);

  private RowSensitivity() {}

  /**
   * Of one window of a user, in steps of the window's grid times 2^-20.
   *
   * @param window how far its own numbers are moved, by all subjects
   * @param windows W, how many of a user's windows count at most
   */
  public static GridSensitivity perWindow(
      GridSensitivity window, Coefficients coefficients, long windows) {
    BigInteger columns =
        coefficients.band() == 1
            ? Coefficients.square(Coefficients.ONE).multiply(BigInteger.valueOf(windows))
            : coefficients.squaredNorm(Math.toIntExact(windows));
    double l2 =
        new BigDecimal(columns)
            .divide(BigDecimal.valueOf(windows), UP)
            .sqrt(UP)
            .multiply(new BigDecimal(window.l2()), UP)
            .doubleValue();
    return new GridSensitivity(
        "%s %s in-%d".formatted(window.word(), coefficients.word(), windows),
        window.unit(),
        window.parts(),
        ofOneRow(window, coefficients),
        Math.nextUp(l2));
  }

  /**
   * Of one window of a user where rows are windows' own numbers, in steps of these: each pays for
   * itself.
   *
   * @param window how far its own numbers are moved, by all subjects
   * @param windows W, how many of a user's windows count at most
   */
  public static GridSensitivity ofOwn(GridSensitivity window, long windows) {
    return new GridSensitivity(
        "%s own in-%d".formatted(window.word(), windows),
        window.unit(),
        window.parts(),
        window.each(),
        window.l2());
  }

  /** In L1; of one band this is what a window's only row moves by. */
  private static long ofOneRow(GridSensitivity window, Coefficients coefficients) {
    BigInteger each = BigInteger.valueOf(window.each()).multiply(coefficients.columnSum());
    return each.min(BigInteger.valueOf(GridSensitivity.LARGEST / window.parts())).longValueExact();
  }
}
