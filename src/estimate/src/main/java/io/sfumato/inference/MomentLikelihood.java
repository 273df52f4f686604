// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.modeller.PseudoData;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Of noisy sums of records' parts (a {@code mean} release): noise around N times the pseudo-data's
 * mean parts. Where N is not public every N is as likely beforehand, and it is integrated out.
 */
public final class MomentLikelihood implements Likelihood {
  /** More pseudo-data than that nobody waits for; and a hostile release may claim any number. */
  private static final double MOST_RECORDS = 1_000_000;

  /** Numbers of records that are tried, over six deviations of their noise on either side. */
  private static final int SIZES = 49;

  private static final double DEVIATIONS = 6;

  private final List<Measured> values;
  private final int degree;
  private final int dimensions;
  private final int firstPart;
  private final double[] sums;
  private final GridNoise noise;
  private final OptionalLong records;
  private final double size;

  /**
   * A number that was summarised.
   *
   * @param place of it in a record's numbers, from 0
   * @param bounds between which it counted
   */
  public record Measured(int place, NumberBounds bounds) {}

  /**
   * @param values in the order of the sums
   * @param degree m of their parts
   * @param dimensions numbers of a record
   * @param firstPart 1 where sums begin with the second part of each number
   * @param sums as released, in records, finite; number by number, part by part
   * @param noise of each, on the grid 2^-20
   * @param records N, where it is public
   * @throws IllegalArgumentException if there are no records, or too many to simulate
   */
  public MomentLikelihood(
      List<Measured> values,
      int degree,
      int dimensions,
      int firstPart,
      double[] sums,
      GridNoise noise,
      OptionalLong records) {
    if (sums.length != values.size() * (degree + 1 - firstPart)) {
      throw new IllegalArgumentException("the release has %d parts".formatted(sums.length));
    }
    this.values = List.copyOf(values);
    this.degree = degree;
    this.dimensions = dimensions;
    this.firstPart = firstPart;
    this.sums = sums.clone();
    this.noise = noise;
    this.records = records;
    this.size =
        records.isPresent() ? records.getAsLong() : Arrays.stream(sums).sum() / values.size();
    if (!Arrays.stream(sums).allMatch(Double::isFinite) || !(Math.abs(size) <= MOST_RECORDS)) {
      throw new IllegalArgumentException(
          "the release has numbers that are not finite, or more than 1,000,000 records, as many of"
              + " which each candidate would have to simulate");
    }
    if (records.isPresent() && records.getAsLong() < 1) {
      throw new IllegalArgumentException("the release is of a window without records");
    }
  }

  @Override
  public int records() {
    return (int) Math.max(1, Math.round(size));
  }

  /** Of Gaussian noise one for each sum; twice the loss of k Laplace noises is as 2 k squares. */
  @Override
  public OptionalInt squares() {
    return OptionalInt.of(noise.method().equals("gaussian") ? sums.length : 2 * sums.length);
  }

  @Override
  public double log(PseudoData simulated) {
    double[] mean = meanParts(simulated);
    if (records.isPresent()) {
      return log(mean, size);
    }
    double deviation =
        noise.deviation() / BernsteinParts.STEPS * Math.sqrt((degree + 1.0) / values.size());
    double low = Math.max(0, size - DEVIATIONS * deviation);
    double high = Math.max(low + deviation, size + DEVIATIONS * deviation);
    double[] logs = new double[SIZES];
    Arrays.setAll(logs, i -> log(mean, low + (high - low) * i / (SIZES - 1)));
    return HistogramLikelihood.logSum(logs);
  }

  private double log(double[] mean, double size) {
    double sum = 0;
    for (int i = 0; i < sums.length; i++) {
      sum += noise.logDensity((sums[i] - size * mean[i]) * BernsteinParts.STEPS);
    }
    return sum;
  }

  /** Of one record, in the order of the sums. */
  private double[] meanParts(PseudoData simulated) {
    if (!(simulated instanceof PseudoData.Numbers numbers) || numbers.dimensions() != dimensions) {
      throw new IllegalArgumentException(
          "the release is about records of %d %s: take a simulator that gives them"
              .formatted(dimensions, dimensions == 1 ? "number" : "numbers"));
    }
    double[] drawn = numbers.values();
    double[] mean = new double[sums.length];
    int parts = degree + 1 - firstPart;
    for (int record = 0; record < numbers.records(); record++) {
      for (int field = 0; field < values.size(); field++) {
        Measured value = values.get(field);
        double t = value.bounds().place(drawn[record * dimensions + value.place()]);
        for (int k = firstPart; k <= degree; k++) {
          mean[field * parts + k - firstPart] += part(t, k);
        }
      }
    }
    for (int i = 0; i < mean.length; i++) {
      mean[i] /= numbers.records();
    }
    return mean;
  }

  /** B_k(t): without rounding, since noise is far larger. */
  private double part(double t, int k) {
    if (degree == 1) {
      return k == 0 ? 1 - t : t;
    }
    return k == 0 ? (1 - t) * (1 - t) : k == 1 ? 2 * t * (1 - t) : t * t;
  }
}
