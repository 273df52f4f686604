// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.additive.GridSensitivity;

/**
 * Which parts of records are drawn, and how far neighbours move them: Theorem I of
 * docs/theory/moments-and-quantiles.md.
 *
 * @param degree m, 1 or 2
 * @param fields numbers of a record, at least 1
 * @param firstPart 0, or 1 where the first part of each number is not drawn: it follows from the
 *     public number of records, of all groups together, of which there is one then
 * @param roundings R: groups of all subjects whose sums neighbours make differ and are rounded as a
 *     whole; 0 where each record's parts are rounded
 * @param moved what all noises of one release are moved by
 */
public record MomentSensitivity(
    int degree, int fields, int firstPart, int roundings, GridSensitivity moved) {
  /** Covers the roundings of roots and products. */
  private static final double UP = 1 + 0x1.0p-40;

  /**
   * Of (B_1, B_2), degree 2, in steps: B_1 - B_2 lies between -1, at t = 1, and 1/3, at t = 1/3,
   * and rounding by largest remainders adds at most one step; B_1 + B_2 between 0 and 1.
   */
  private static final long LAST_TWO_L1 = BernsteinParts.STEPS + BernsteinParts.STEPS / 3 + 1;

  /**
   * The same, of squares: largest between t = 1/5 and t = 1, where it is 128/125; each part is less
   * than a step from its polynomial at both.
   */
  private static final double LAST_TWO_L2 =
      Math.sqrt(128 / 125.0) * BernsteinParts.STEPS + 2 * Math.sqrt(2);

  /**
   * What two roundings of one number's sums move them by in L1: at most 8/3 of a step, and where
   * whole steps add up to the same they are even.
   */
  private static final long ROUNDED_L1 = 2;

  /** The same in L2: twice the root of 2/3, rounded up. */
  private static final double ROUNDED_L2 = 5 / 3.0;

  /**
   * @throws IllegalArgumentException if there is no number, or the first part is not 0 or 1
   */
  public MomentSensitivity {
    BernsteinParts.requireDegree(degree);
    if (fields < 1 || firstPart < 0 || firstPart > 1) {
      throw new IllegalArgumentException(
          "there is at least 1 number, and parts from 0 or 1 on, were "
              + fields
              + ", "
              + firstPart);
    }
  }

  private static MomentSensitivity of(
      PrivacyUnit unit, String word, int degree, int fields, int firstPart, Moved moved) {
    int parts = Math.multiplyExact(fields, moved.parts);
    String name = "moments " + word + " m=" + degree + " fields=" + fields;
    double l2 = moved.l2 * Math.sqrt(fields) * UP;
    return new MomentSensitivity(
        degree, fields, firstPart, 0, new GridSensitivity(name, unit, parts, moved.each, l2));
  }

  /**
   * The same neighbours where each record's t is exact, and sums are rounded: once for each number
   * and group of a subject ({@link RoundedParts}).
   *
   * @param groups R, at least 1: how many of them a neighbour's records may be in
   * @throws IllegalArgumentException if there is no group, or the sums are rounded already
   */
  public MomentSensitivity rounded(int groups) {
    if (groups < 1 || roundings > 0) {
      throw new IllegalArgumentException("sums are rounded once, in at least 1 group");
    }
    double l2 = moved.l2() + ROUNDED_L2 * Math.sqrt((double) groups * fields);
    return new MomentSensitivity(
        degree,
        fields,
        firstPart,
        groups,
        new GridSensitivity(
            moved.word() + " rounded=" + groups,
            moved.unit(),
            moved.parts(),
            Math.addExact(moved.each(), groups * ROUNDED_L1),
            l2 * UP));
  }

  /** By one number: groups of its parts that are moved side by side, each by at most so much. */
  private record Moved(int parts, long each, double l2) {}

  /**
   * Up to C records of a user are added or removed, in whatever groups and subjects: of every
   * number the sums move by exactly C in all, and furthest where all are alike.
   *
   * @param degree m, 1 or 2
   * @param fields numbers of a record, at least 1
   * @param records C, at least 1, over all subjects of a window
   * @throws IllegalArgumentException if there is no record
   */
  public static MomentSensitivity addOrRemove(int degree, int fields, int records) {
    if (records < 1) {
      throw new IllegalArgumentException("a user contributes at least 1 record, was " + records);
    }
    long steps = records * BernsteinParts.STEPS;
    return of(
        PrivacyUnit.USER,
        "add-or-remove-" + records,
        degree,
        fields,
        0,
        new Moved(1, steps, steps));
  }

  /**
   * One record is replaced, its group too: the parts of every number lose one record in all, and
   * gain one.
   *
   * @param degree m, 1 or 2
   * @param fields numbers of a record, at least 1
   */
  public static MomentSensitivity replaceOne(int degree, int fields) {
    long steps = BernsteinParts.STEPS;
    return of(
        PrivacyUnit.RECORD,
        "replace-one",
        degree,
        fields,
        0,
        new Moved(2, steps, Math.sqrt(2) * steps));
  }

  /**
   * One record is replaced where there is one group: its number of records is public, and the first
   * part of each number is not drawn but follows from it. Of degree 1 the other one moves by at
   * most one record.
   *
   * @param degree m, 1 or 2
   * @param fields numbers of a record, at least 1
   */
  public static MomentSensitivity replaceOneOfOneGroup(int degree, int fields) {
    long steps = BernsteinParts.STEPS;
    return of(
        PrivacyUnit.RECORD,
        "replace-one-of-one-group",
        degree,
        fields,
        1,
        degree == 1 ? new Moved(1, steps, steps) : new Moved(1, LAST_TWO_L1, LAST_TWO_L2));
  }

  /**
   * The most that roundings move a record's t, or its squared distance from a mean, by. Where sums
   * are rounded u was before, by half a step of 2^-15 of a bucket that lies within the range; a
   * square moves by up to twice as much, and 2^-14 has room for the rounding of sums.
   */
  public double resolution() {
    return roundings > 0 ? 0x1.0p-14 : 1.0 / BernsteinParts.STEPS;
  }

  /** What is protected. */
  public PrivacyUnit unit() {
    return moved.unit();
  }

  /** Whether the number of records of all groups together is the same in all neighbours. */
  public boolean sizeIsPublic() {
    return unit() == PrivacyUnit.RECORD;
  }
}
