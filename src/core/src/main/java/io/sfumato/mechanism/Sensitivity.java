// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import io.sfumato.accounting.PrivacyUnit;
import java.util.Collections;
import java.util.List;

/**
 * How far neighbouring datasets lie apart, as seen by noise on counts. Immutable.
 *
 * @param word names it in a charge, with a space before; empty for one replaced record
 * @param unit what is protected
 * @param shifts of every noise that one release moves, at least one
 */
public record Sensitivity(String word, PrivacyUnit unit, List<Shift> shifts) {
  /**
   * @throws IllegalArgumentException if there is no shift
   */
  public Sensitivity {
    shifts = List.copyOf(shifts);
    if (shifts.isEmpty()) {
      throw new IllegalArgumentException("a sensitivity has at least one shift");
    }
  }

  /**
   * By how much one noise is moved.
   *
   * @param each distance in counts by which one release moves it, above 0
   * @param releases of the protected one that may all move this same noise, at least 1
   */
  public record Shift(double each, long releases) {
    /**
     * @throws IllegalArgumentException if the shift is not above 0, or there is no release
     */
    public Shift {
      if (!(each > 0) || releases < 1) {
        throw new IllegalArgumentException(
            "a shift is above 0 and of at least 1 release, was " + each + " of " + releases);
      }
    }

    /** The largest distance, by all of them. */
    public double together() {
      return each * releases;
    }
  }

  /** One record is replaced: one count falls by 1, another rises by 1. */
  public static Sensitivity replaceOne() {
    return new Sensitivity("", PrivacyUnit.RECORD, Collections.nCopies(2, new Shift(1, 1)));
  }

  /**
   * A user's records of one window are added or removed, at most {@code records} over all subjects.
   * Worst is that all lie in one category of one subject, since squares add up to no more than the
   * square of the sum.
   *
   * @param records C, at least 1
   * @throws IllegalArgumentException if there is no record
   */
  public static Sensitivity addOrRemove(int records) {
    if (records < 1) {
      throw new IllegalArgumentException("a user contributes at least 1 record, was " + records);
    }
    return new Sensitivity(
        " add-or-remove-" + records, PrivacyUnit.USER, List.of(new Shift(records, 1)));
  }

  /**
   * The part of one record in what a user's records of a window cost, of which at most C count. So
   * n of them cost at most n times this, and C of them what the window costs: the losses of either
   * noise, divided by how far it is moved, do not fall with it.
   *
   * @param records C, at least 1
   * @throws IllegalArgumentException if there is no record
   */
  public static Sensitivity ofOneRecord(int records) {
    Sensitivity window = addOrRemove(records);
    return new Sensitivity(
        window.word() + " by-record", PrivacyUnit.USER, List.of(new Shift(1, records)));
  }

  /**
   * Squared Euclidean distance of the counts, a release's part of it: m releases that move a noise
   * by k each move it by (m k)^2 in all, hence m k^2 is the part of each.
   */
  public double squaredL2() {
    return shifts.stream().mapToDouble(s -> s.each() * s.each() * s.releases()).sum();
  }

  /** Sum of the differences of the counts, by one release. */
  public double l1() {
    return shifts.stream().mapToDouble(Shift::each).sum();
  }

  /** Whether several releases may move one noise: then their losses do not just add up. */
  public boolean sharesNoise() {
    return shifts.stream().anyMatch(shift -> shift.releases() > 1);
  }

  /** Whether the number of records is the same in all neighbours. */
  public boolean sizeIsPublic() {
    return unit == PrivacyUnit.RECORD;
  }
}
