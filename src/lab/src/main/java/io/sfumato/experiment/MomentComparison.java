// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Delta;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.experiment.NumberRow.Metric;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Sums, means and variances of the same numbers by all methods.
 *
 * @param seeds releases of each, at least 1
 */
record MomentComparison(int seeds) {
  /** Where a method is not pure. */
  static final Delta DELTA = Delta.of("1e-6");

  static CalibrationTarget budget(double epsilon) {
    return new CalibrationTarget("numbers", Epsilons.of(epsilon), DELTA, 1);
  }

  /** Google's come first: the others are compared with them. */
  static List<NumberMethod> methods(CalibrationTarget budget) {
    return List.of(
        new GoogleNumbers(GoogleNoise.LAPLACE, budget),
        new GoogleNumbers(GoogleNoise.GAUSSIAN, budget),
        new NaiveNumbers(budget),
        new LocalNumbers(budget),
        new OurNumbers(OurNumbers.Noise.LAPLACE, 1, budget),
        new OurNumbers(OurNumbers.Noise.LAPLACE, 2, budget),
        new OurNumbers(OurNumbers.Noise.GAUSSIAN, 1, budget),
        new OurNumbers(OurNumbers.Noise.GAUSSIAN, 2, budget));
  }

  List<NumberRow> rows(Amounts amounts, double epsilon) {
    List<NumberRow> rows = new ArrayList<>();
    Map<String, Double> google = new HashMap<>();
    for (NumberMethod method : methods(budget(epsilon))) {
      Map<Statistic, Double> errors = errors(amounts, method, epsilon);
      errors.forEach(
          (statistic, error) -> {
            String ofGoogle = statistic + google(method.name());
            google.putIfAbsent(ofGoogle, error);
            rows.add(
                new NumberRow(
                    amounts,
                    statistic.toString(),
                    method.name(),
                    epsilon,
                    Map.of(
                        Metric.RMSE, error,
                        Metric.RMSE_OF_RANGE, error / statistic.scale(amounts.range()),
                        Metric.OVER_GOOGLE, error / google.get(ofGoogle))));
          });
    }
    return rows;
  }

  /** With which of Google's a method is compared: that of an equal guarantee. */
  static String google(String method) {
    return method.contains("gaussian") ? "gaussian" : "laplace";
  }

  /** Root mean square error of each statistic. */
  Map<Statistic, Double> errors(Amounts amounts, NumberMethod method, double epsilon) {
    double[] x = amounts.all();
    Map<Statistic, Double> truth = new EnumMap<>(Statistic.class);
    for (Statistic statistic : Statistic.values()) {
      truth.put(statistic, statistic.of(x));
    }
    KeyedRandom random =
        KeyedRandom.ofPublicSeed("numbers " + amounts.name() + " " + method.name() + " " + epsilon);
    Function<KeyedRandom, Map<Statistic, Double>> releases = method.of(amounts);
    Map<Statistic, Double> squares = new EnumMap<>(Statistic.class);
    int measured = method.releases(seeds);
    for (int i = 0; i < measured; i++) {
      releases
          .apply(random)
          .forEach(
              (statistic, found) -> {
                double error = found - truth.get(statistic);
                squares.merge(statistic, error * error, Double::sum);
              });
    }
    squares.replaceAll((statistic, sum) -> Math.sqrt(sum / measured));
    return squares;
  }
}
