// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.moments.MomentEstimates;
import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.random.KeyedRandom;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What this project publishes of numbers: all statistics from one draw, and so from one budget.
 *
 * @param degree 1 for sums and means, 2 for variances too
 * @param budget of the draw; Laplace noise leaves delta alone
 */
record OurNumbers(Noise noise, int degree, CalibrationTarget budget) implements NumberMethod {
  /** Which noise is planned. */
  enum Noise {
    LAPLACE {
      @Override
      Optional<Calibrated<GridMeasurement<MomentQuery>>> plan(
          CalibrationTarget budget, MomentSensitivity way) {
        return VectorCalibrator.laplace(budget, new MomentQuery(way), way.moved());
      }
    },
    GAUSSIAN {
      @Override
      Optional<Calibrated<GridMeasurement<MomentQuery>>> plan(
          CalibrationTarget budget, MomentSensitivity way) {
        return VectorCalibrator.gaussian(budget, new MomentQuery(way), way.moved());
      }
    };

    abstract Optional<Calibrated<GridMeasurement<MomentQuery>>> plan(
        CalibrationTarget budget, MomentSensitivity way);
  }

  @Override
  public String name() {
    return "ours " + degree + ", " + noise.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Function<KeyedRandom, Map<Statistic, Double>> of(Amounts amounts) {
    Releases releases = releases(amounts);
    return random -> statistics(releases.estimates(releases.draw(random)));
  }

  private static Map<Statistic, Double> statistics(MomentEstimates estimates) {
    Map<Statistic, Double> all = new EnumMap<>(Statistic.class);
    all.put(Statistic.SUM, estimates.sum().value());
    all.put(Statistic.MEAN, estimates.mean().value());
    estimates.variance().ifPresent(found -> all.put(Statistic.VARIANCE, found.value()));
    return all;
  }

  /** Releases of the same numbers, one after another. */
  record Releases(
      GridMeasurement<MomentQuery> mechanism,
      OutputDistribution<NoisyVector> distribution,
      NumberBounds bounds) {
    NoisyMoments draw(KeyedRandom random) {
      return NoisyMoments.of(mechanism.query(), distribution.draw(random));
    }

    MomentEstimates estimates(NoisyMoments drawn) {
      return MomentEstimates.of(mechanism, drawn, 0, 0, bounds);
    }
  }

  Releases releases(Amounts amounts) {
    GridMeasurement<MomentQuery> mechanism =
        noise
            .plan(budget, MomentSensitivity.addOrRemove(degree, 1, amounts.most()))
            .orElseThrow()
            .mechanism();
    NumberBounds bounds = new NumberBounds(amounts.range().low(), amounts.range().high());
    return new Releases(mechanism, mechanism.distribution(sums(amounts, bounds)), bounds);
  }

  private ExactVector sums(Amounts amounts, NumberBounds bounds) {
    BernsteinParts parts = new BernsteinParts(bounds, degree);
    long[] sums = new long[degree + 1];
    for (double x : amounts.all()) {
      long[] each = parts.of(x);
      for (int k = 0; k <= degree; k++) {
        sums[k] += each[k];
      }
    }
    return new ExactVector(sums);
  }
}
