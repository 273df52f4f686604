// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.Sensitivity.Shift;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * How far one user moves counts of distinct users, all counts together. A cell is what has a count
 * of its own: a subject, or a category of a subject. A user counts at most once in a cell, so every
 * count moves by 0 or 1. Hence the sum of the differences and the square of the Euclidean distance
 * are one number, the number of counts that move: docs/theory/bounded-users.md, Theorem S.
 *
 * @param cells G: most cells of one window in which a user counts, at least 1
 * @param all how many cells there are, where this is public and fixed; empty elsewhere
 */
public record DistinctUsers(int cells, OptionalLong all) {
  /** Most shifts of a Laplace part: more need a curve each, and hardly less noise. */
  private static final long MOST_SHIFTS = 1_000;

  /**
   * @throws IllegalArgumentException if there is no cell
   */
  public DistinctUsers {
    if (cells < 1 || all.orElse(1) < 1) {
      throw new IllegalArgumentException("a user counts in at least 1 cell");
    }
  }

  /** Most counts of a window that a user moves: no user is in more cells than there are. */
  public int ofWindow() {
    return (int) Math.min(cells, all.orElse(Long.MAX_VALUE));
  }

  /**
   * Most counts that a user moves in a period.
   *
   * @param windows W: most windows of the period in which the user counts, at least 1
   * @param most P: most cells in which the user counts in all windows of the period together, at
   *     least 1
   */
  public long ofPeriod(long windows, long most) {
    return Math.min(most, Math.multiplyExact(windows, ofWindow()));
  }

  /**
   * Most counts of the last n windows that a user moves: a window is in n of them.
   *
   * @param last n, at least 1
   * @param windows W: most windows in which the user counts, at least 1
   */
  public long ofLast(int last, long windows) {
    return Math.multiplyExact(Math.multiplyExact((long) last, windows), ofWindow());
  }

  /**
   * The same where all these windows lie in a row of m: a cell's count moves m + n - 1 times at
   * most, however often the user comes.
   *
   * @param last n, at least 1
   * @param windows W: most windows in which the user counts, at least 1
   * @param row m, at least W
   */
  public long ofLast(int last, long windows, long row) {
    long separate = ofLast(last, windows);
    return all.isPresent()
        ? Math.min(separate, Math.multiplyExact(all.getAsLong(), Math.addExact(row, last - 1L)))
        : separate;
  }

  /** What the counts of one window cost: each has noise of its own, which moves by 1. */
  public Sensitivity sensitivity() {
    return new Sensitivity(
        " add-or-remove-user-in-" + ofWindow() + (ofWindow() == 1 ? "-cell" : "-cells"),
        PrivacyUnit.USER,
        Collections.nCopies(ofWindow(), new Shift(1, 1)));
  }

  /**
   * Each window's part of what a user moves in W windows, for Gaussian noise: its curve is linear
   * in the square of the Euclidean distance, so W parts are the whole.
   *
   * @param moved counts that move in all windows together, at least 1
   * @param windows W, at least 1
   */
  public static Sensitivity gaussianPart(long moved, long windows) {
    return part(moved, windows, List.of(new Shift(up(Math.sqrt(up(moved, windows))), 1)));
  }

  /**
   * The same for Laplace noise. The part is x = moved / W shifts of 1, which need not be whole. It
   * is charged as k = floor(x) shifts of x / k, 1,000 at most, or as one shift of 1 if x is below
   * 1. Pure losses are at least x, and so is the curve: RR(y) / y does not fall, so k RR(x / k) is
   * at least x RR(1).
   *
   * @param moved counts that move in all windows together, at least 1
   * @param windows W, at least 1
   */
  public static Sensitivity laplacePart(long moved, long windows) {
    int shifts = (int) Math.min(MOST_SHIFTS, Math.max(1, moved / windows));
    double each = Math.max(1, up(moved, Math.multiplyExact(windows, shifts)));
    return part(moved, windows, Collections.nCopies(shifts, new Shift(each, 1)));
  }

  private static Sensitivity part(long moved, long windows, List<Shift> shifts) {
    return new Sensitivity(
        " add-or-remove-user-in-" + moved + "-counts-of-" + windows + "-windows",
        PrivacyUnit.USER,
        shifts);
  }

  /** A quotient, rounded up: one that is whole stays as it is. */
  private static double up(long dividend, long divisor) {
    return dividend % divisor == 0
        ? (double) (dividend / divisor)
        : up((double) dividend / divisor);
  }

  private static double up(double rounded) {
    return rounded == Math.rint(rounded) ? rounded : Math.nextUp(rounded);
  }
}
