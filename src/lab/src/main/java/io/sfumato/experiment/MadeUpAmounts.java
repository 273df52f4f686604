// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.random.KeyedRandom;
import java.util.stream.DoubleStream;
import org.apache.commons.math3.distribution.LogNormalDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.distribution.ParetoDistribution;
import org.apache.commons.math3.distribution.RealDistribution;
import org.apache.commons.math3.distribution.UniformRealDistribution;
import org.apache.commons.math3.random.RandomGenerator;

/** Public numbers of made-up users, one each; ranges were fixed before any was drawn. */
enum MadeUpAmounts {
  UNIFORM("uniform", new UniformRealDistribution((RandomGenerator) null, 0, 100), 0, 100),
  NORMAL("normal", new NormalDistribution((RandomGenerator) null, 50, 10), 0, 100),
  /** Half of them are above 20, one in 1,600 beyond the range. */
  LOG_NORMAL(
      "log-normal", new LogNormalDistribution((RandomGenerator) null, Math.log(20), 1), 0, 500),
  /** Pareto's law of index 1.2, whose variance is infinite: one in 4,000 is beyond the range. */
  HEAVY("heavy tail", new ParetoDistribution((RandomGenerator) null, 1, 1.2), 0, 1000);

  private final String title;
  private final RealDistribution law;
  private final AmountRange range;

  MadeUpAmounts(String title, RealDistribution law, double low, double high) {
    this.title = title;
    this.law = law;
    this.range = new AmountRange("units", low, high);
  }

  /** The same numbers each time. */
  Amounts of(int users) {
    KeyedRandom random = KeyedRandom.ofPublicSeed("amounts " + title + " " + users);
    double[] numbers =
        DoubleStream.generate(() -> law.inverseCumulativeProbability(random.nextOpenDouble()))
            .limit(users)
            .toArray();
    return Amounts.oneEach(title + ", " + users, range, numbers);
  }
}
