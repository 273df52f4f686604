// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.mechanism.PeriodBounds;
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

  /** Covers the roundings of products, quotients and a root. */
  private static final double ROUNDED = 1 + 0x1.0p-48;

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
   * Of one record of a user, of whom records are bounded in a window and in a period: n records
   * cost at most n times this, wherever they lie (docs/theory/bounded-users.md, Theorem R). In
   * steps of the window's grid times 2^-20.
   *
   * @param window how far C records move a window's own numbers, by all subjects
   * @param bounds C, P and W
   */
  public static GridSensitivity perRecord(
      GridSensitivity window, Coefficients coefficients, PeriodBounds bounds) {
    GridSensitivity record = window.ofOneRecord(bounds.records());
    // ofOneRecord's square is C squares of one record's move.
    double one = record.l2() * record.l2() / bounds.records();
    return new GridSensitivity(
        "%s %s of-%d".formatted(record.word(), coefficients.word(), bounds.total()),
        record.unit(),
        record.parts(),
        ofOneRow(record, coefficients),
        Math.sqrt(one * squaredRowsOfOneRecord(coefficients, bounds)) * ROUNDED,
        record.sharing());
  }

  /**
   * D^2 of all rows where one record moves a window's own number by 1: C^2 f(q) + 2 C r (g(1) + ...
   * + g(q)) + r^2 g(0), in squared steps of 2^-20; never below the truth.
   *
   * @param bounds C, P and W
   */
  public static BigInteger squaredRows(Coefficients coefficients, PeriodBounds bounds) {
    return squaredRows(coefficients, bounds.full(), bounds.records(), bounds.rest());
  }

  private static BigInteger squaredRows(Coefficients coefficients, int full, long each, long rest) {
    return coefficients.band() == 1
        ? BigInteger.valueOf(full * each * each + rest * rest)
            .multiply(Coefficients.square(Coefficients.ONE))
        : coefficients.squaredNorm(full, each, rest);
  }

  /**
   * The most that D^2 of n records is over n, for n up to P: between multiples of C it is convex,
   * and at these it rises, so it is largest at P, or at the last multiple before.
   */
  private static double squaredRowsOfOneRecord(Coefficients coefficients, PeriodBounds bounds) {
    double most = over(squaredRows(coefficients, bounds), bounds.total());
    if (bounds.full() == 0 || bounds.rest() == 0) {
      return most;
    }
    int multiple = bounds.full() * bounds.records();
    return Math.max(
        most, over(squaredRows(coefficients, bounds.full(), bounds.records(), 0), multiple));
  }

  private static double over(BigInteger squared, int records) {
    return new BigDecimal(squared).divide(BigDecimal.valueOf(records), UP).doubleValue();
  }

  /**
   * Of one record of a user where rows are windows' own numbers, in steps of these.
   *
   * @param window how far C records move a window's own numbers, by all subjects
   * @param bounds C, P and W
   */
  public static GridSensitivity ofOwn(GridSensitivity window, PeriodBounds bounds) {
    GridSensitivity record = window.ofOneRecord(bounds.records());
    return new GridSensitivity(
        "%s own of-%d".formatted(record.word(), bounds.total()),
        record.unit(),
        record.parts(),
        record.each(),
        record.l2(),
        record.sharing());
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
