// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;

/**
 * What a share must afford.
 *
 * @param name of the output
 * @param epsilon of the share
 * @param delta of the share, above 0
 * @param horizon number of releases that must fit, at least 1
 */
public record CalibrationTarget(String name, Epsilon epsilon, Delta delta, long horizon) {
  /**
   * @throws IllegalArgumentException if the horizon is below 1, or delta is 0
   */
  public CalibrationTarget {
    if (horizon < 1) {
      throw new IllegalArgumentException("a horizon is at least 1 release, was " + horizon);
    }
    if (delta.value().signum() == 0) {
      throw new IllegalArgumentException("delta must be above 0 and below 1");
    }
  }
}
