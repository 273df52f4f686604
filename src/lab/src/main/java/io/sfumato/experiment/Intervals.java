// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Estimate;
import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.estimate.quantile.QuantileEstimate;
import io.sfumato.mechanism.moments.BernsteinParts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The intervals whose coverage is compared. */
final class Intervals {
  /** The 97.5% quantile of the standard normal law. */
  private static final double DEVIATIONS = 1.959963984540054;

  private static final double ALPHA = 0.05;
  private static final double MEDIAN = 0.5;

  private Intervals() {}

  /** Of means and variances. */
  static List<IntervalMethod> ofMoments(Amounts amounts, CalibrationTarget budget) {
    List<IntervalMethod> all = new ArrayList<>();
    all.add(google(amounts, budget));
    for (OurNumbers.Noise noise : OurNumbers.Noise.values()) {
      all.add(mean(amounts, new OurNumbers(noise, 1, budget)));
      all.add(mean(amounts, new OurNumbers(noise, 2, budget)));
      all.add(variance(amounts, new OurNumbers(noise, 2, budget)));
    }
    all.add(deviations(amounts, new OurNumbers(OurNumbers.Noise.LAPLACE, 1, budget)));
    return all;
  }

  private static IntervalMethod mean(Amounts amounts, OurNumbers ours) {
    OurNumbers.Releases releases = ours.releases(amounts);
    return IntervalMethod.of(
        Statistic.MEAN,
        amounts,
        ours.name(),
        random -> ends(releases.estimates(releases.draw(random)).mean()));
  }

  private static IntervalMethod variance(Amounts amounts, OurNumbers ours) {
    OurNumbers.Releases releases = ours.releases(amounts);
    return IntervalMethod.of(
        Statistic.VARIANCE,
        amounts,
        ours.name(),
        random -> ends(releases.estimates(releases.draw(random)).variance().orElseThrow()));
  }

  private static double[] ends(Estimate found) {
    return new double[] {found.low(), found.high()};
  }

  private static IntervalMethod google(Amounts amounts, CalibrationTarget budget) {
    AmountRange range = amounts.range();
    double[] x = amounts.all();
    double distances = Arrays.stream(x).map(each -> each - range.middle()).sum();
    GoogleMean mean =
        GoogleMean.of(
            GoogleNoise.LAPLACE, range, amounts.most(), budget.epsilon().roundedDown(), 0);
    return IntervalMethod.of(
        Statistic.MEAN,
        amounts,
        new GoogleNumbers(GoogleNoise.LAPLACE, budget).name(),
        random -> mean.draw(distances, x.length, random).interval(ALPHA));
  }

  /** Our interval as if the noise were normal: 1.96 of its deviations. */
  private static IntervalMethod deviations(Amounts amounts, OurNumbers ours) {
    OurNumbers.Releases releases = ours.releases(amounts);
    double reach = DEVIATIONS * releases.mechanism().noise().deviation() / BernsteinParts.STEPS;
    AmountRange range = amounts.range();
    return IntervalMethod.of(
        Statistic.MEAN,
        amounts,
        "1.96 deviations",
        random -> {
          double[] t = normal(releases.draw(random), reach);
          return new double[] {
            range.low() + range.width() * t[0], range.low() + range.width() * t[1]
          };
        });
  }

  /** Fieller: all t in [0, 1] with (s - n t)^2 <= reach^2 (t^2 + (1 - t)^2). */
  private static double[] normal(NoisyMoments drawn, double reach) {
    double s = drawn.of(0, 0, 1) / (double) BernsteinParts.STEPS;
    double n = s + drawn.of(0, 0, 0) / (double) BernsteinParts.STEPS;
    double r = reach * reach;
    double a = n * n - 2 * r;
    double b = s * n - r;
    double root = b * b - a * (s * s - r);
    if (n <= 0 || a <= 0 || root < 0) {
      return new double[] {0, 1};
    }
    double low = (b - Math.sqrt(root)) / a;
    double high = (b + Math.sqrt(root)) / a;
    return new double[] {Math.max(0, Math.min(1, low)), Math.max(0, Math.min(1, high))};
  }

  /** Of the median. */
  static IntervalMethod ofQuantile(Amounts amounts, CalibrationTarget budget) {
    OurQuantiles ours = new OurQuantiles(budget);
    OurQuantiles.Releases releases = ours.releases(amounts);
    return new IntervalMethod(
        QuantileComparison.name(MEDIAN),
        QuantileComparison.truth(amounts.sorted(), MEDIAN),
        amounts.range().width(),
        ours.name(),
        random -> {
          QuantileEstimate found =
              releases.estimates().of(releases.distribution().draw(random), MEDIAN)[0];
          return new double[] {found.low(), found.high()};
        });
  }
}
