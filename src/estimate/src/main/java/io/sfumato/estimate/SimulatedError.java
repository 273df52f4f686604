// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;

/** What a mechanism does to the public planning histogram, by simulation with a public seed. */
public final class SimulatedError {
  private static final int DRAWS = 1000;

  private SimulatedError() {}

  /** Mean KL(p || y) in nats over {@value #DRAWS} draws, p the rounded planning histogram. */
  public static double expectedKl(HistogramMechanism mechanism, PlanningModel model) {
    Histogram plan = model.histogram();
    KeyedRandom random = KeyedRandom.ofPublicSeed("expected KL");
    double sum = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      sum += kl(plan, (Distribution) mechanism.distribution(plan).draw(random));
    }
    return sum / DRAWS;
  }

  /** KL(f/N || y) in nats. */
  public static double kl(Histogram histogram, Distribution released) {
    double kl = 0;
    for (int i = 0; i < histogram.categories(); i++) {
      if (histogram.count(i) > 0) {
        double p = histogram.count(i) / (double) histogram.size();
        kl += p * StrictMath.log(p / released.share(i));
      }
    }
    return kl;
  }

  /** For each category of the plan the middle 95% of its released shares: lowest, highest. */
  public static double[][] intervals(HistogramMechanism mechanism, PlanningModel model) {
    Histogram plan = model.histogram();
    KeyedRandom random = KeyedRandom.ofPublicSeed("error bars");
    double[][] shares = new double[plan.categories()][DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      HistogramRelease released = mechanism.distribution(plan).draw(random);
      for (int i = 0; i < plan.categories(); i++) {
        shares[i][draw] = shareOf(released, i);
      }
    }
    double[][] intervals = new double[plan.categories()][];
    for (int i = 0; i < intervals.length; i++) {
      Arrays.sort(shares[i]);
      intervals[i] =
          new double[] {shares[i][DRAWS * 25 / 1000], shares[i][DRAWS - 1 - DRAWS * 25 / 1000]};
    }
    return intervals;
  }

  private static double shareOf(HistogramRelease released, int category) {
    if (released instanceof ItemCounts items) {
      return items.count(category) / (double) items.size();
    }
    return ((Distribution) released).share(category);
  }
}
