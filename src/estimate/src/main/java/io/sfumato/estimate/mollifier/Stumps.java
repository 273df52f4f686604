// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.mechanism.mollifier.WeightedPoints;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Decision stumps: one question about one number, or about the category. The answer's score is the
 * log-ratio of the two weights on its side.
 *
 * @param reference that says how many numbers and categories there are
 */
public record Stumps(Reference reference) implements WeakLearner {
  /** Added to each side's weights, so that an empty one has no infinite ratio. */
  private static final double SMOOTHING = 0.01;

  private record Side(double p, double q) {
    double score() {
      return StrictMath.log((p + SMOOTHING) / (q + SMOOTHING));
    }

    /** Contribution to the symmetric divergence of the two samples. */
    double gain() {
      return (p - q) * score();
    }
  }

  private record Split(int dimension, double threshold, Side below, Side above) {
    double gain() {
      return below.gain() + above.gain();
    }
  }

  @Override
  public String text() {
    return "stumps";
  }

  @Override
  public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
    Split best = new Split(-1, 0, new Side(0, 0), new Side(0, 0));
    for (int d = 0; d < reference.dimensions(); d++) {
      Split found = split(d, dataset, current);
      best = found.gain() > best.gain() ? found : best;
    }
    double[] byCategory = new double[reference.categories()];
    double gain = categories(dataset, current, byCategory);
    if (gain > best.gain()) {
      return x -> byCategory[x.category()];
    }
    Split chosen = best;
    if (chosen.dimension() < 0) {
      return x -> 0;
    }
    return x ->
        (x.numbers()[chosen.dimension()] < chosen.threshold() ? chosen.below() : chosen.above())
            .score();
  }

  private static double categories(
      WeightedPoints dataset, WeightedPoints current, double[] scores) {
    double[] p = weights(dataset, scores.length);
    double[] q = weights(current, scores.length);
    double gain = 0;
    for (int c = 0; c < scores.length; c++) {
      Side side = new Side(p[c], q[c]);
      scores[c] = side.score();
      gain += side.gain();
    }
    return gain;
  }

  private static double[] weights(WeightedPoints sample, int categories) {
    double[] weights = new double[categories];
    for (int i = 0; i < sample.size() && categories > 0; i++) {
      weights[sample.points().get(i).category()] += sample.weights()[i];
    }
    return weights;
  }

  /** The best threshold of one number, halfway between neighbours. */
  private static Split split(int dimension, WeightedPoints dataset, WeightedPoints current) {
    int n = dataset.size() + current.size();
    double[] values = new double[n];
    Arrays.setAll(
        values,
        i ->
            (i < dataset.size()
                    ? dataset.points().get(i)
                    : current.points().get(i - dataset.size()))
                .numbers()[dimension]);
    int[] order =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> values[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    double p = 0;
    double q = 0;
    Split best = new Split(-1, 0, new Side(0, 0), new Side(0, 0));
    for (int k = 0; k + 1 < n; k++) {
      int i = order[k];
      if (i < dataset.size()) {
        p += dataset.weights()[i];
      } else {
        q += current.weights()[i - dataset.size()];
      }
      double here = values[i];
      double next = values[order[k + 1]];
      if (here < next) {
        Split split =
            new Split(dimension, here + (next - here) / 2, new Side(p, q), new Side(1 - p, 1 - q));
        best = split.gain() > best.gain() ? split : best;
      }
    }
    return best;
  }
}
