// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.continual.Coefficients;
import java.util.stream.IntStream;

/**
 * How far one user moves the rows of all names, coarse and fine ones together
 * (docs/theory/partition-selection.md, Theorem N).
 *
 * @param fine the part of one charge (a window of the user, or a record) in steps of a fine row's
 *     noise; a coarse move counts by how much larger a coarse row's noise is
 * @param ratio the deviation of a coarse row's noise over that of a fine one's
 */
public record TwoSequences(GridSensitivity fine, double ratio) {
  /** Covers the roundings of sums of 65,536 products, and of roots. */
  private static final double UP = 1 + 1e-10;

  /** Of a record: k |c|^2 in squares, in either sequence. */
  static TwoSequences perRecord(
      RunningBounds.PerPeriod bounds, Coefficients coarse, Coefficients fine) {
    double squared = bounds.perName() * norm(fine);
    return new TwoSequences(
        sensitivity(
            "add-or-remove-1 of %d records in a period, %d a name, %s %s"
                .formatted(bounds.records(), bounds.perName(), coarse.word(), fine.word()),
            bounds.perName(),
            fine,
            Math.sqrt(squared)),
        Math.sqrt(norm(coarse) / norm(fine)));
  }

  /**
   * Of a window: the w-th part, w the user's windows in a block, of D^2 times the sum over windows
   * of what each has in common with all of them, in the sequence where that is more.
   */
  static TwoSequences perWindow(
      RunningBounds.PerWindow bounds, TestSchedule tests, Coefficients coarse, Coefficients fine) {
    int windows = bounds.windowsOf(tests);
    double[] ofCoarse = inCommon(coarse, windows, tests.every());
    double[] ofFine = inCommon(fine, windows, 1);
    double ratio = Math.sqrt(sum(ofCoarse) / sum(ofFine));
    double all =
        IntStream.range(0, windows)
            .mapToDouble(v -> Math.max(ofCoarse[v] / (ratio * ratio), ofFine[v]))
            .sum();
    GridSensitivity own = bounds.window().sensitivity();
    return new TwoSequences(
        sensitivity(
            "%s %s every-%d %s in-%d"
                .formatted(own.word(), coarse.word(), tests.every(), fine.word(), bounds.windows()),
            own.l1(),
            fine,
            own.l2() * Math.sqrt(all / windows)),
        ratio);
  }

  private static GridSensitivity sensitivity(
      String word, long records, Coefficients fine, double l2) {
    double each = records * fine.columnSum().doubleValue();
    return new GridSensitivity(
        word,
        PrivacyUnit.USER,
        1,
        (long) Math.min(GridSensitivity.LARGEST, each),
        Math.scalb(l2, Coefficients.DIGITS) * UP);
  }

  /** |c|^2. */
  private static double norm(Coefficients coefficients) {
    return Math.scalb(coefficients.squaredNorm(1).doubleValue(), -2 * Coefficients.DIGITS);
  }

  private static double sum(double[] numbers) {
    return IntStream.range(0, numbers.length).mapToDouble(i -> numbers[i]).sum();
  }

  /**
   * The inner products of each of a user's windows with all of them, at most: windows v and w have
   * at most g(floor(|v - w| / e)).
   */
  private static double[] inCommon(Coefficients coefficients, int windows, int every) {
    double[] products = new double[(windows - 1) / every + 1];
    for (int d = 0; d < products.length; d++) {
      for (long k = 0; k + d < coefficients.band(); k++) {
        products[d] +=
            Math.scalb(
                (double) coefficients.at(k) * coefficients.at(k + d), -2 * Coefficients.DIGITS);
      }
    }
    double[] upTo = new double[windows];
    for (int d = 0; d < windows; d++) {
      upTo[d] = (d == 0 ? 0 : upTo[d - 1]) + products[d / every];
    }
    double[] all = new double[windows];
    for (int v = 0; v < windows; v++) {
      all[v] = upTo[v] + upTo[windows - 1 - v] - upTo[0];
    }
    return all;
  }
}
