// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.mollifier.NumericReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where a reference of numbers lies beyond what records can have, or finer than they are told. */
final class ReferenceWarnings {
  /** Steps of a number in a deviation: with fewer, items show the steps and not the density. */
  private static final double FEWEST_STEPS = 0x1.0p20;

  private ReferenceWarnings() {}

  /**
   * Whole sentences, none for a reference as it should be.
   *
   * @param values names of the numbers
   */
  static List<String> of(NumericReference reference, List<String> values) {
    List<String> warnings = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      double reach = reference.reach()[i];
      double steps = reference.scale()[i] / Math.ulp(reach);
      if (reach > RandomFeatures.LARGEST_INPUT) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "the reference of '%s' reaches %.3g, and records beyond 1e12 are dead letters: give"
                    + " records and reference in a larger unit",
                values.get(i),
                reach));
      } else if (steps < FEWEST_STEPS) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "the reference of '%s' is so narrow for numbers around %.3g that they have %.3g steps"
                    + " in a deviation: subtract a public number from records and reference",
                values.get(i),
                reach,
                steps));
      }
    }
    return warnings;
  }
}
