// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.distribution.MultivariateNormalDistribution;
import org.apache.commons.math3.distribution.fitting.MultivariateNormalMixtureExpectationMaximization;
import org.apache.commons.math3.exception.ConvergenceException;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.util.Pair;

/**
 * A reference from a PUBLIC sample, offline: a mixture of Gaussians by expectation maximisation.
 */
public final class ReferenceFit {
  /** A reference must leave room: deviations are not below this part of the whole sample's. */
  private static final double NARROWEST = 0.01;

  private ReferenceFit() {}

  /**
   * Fits.
   *
   * @param rows PUBLIC; more than ten for each component
   * @param components at least 1
   * @throws IllegalArgumentException if the sample is too small, constant or not finite, or does
   *     not have so many components
   */
  public static Gaussians gaussians(double[][] rows, int components) {
    if (components < 1 || rows.length <= 10L * components) {
      throw new IllegalArgumentException(
          "a mixture of %d components needs more than %d rows of public data, found %d"
              .formatted(components, 10 * Math.max(1, components), rows.length));
    }
    int d = rows[0].length;
    double[] mean = new double[d];
    double[] deviation = new double[d];
    for (int i = 0; i < d; i++) {
      int column = i;
      double[] values = Arrays.stream(rows).mapToDouble(row -> row[column]).toArray();
      if (!Arrays.stream(values).allMatch(Double::isFinite)) {
        throw new IllegalArgumentException("column " + (i + 1) + " holds what is not finite");
      }
      mean[i] = Arrays.stream(values).average().orElseThrow();
      double centre = mean[i];
      deviation[i] =
          Math.sqrt(
              Arrays.stream(values).map(v -> (v - centre) * (v - centre)).sum()
                  / (rows.length - 1));
      if (!(deviation[i] > 0)) {
        throw new IllegalArgumentException("column " + (i + 1) + " is constant");
      }
    }
    return components == 1 ? Gaussians.of(mean, deviation) : mixture(rows, components, deviation);
  }

  private static Gaussians mixture(double[][] rows, int components, double[] whole) {
    List<Component> fitted = new ArrayList<>();
    try {
      var em = new MultivariateNormalMixtureExpectationMaximization(rows);
      em.fit(MultivariateNormalMixtureExpectationMaximization.estimate(rows, components));
      for (Pair<Double, MultivariateNormalDistribution> part :
          em.getFittedModel().getComponents()) {
        double[] deviation = part.getSecond().getStandardDeviations();
        Arrays.setAll(deviation, i -> Math.max(NARROWEST * whole[i], deviation[i]));
        fitted.add(new Component(part.getFirst(), part.getSecond().getMeans(), deviation));
      }
    } catch (MathIllegalArgumentException | ConvergenceException e) {
      throw new IllegalArgumentException(
          "the sample does not have " + components + " components; ask for fewer", e);
    }
    return new Gaussians(fitted);
  }
}
