// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import io.sfumato.mechanism.additive.AdditiveNoise;
import java.util.ArrayList;
import java.util.List;

/** From a window's noisy counts and a subject's past to counts with their errors. All public. */
public final class LearningCounts {
  /** Deviations of a noisy count above which no count is looked for. */
  private static final double FAR = 9;

  /** Estimates are multiples of 1 over it: a thousandth of a record. */
  private static final double STEPS = 1 << 10;

  private final AdditiveNoise noise;
  private final HistoryEstimator estimator;

  /**
   * @param noise on every count
   */
  public LearningCounts(AdditiveNoise noise) {
    this.noise = noise;
    this.estimator = new HistoryEstimator(noise);
  }

  /**
   * What was made of a window.
   *
   * @param counts at least 0, one a group
   * @param errors half the widths of the intervals around them
   * @param learned number of earlier releases that went into them
   * @param past for the next window
   */
  public record Made(List<Double> counts, List<Double> errors, int learned, ReleaseHistory past) {
    public Made {
      counts = List.copyOf(counts);
      errors = List.copyOf(errors);
    }
  }

  /**
   * One window's.
   *
   * @param window its number, counted from anywhere
   * @param noisy counts, maybe below 0
   */
  public Made made(ReleaseHistory past, long window, long[] noisy) {
    ReleaseHistory before = past.at(window);
    double deviation = noise.continuousDeviation();
    long far = (long) Math.ceil(FAR * deviation);
    long[] most = new long[noisy.length];
    double[] plain = new double[noisy.length];
    for (int i = 0; i < noisy.length; i++) {
      plain[i] = Math.max(0, noisy[i]);
      most[i] = Math.max(0, noisy[i]) + far;
    }
    HistoryEstimator.Belief belief =
        estimator.belief(
            before, noisy, (model, i) -> model.ofCount(before, i, deviation), most, plain);
    double[] published = new double[noisy.length];
    List<Double> counts = new ArrayList<>();
    List<Double> errors = new ArrayList<>();
    double half = noise.halfWidth(1);
    for (int i = 0; i < noisy.length; i++) {
      double mean = before.releases() == 0 ? plain[i] : belief.counts()[i].mean();
      published[i] = Math.rint(mean * STEPS) / STEPS;
      counts.add(published[i]);
      // To the farther end of the noisy count's own interval: it holds whatever was before. Of a
      // count below 0 the interval reaches as far above 0 as its noise does: never a point.
      double low = Math.max(0, noisy[i] - half);
      double high = plain[i] + half;
      errors.add(Math.max(published[i] - low, high - published[i]));
    }
    return new Made(counts, errors, before.releases(), before.plus(published, belief.seen()));
  }
}
