// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.HistogramAccuracy;
import io.sfumato.experiment.EventStream.Window;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.stream.IntStream;

/** A way to publish the category shares of one window. */
interface SharesMethod {
  /**
   * Shares and half the widths of their 95% intervals.
   *
   * @param shares add up to 1, all above 0
   * @param halfWidths one a share
   * @param counted what counted: the truth as far as a method may see it
   */
  record Released(double[] shares, double[] halfWidths, long[] counted) {}

  /** Of one window: of a method that learns from what it released, windows come in order. */
  Released release(Window window, KeyedRandom random);

  /** As it is before the first window. */
  default SharesMethod anew() {
    return this;
  }

  /** By a mechanism on the counts, which says how wide its error bars are. */
  record Counted(HistogramMechanism mechanism, Bounding bounding, int categories, long planSize)
      implements SharesMethod {
    @Override
    public Released release(Window window, KeyedRandom random) {
      Histogram counted = new Histogram(bounding.of(window, random).counts(categories));
      Distribution drawn = (Distribution) mechanism.distribution(counted).draw(random);
      double[] shares = IntStream.range(0, categories).mapToDouble(drawn::share).toArray();
      long known = bounding.sizeIsPublic() ? counted.size() : drawn.size().orElse(planSize);
      return new Released(
          shares,
          Arrays.stream(shares)
              .map(y -> HistogramAccuracy.of(mechanism).halfWidth(y, known, categories))
              .toArray(),
          counted.counts());
    }
  }

  /**
   * Randomised response of every event at its user's device (Warner 1965): told truly with
   * probability e^eps / (e^eps + d - 1), else as one of the other categories. Estimated without
   * bias, then floored and normalised like noisy counts.
   *
   * @param epsilon of one event
   */
  record RandomisedResponse(double epsilon, Bounding bounding, int categories)
      implements SharesMethod {
    @Override
    public Released release(Window window, KeyedRandom random) {
      long[] told = new long[categories];
      double truth = Math.exp(epsilon) / (Math.exp(epsilon) + categories - 1);
      double lie = (1 - truth) / (categories - 1);
      long all = 0;
      Window counted = bounding.of(window, random);
      for (int[] events : counted.byUser()) {
        for (int category : events) {
          told[answer(category, truth, random)]++;
          all++;
        }
      }
      double[] estimates = new double[categories];
      double[] halfWidths = new double[categories];
      double deviation = Math.sqrt(lie * (1 - lie) / all) / (truth - lie);
      for (int i = 0; i < categories; i++) {
        double share = told[i] / (double) all;
        estimates[i] = Math.max((share - lie) / (truth - lie), deviation / 2);
        halfWidths[i] = 1.96 * Math.sqrt(share * (1 - share) / all) / (truth - lie);
      }
      double sum = Arrays.stream(estimates).sum();
      return new Released(
          Arrays.stream(estimates).map(e -> e / sum).toArray(),
          halfWidths,
          counted.counts(categories));
    }

    private int answer(int category, double truth, KeyedRandom random) {
      if (random.nextOpenDouble() < truth) {
        return category;
      }
      int other = (int) (random.nextOpenDouble() * (categories - 1));
      return other < category ? other : other + 1;
    }
  }
}
