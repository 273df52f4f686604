// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What (epsilon, delta) means for whoever looks at outputs.
 *
 * @param factor e^epsilon: by how much odds may move, apart from what delta allows
 * @param beliefs how sure somebody may become
 * @param tests how often a rule that looks for one person's data may be right
 */
public record Odds(double factor, List<Belief> beliefs, List<Test> tests) {
  private static final double[] BEFORE = {0.001, 0.01, 0.1, 0.5};
  private static final double[] FALSE_ALARMS = {0.01, 0.05};

  /**
   * Of somebody who holds something for true with a probability, before and after: Bayes' rule,
   * with a likelihood ratio between e^-epsilon and e^epsilon.
   */
  public record Belief(double before, double afterAtLeast, double afterAtMost) {}

  /**
   * A rule that says from all outputs whether one thing is in the data, by how often it says so of
   * data without it, and how often at most of data with it (Wasserman, Zhou 2010).
   */
  public record Test(double falseAlarms, double hitsAtMost) {}

  /**
   * How often a guess of what had an even chance is right at most, delta included: one half and
   * half of the largest total variation (Kairouz, Oh, Viswanath 2015), (e^epsilon + delta) /
   * (e^epsilon + 1).
   *
   * @param delta at least 0; from 1 on every guess may be right
   */
  static double rightFromEven(double epsilon, double delta) {
    double wrong = StrictMath.exp(-epsilon) * (1 - delta) / (1 + StrictMath.exp(-epsilon));
    return 1 - Math.max(0, wrong);
  }

  /** Of a guarantee. */
  static Odds of(Epsilon epsilon, Delta delta) {
    double factor = StrictMath.exp(epsilon.value().doubleValue());
    double slack = delta.value().doubleValue();
    return new Odds(
        factor,
        DoubleStream.of(BEFORE)
            .mapToObj(
                before ->
                    new Belief(
                        before,
                        before / (before + (1 - before) * factor),
                        before * factor / (before * factor + (1 - before))))
            .toList(),
        DoubleStream.of(FALSE_ALARMS)
            .mapToObj(
                alarms ->
                    new Test(
                        alarms,
                        Math.min(factor * alarms + slack, 1 - (1 - slack - alarms) / factor)))
            .toList());
  }
}
