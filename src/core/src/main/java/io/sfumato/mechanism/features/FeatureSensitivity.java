// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.additive.GridSensitivity;

/**
 * How far neighbours move a {@link FeatureQuery}, over all subjects of a window: Theorem H of
 * docs/theory/feature-sums.md, in steps of 2^-16.
 */
public final class FeatureSensitivity {
  /** Covers the roundings of features, whose norm may be above 1 by some 1e-16, and of roots. */
  private static final double UP = 1 + 0x1.0p-40;

  private FeatureSensitivity() {}

  /**
   * One record's numbers are replaced: two unit vectors apart, and what rounding adds.
   *
   * @param features m, at least 1
   */
  public static GridSensitivity replaceOne(int features) {
    FeatureQuery query = FeatureQuery.ofPublicSize(features);
    double moved = 2.0 * FeatureQuery.STEPS + Math.sqrt(features);
    return of(query, "replace-one", PrivacyUnit.RECORD, features, moved * UP);
  }

  /**
   * Up to C records of a user, in up to S subjects, are added or removed. Their number is protected
   * as well.
   *
   * @param features m, at least 1
   * @param records C, at least 1, over all subjects of a window
   * @param subjects S, at least 1, with rounded sums of their own
   * @throws IllegalArgumentException if there is no record or no subject
   */
  public static GridSensitivity addOrRemove(int features, int records, int subjects) {
    if (records < 1 || subjects < 1) {
      throw new IllegalArgumentException(
          "a user contributes at least 1 record to 1 subject, was " + records + ", " + subjects);
    }
    FeatureQuery query = FeatureQuery.ofPrivateSize(features);
    long recordSteps = query.recordSteps();
    double ofRecord =
        Math.sqrt(
            (double) FeatureQuery.STEPS * FeatureQuery.STEPS + (double) recordSteps * recordSteps);
    int in = Math.min(records, subjects);
    double moved = records * ofRecord + Math.sqrt((double) features * in);
    return of(
        query,
        "add-or-remove-" + records + "-of-" + in,
        PrivacyUnit.USER,
        (features + 1.0) * in,
        moved * UP);
  }

  /**
   * @param coordinates n that are moved: by at most sqrt(n) times as much in L1 as in L2
   */
  private static GridSensitivity of(
      FeatureQuery query, String word, PrivacyUnit unit, double coordinates, double l2) {
    return new GridSensitivity(
        "features " + word + " m=" + query.features(),
        unit,
        1,
        (long) Math.min(GridSensitivity.LARGEST, Math.ceil(l2 * Math.sqrt(coordinates) * UP)),
        l2);
  }
}
