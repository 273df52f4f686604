// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.estimate.mollifier.KernelBandwidth.Radii;
import io.sfumato.mechanism.mollifier.NumericReference;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.RatioEstimator;
import io.sfumato.mechanism.mollifier.Reference;
import java.util.Arrays;
import java.util.List;

/**
 * A kernel density estimate over the reference. The kernel is the spherical triweight, (1 - r^2)^3
 * on a ball: polynomial, so that all machines agree, and 0 beyond its radius. Of items with a
 * category, a record counts fully for its own and a little for every other, as one record more of
 * every category would. Points that no kernel reaches come after all others, the nearest to a
 * record first: where few points have a score, they get what is left.
 */
public final class KernelRatio implements RatioEstimator {
  /** So little that no point beyond the kernels comes before one within. */
  private static final double NEXT = 0x1.0p-200;

  private final Reference reference;
  private final double[][] at;
  private final int[] category;
  private final double[] logReference;

  /** Scores are those of the pool's points; the reference has numbers. */
  public KernelRatio(Reference reference, List<Point> pool) {
    NumericReference numbers = reference.numbers().orElseThrow();
    this.reference = reference;
    this.at = pool.stream().map(Point::numbers).toArray(double[][]::new);
    this.category = pool.stream().mapToInt(Point::category).toArray();
    this.logReference = Arrays.stream(at).mapToDouble(numbers::logDensity).toArray();
  }

  /** Its number stands for every constant of the estimate: another one is another law. */
  @Override
  public String text() {
    return "kernel 1";
  }

  @Override
  public double[] scores(List<Point> dataset) {
    KernelSample sample = KernelSample.of(reference, dataset);
    Radii radii = KernelBandwidth.of(sample);
    double[] scores = new double[at.length];
    Arrays.setAll(scores, i -> sample.ratio(at[i], category[i], logReference[i], radii));
    double most = Arrays.stream(scores).max().orElseThrow();
    double next = most > 0 ? most * NEXT : 1;
    for (int i = 0; i < scores.length; i++) {
      scores[i] = scores[i] > 0 ? scores[i] : next * sample.nearness(at[i], category[i], radii);
    }
    return scores;
  }
}
