// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.experiment.NumberRow.Metric;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/**
 * Quantiles of the same numbers by all methods.
 *
 * @param seeds releases of each, at least 1
 * @param quantiles each in (0, 1)
 */
record QuantileComparison(int seeds, List<Double> quantiles) {
  /** Google's come first: the others are compared with them. */
  static List<QuantileMethod> methods(CalibrationTarget budget) {
    return List.of(
        new GoogleQuantiles(GoogleNoise.LAPLACE, budget),
        new GoogleQuantiles(GoogleNoise.GAUSSIAN, budget),
        new NaiveQuantiles(budget),
        new LocalQuantiles(budget),
        new OurQuantiles(budget));
  }

  List<NumberRow> rows(Amounts amounts, double epsilon) {
    List<NumberRow> rows = new ArrayList<>();
    Map<String, Double> google = new HashMap<>();
    for (QuantileMethod method : methods(MomentComparison.budget(epsilon))) {
      double[][] errors = errors(amounts, method, epsilon);
      for (int i = 0; i < errors.length; i++) {
        String name = name(quantiles.get(i));
        String ofGoogle = name + MomentComparison.google(method.name());
        google.putIfAbsent(ofGoogle, errors[i][1]);
        Map<Metric, Double> found = new EnumMap<>(Metric.class);
        found.put(Metric.RMSE, errors[i][0]);
        found.put(Metric.RMSE_OF_RANGE, errors[i][0] / amounts.range().width());
        found.put(Metric.RANK_ERROR, errors[i][1]);
        if (google.get(ofGoogle) > 0) {
          found.put(Metric.OVER_GOOGLE, errors[i][1] / google.get(ofGoogle));
        }
        rows.add(new NumberRow(amounts, name, method.name(), epsilon, found));
      }
    }
    return rows;
  }

  static String name(double q) {
    return String.format(Locale.ROOT, "quantile %.2f", q);
  }

  /** By quantile: root mean square errors of the value and of its rank. */
  double[][] errors(Amounts amounts, QuantileMethod method, double epsilon) {
    double[] sorted = amounts.sorted();
    Ranks ranks = Ranks.of(amounts);
    KeyedRandom random =
        KeyedRandom.ofPublicSeed(
            "quantiles " + amounts.name() + " " + method.name() + " " + epsilon);
    Function<KeyedRandom, DoubleUnaryOperator> releases = method.of(amounts);
    double[][] squares = new double[quantiles.size()][2];
    int measured = method.releases(seeds);
    for (int release = 0; release < measured; release++) {
      DoubleUnaryOperator found = releases.apply(random);
      for (int i = 0; i < squares.length; i++) {
        double q = quantiles.get(i);
        double value = found.applyAsDouble(q);
        double error = value - truth(sorted, q);
        double rank = ranks.error(q, value);
        squares[i][0] += error * error / measured;
        squares[i][1] += rank * rank / measured;
      }
    }
    for (double[] each : squares) {
      each[0] = Math.sqrt(each[0]);
      each[1] = Math.sqrt(each[1]);
    }
    return squares;
  }

  /** The least number that at least the part q of all do not exceed. */
  static double truth(double[] sorted, double q) {
    return sorted[(int) Math.max(0, Math.ceil(q * sorted.length) - 1)];
  }

  /**
   * By how many records a quantile's place is missed, as far as bins tell: equal numbers, and those
   * of one bin, have all ranks between them.
   *
   * @param upTo records in a bin and below
   */
  record Ranks(Bins bins, long[] upTo) {
    static Ranks of(Amounts amounts) {
      Bins bins = OurQuantiles.bins(amounts.range());
      long[] upTo = OurQuantiles.counts(amounts, bins);
      for (int v = 1; v < upTo.length; v++) {
        upTo[v] += upTo[v - 1];
      }
      return new Ranks(bins, upTo);
    }

    double error(double q, double value) {
      int bin = bins.of(value);
      double wanted = q * upTo[upTo.length - 1];
      double below = bin == 0 ? 0 : upTo[bin - 1];
      return Math.max(0, Math.max(below - wanted, wanted - upTo[bin]));
    }
  }
}
