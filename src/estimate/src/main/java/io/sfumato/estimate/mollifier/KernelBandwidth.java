// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.mechanism.mollifier.NumericReference;
import java.util.Arrays;
import org.apache.commons.math3.special.Gamma;

/**
 * The bandwidth of a kernel density estimate, by a public rule: that of the normal reference
 * (Silverman 1986, equation 4.14) in deviations of the dataset, or a part of it, if a quarter or
 * half of it and so on predicts each record from the others better by more than chance.
 */
final class KernelBandwidth {
  /** Of the rule's bandwidth: several modes are narrower than one. */
  private static final double[] PARTS = {1, 0.71, 0.5, 0.35, 0.25, 0.18};

  /** Standard errors by which a narrower one must be better. */
  private static final double CLEARLY = 2;

  /** Of a record's prediction, the part that is the reference's: no record is impossible. */
  private static final double DEFENSIVE = 0.03;

  /** More records do not make the choice better. */
  private static final int TRIED = 512;

  /** Between the quartiles of a Gaussian, in deviations. */
  private static final double QUARTILES = 1.349;

  private KernelBandwidth() {}

  /**
   * The kernel's ball, whose half axes are its radii: sqrt(d + 8) deviations of the kernel.
   *
   * @param radii of each number, above 0
   * @param logVolume natural logarithm of the kernel's integral
   * @param deviations of the kernel in each number: every point of a pool asks for them
   */
  record Radii(double[] radii, double logVolume, double[] deviations) {
    private Radii(double[] radii, double logVolume) {
      this(radii, logVolume, deviations(radii));
    }

    private static double[] deviations(double[] radii) {
      double root = Math.sqrt(radii.length + 8.0);
      return Arrays.stream(radii).map(radius -> radius / root).toArray();
    }

    static Radii ofDeviations(double[] deviations) {
      int d = deviations.length;
      double[] radii = new double[d];
      // The integral of (1 - r^2)^3 over the unit ball is pi^(d/2) 3! / Gamma(d/2 + 4).
      double log =
          d / 2.0 * StrictMath.log(Math.PI) + StrictMath.log(6) - Gamma.logGamma(d / 2.0 + 4);
      for (int i = 0; i < d; i++) {
        radii[i] = deviations[i] * Math.sqrt(d + 8.0);
        log += StrictMath.log(radii[i]);
      }
      return new Radii(radii, log);
    }

    /** Squared distance in radii. */
    double squared(double[] x, double[] y) {
      return squared(x, y, Double.POSITIVE_INFINITY);
    }

    /** Squared distance in radii, or something from 1 on, where the kernel is 0. */
    double within(double[] x, double[] y) {
      return squared(x, y, 1);
    }

    private double squared(double[] x, double[] y, double enough) {
      double sum = 0;
      for (int i = 0; i < radii.length && sum < enough; i++) {
        double z = (x[i] - y[i]) / radii[i];
        sum += z * z;
      }
      return sum;
    }

    /** At a squared distance below 1. */
    static double kernel(double squared) {
      double rest = 1 - squared;
      return rest * rest * rest;
    }

    Radii times(double part) {
      return new Radii(
          Arrays.stream(radii).map(radius -> part * radius).toArray(),
          logVolume + radii.length * StrictMath.log(part));
    }
  }

  /** Chosen for one dataset. */
  static Radii of(KernelSample sample) {
    Radii[] radii = new Radii[PARTS.length];
    Radii normal = normalReference(sample);
    Arrays.setAll(radii, i -> normal.times(PARTS[i]));
    return sample.size() < 3 ? normal : radii[best(sample, radii)];
  }

  static Radii normalReference(KernelSample sample) {
    int d = sample.at()[0].length;
    double size = Math.max(1, sample.sizeOfCategory());
    double factor = StrictMath.pow(4.0 / (d + 2) / size, 1.0 / (d + 4));
    double[] typical = sample.reference().numbers().orElseThrow().scale();
    double[] deviations = new double[d];
    for (int i = 0; i < d; i++) {
      int column = i;
      double[] values = Arrays.stream(sample.at()).mapToDouble(x -> x[column]).sorted().toArray();
      double spread = spread(values);
      // Records that are all alike say nothing of how far others would be.
      deviations[i] = factor * (spread > 0 ? spread : typical[i]);
    }
    return Radii.ofDeviations(deviations);
  }

  /** The smaller of the deviation and that which the quartiles of a Gaussian would have. */
  private static double spread(double[] sorted) {
    int n = sorted.length;
    double mean = Arrays.stream(sorted).sum() / n;
    double squares = Arrays.stream(sorted).map(x -> (x - mean) * (x - mean)).sum();
    double deviation = n < 2 ? 0 : Math.sqrt(squares / (n - 1));
    double quartiles = (sorted[3 * (n - 1) / 4] - sorted[(n - 1) / 4]) / QUARTILES;
    return quartiles > 0 && !(quartiles > deviation) ? quartiles : deviation;
  }

  /** The place of the radii whose densities predict best, each record from all others. */
  private static int best(KernelSample sample, Radii[] radii) {
    NumericReference numbers = sample.reference().numbers().orElseThrow();
    int tried = Math.min(TRIED, sample.size());
    double[] gain = new double[radii.length];
    double[] squares = new double[radii.length];
    int counted = 0;
    for (int i = 0; i < tried; i++) {
      double[] x = sample.at()[i];
      double logReference = numbers.logDensity(x);
      double[] predicted = predictions(sample, i, logReference, radii);
      if (!Arrays.stream(predicted).allMatch(Double::isFinite)) {
        continue;
      }
      counted++;
      for (int r = 0; r < radii.length; r++) {
        double better = predicted[r] - predicted[0];
        gain[r] += better;
        squares[r] += better * better;
      }
    }
    int best = 0;
    for (int r = 1; r < radii.length; r++) {
      double variance = squares[r] - gain[r] * gain[r] / Math.max(1, counted);
      boolean clearly = gain[r] > CLEARLY * Math.sqrt(Math.max(0, variance));
      best = clearly && gain[r] > gain[best] ? r : best;
    }
    return best;
  }

  /** Logarithms of a record's density over the reference's, of all records but itself. */
  private static double[] predictions(
      KernelSample sample, int left, double logReference, Radii[] radii) {
    double[] x = sample.at()[left];
    double[] sums = new double[radii.length];
    for (int j = 0; j < sample.size(); j++) {
      double widest = j == left ? 1 : radii[0].within(x, sample.at()[j]);
      double weight = sample.weight(sample.category()[j], sample.category()[left]);
      for (int r = 0; r < radii.length; r++) {
        double squared = widest / (PARTS[r] * PARTS[r]);
        if (squared >= 1) {
          break;
        }
        sums[r] += weight * Radii.kernel(squared);
      }
    }
    double[] logs = new double[radii.length];
    for (int r = 0; r < radii.length; r++) {
      double ratio = sample.over(sums[r], sample.size() - 1, x, logReference, radii[r]);
      logs[r] = StrictMath.log((1 - DEFENSIVE) * ratio + DEFENSIVE);
    }
    return logs;
  }
}
