package io.sfumato.mechanism;

import io.sfumato.accounting.PrivacyUnit;

/**
 * How far neighbouring datasets lie apart, as seen by noise on counts. Immutable.
 *
 * @param word names it in a charge, with a space before; empty for one replaced record
 * @param unit what is protected
 * @param squaredL2 largest squared Euclidean distance of the counts
 * @param l1 largest sum of the differences
 */
public record Sensitivity(String word, PrivacyUnit unit, double squaredL2, double l1) {
  public Sensitivity {
    if (!(squaredL2 > 0) || !(l1 > 0)) {
      throw new IllegalArgumentException(
          "sensitivities are above 0, were " + squaredL2 + " and " + l1);
    }
  }

  /** One record is replaced: one count falls by 1, another rises by 1. */
  public static Sensitivity replaceOne() {
    return new Sensitivity("", PrivacyUnit.RECORD, 2, 2);
  }

  /**
   * A user's records of one window are added or removed, at most so many over all subjects. Worst
   * is that all lie in one category of one subject, since squares add up to no more than the square
   * of the sum.
   *
   * @param records C, at least 1
   */
  public static Sensitivity addOrRemove(int records) {
    if (records < 1) {
      throw new IllegalArgumentException("a user contributes at least 1 record, was " + records);
    }
    return new Sensitivity(
        " add-or-remove-" + records, PrivacyUnit.USER, (double) records * records, records);
  }

  /** Whether the number of records is the same in all neighbours. */
  public boolean sizeIsPublic() {
    return unit == PrivacyUnit.RECORD;
  }
}
