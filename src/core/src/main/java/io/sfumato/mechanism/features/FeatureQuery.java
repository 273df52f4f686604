// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.mechanism.additive.VectorNoise;
import io.sfumato.mechanism.additive.VectorQuery;
import io.sfumato.random.CanonicalEncoder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A window's sums of features, rounded to whole steps of 2^-16, and after them the number of its
 * records where that is protected: Theorem H of docs/theory/feature-sums.md. Exact data are the
 * rounded sums and, last, N. {@link FeatureSensitivity} says how far neighbours move it.
 *
 * @param features m, number of sums, at least 1
 * @param recordSteps a record's part of the coordinate that counts records, in steps; 0 where N is
 *     public
 */
public record FeatureQuery(int features, long recordSteps) implements VectorQuery {
  /** Binary digits of a step. */
  static final int DIGITS = 16;

  /** Steps of a sum in one: the norm of a record's features. */
  public static final long STEPS = 1L << DIGITS;

  /** Steps of {@link FeatureSum} in one of these. */
  private static final long FINER = (long) RandomFeatures.STEPS / STEPS;

  /**
   * @throws IllegalArgumentException if there is no feature, or a record counts less than 0 steps
   */
  public FeatureQuery {
    if (features < 1 || recordSteps < 0) {
      throw new IllegalArgumentException(
          "there is at least 1 feature, and a record counts at least 0 steps; were "
              + features
              + ", "
              + recordSteps);
    }
  }

  /**
   * Of the sums alone, since the number of records is public.
   *
   * @param features m, at least 1
   */
  public static FeatureQuery ofPublicSize(int features) {
    return new FeatureQuery(features, 0);
  }

  /**
   * Of the number of records too, which is one more coordinate, of the weight that makes the total
   * noise least: with a record's part {@code v} of it in units of its features' norm, noise in
   * proportion to sqrt(1 + v^2) falls on m sums, and on N, which scales means of norm at most 1,
   * 1/v times; hence v = m^(-1/4).
   *
   * @param features m, at least 1
   */
  public static FeatureQuery ofPrivateSize(int features) {
    return new FeatureQuery(features, Math.round(STEPS / Math.sqrt(Math.sqrt(features))));
  }

  /**
   * Exact data: each sum at the nearest step, so that it moves by less than a step more; then N.
   */
  public static ExactVector rounded(FeatureSum exact) {
    long[] sums = exact.steps();
    long[] rounded = Arrays.copyOf(sums, sums.length + 1);
    for (int i = 0; i < sums.length; i++) {
      rounded[i] = Math.floorDiv(Math.floorDiv(sums[i], FINER / 2) + 1, 2);
    }
    rounded[sums.length] = exact.size();
    return new ExactVector(rounded);
  }

  @Override
  public int digits() {
    return DIGITS;
  }

  @Override
  public void requireUnit(PrivacyUnit unit) {
    if ((unit == PrivacyUnit.RECORD) != (recordSteps == 0)) {
      throw new IllegalArgumentException(
          "the number of records has noise where it is private, and there alone");
    }
  }

  @Override
  public void encode(
      CanonicalEncoder encoder, VectorMeasurement<?> measurement, ExactVector exact) {
    encoder
        .text("features")
        .text(measurement.noise().method())
        .number(measurement.noise().steps())
        .number(recordSteps)
        .number(exact.of(features))
        .numbers(sums(exact));
  }

  private long[] sums(ExactVector exact) {
    if (exact.size() != features + 1) {
      throw new IllegalArgumentException(
          exact.size() + " numbers for " + features + " features and the number of records");
    }
    return Arrays.copyOf(exact.values(), features);
  }

  @Override
  public long[] vector(ExactVector exact) {
    long[] sums = sums(exact);
    if (recordSteps == 0) {
      return sums;
    }
    long[] all = Arrays.copyOf(sums, features + 1);
    all[features] = Math.multiplyExact(recordSteps, exact.of(features));
    return all;
  }

  @Override
  public OptionalLong records(ExactVector exact) {
    return OptionalLong.of(exact.of(features));
  }

  /** Standard deviation of the noise of the number of records; 0 where it is public. */
  public double recordsDeviation(VectorNoise noise) {
    return recordSteps == 0 ? 0 : noise.deviation() / recordSteps;
  }

  @Override
  public Map<String, Double> parameters(VectorNoise noise) {
    Map<String, Double> parameters = new LinkedHashMap<>(noise.parameters());
    if (recordSteps > 0) {
      parameters.put("sigma_records", recordsDeviation(noise));
    }
    return parameters;
  }
}
