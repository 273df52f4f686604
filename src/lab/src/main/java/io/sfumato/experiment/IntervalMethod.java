// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.random.KeyedRandom;
import java.util.function.Function;

/**
 * A 95% interval of one statistic of the same numbers, release by release.
 *
 * @param statistic its name
 * @param truth what an interval should hold
 * @param scale to which widths are relative
 * @param method its name
 * @param releases both ends of each
 */
record IntervalMethod(
    String statistic,
    double truth,
    double scale,
    String method,
    Function<KeyedRandom, double[]> releases) {
  /** Of a mean or a variance. */
  static IntervalMethod of(
      Statistic statistic,
      Amounts amounts,
      String method,
      Function<KeyedRandom, double[]> releases) {
    return new IntervalMethod(
        statistic.toString(),
        statistic.of(amounts.all()),
        statistic.scale(amounts.range()),
        method,
        releases);
  }
}
