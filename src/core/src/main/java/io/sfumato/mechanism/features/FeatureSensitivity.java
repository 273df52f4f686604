// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import io.sfumato.accounting.PrivacyUnit;

/**
 * How far neighbouring datasets' {@link RoundedSums} lie apart (Theorem H of docs/privacy.md).
 *
 * @param word names the neighbours in a charge
 * @param unit what is protected
 * @param features m, number of sums, at least 1
 * @param recordSteps a record's part of the coordinate that counts records, in steps; 0 where N is
 *     public
 * @param steps largest Euclidean distance, over all subjects of a window, in steps of 2^-16
 */
public record FeatureSensitivity(
    String word, PrivacyUnit unit, int features, long recordSteps, double steps) {
  /** Covers the roundings of features, whose norm may be above 1 by some 1e-16, and of roots. */
  private static final double UP = 1 + 0x1.0p-40;

  public FeatureSensitivity {
    if (features < 1 || recordSteps < 0 || !(steps > 0) || steps == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "a sensitivity is of at least 1 feature and above 0, was " + features + ", " + steps);
    }
  }

  /**
   * One record's numbers are replaced: two unit vectors apart, and what rounding adds.
   *
   * @param features m, at least 1
   */
  public static FeatureSensitivity replaceOne(int features) {
    double moved = 2.0 * RoundedSums.STEPS + Math.sqrt(features);
    return new FeatureSensitivity("replace-one", PrivacyUnit.RECORD, features, 0, moved * UP);
  }

  /**
   * Up to C records of a user, in up to S subjects, are added or removed. Their number is protected
   * as well, so it is one more coordinate, of the weight that makes the total noise least: with a
   * record's part {@code k} of it in units of its features' norm, noise in proportion to sqrt(1 +
   * k^2) falls on m sums, and on N, which scales means of norm at most 1, 1/k times; hence k =
   * m^(-1/4).
   *
   * @param features m, at least 1
   * @param records C, at least 1, over all subjects of a window
   * @param subjects S, at least 1, with rounded sums of their own
   */
  public static FeatureSensitivity addOrRemove(int features, int records, int subjects) {
    if (records < 1 || subjects < 1) {
      throw new IllegalArgumentException(
          "a user contributes at least 1 record to 1 subject, was " + records + ", " + subjects);
    }
    long recordSteps = Math.round(RoundedSums.STEPS / Math.sqrt(Math.sqrt(features)));
    double ofRecord =
        Math.sqrt(
            (double) RoundedSums.STEPS * RoundedSums.STEPS + (double) recordSteps * recordSteps);
    double moved = records * ofRecord + Math.sqrt((double) features * Math.min(records, subjects));
    return new FeatureSensitivity(
        "add-or-remove-" + records + "-of-" + Math.min(records, subjects),
        PrivacyUnit.USER,
        features,
        recordSteps,
        moved * UP);
  }

  /** Whether the number of records is the same in all neighbours. */
  public boolean sizeIsPublic() {
    return recordSteps == 0;
  }
}
