// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * A window's rows with noise: docs/theory/running-sums.md, Theorem K. Rows lie on the grid of what
 * windows hold, times that of coefficients, 2^-20.
 *
 * @param coefficients the coefficients of rows
 * @param noise of a row, on the grid of rows; where rows are windows' own numbers it may lie on
 *     theirs, or one between
 * @param digits binary digits of what windows hold: 0 where that is whole, at most 20
 * @param sensitivity the part of one window of a user, in steps of the noise
 */
public record RunningMechanism(
    Coefficients coefficients, GridNoise noise, int digits, GridSensitivity sensitivity)
    implements Mechanism<Rows, NoisyRunningRows> {
  /**
   * @throws IllegalArgumentException if there are fewer than 0 or more than 20 digits, if the noise
   *     has another grid than the rows, or if noise on rows of several windows is Laplace
   */
  public RunningMechanism {
    if (digits < 0 || digits > RunningSums.TOLD_DIGITS) {
      throw new IllegalArgumentException(
          "windows hold what is whole, or steps of 2^-20 at the finest, were 2^-" + digits);
    }
    if (noise.digits() > digits + Coefficients.DIGITS
        || noise.digits() < digits + (coefficients.band() == 1 ? 0 : Coefficients.DIGITS)) {
      throw new IllegalArgumentException(
          "rows of 2^-%d have no noise on 2^-%d"
              .formatted(digits + Coefficients.DIGITS, noise.digits()));
    }
    if (noise.method().equals("laplace") && coefficients.band() > 1) {
      throw new IllegalArgumentException("rows of several windows have Gaussian noise");
    }
  }

  /**
   * With noise on the grid of rows.
   *
   * @throws IllegalArgumentException if noise and rows do not fit
   */
  public static RunningMechanism ofRows(
      Coefficients coefficients, GridNoise noise, GridSensitivity sensitivity) {
    return new RunningMechanism(
        coefficients, noise, noise.digits() - Coefficients.DIGITS, sensitivity);
  }

  @Override
  public String method() {
    return noise.method();
  }

  @Override
  public PrivacyCost charge() {
    return noise.charge(sensitivity);
  }

  @Override
  public Map<String, Double> parameters() {
    return noise.parameters();
  }

  /** Binary digits by which rows are finer than noise: they are whole multiples of its steps. */
  private int finer() {
    return digits + Coefficients.DIGITS - noise.digits();
  }

  /** Standard deviation of a row's noise, where 1 is a record. */
  public double deviation() {
    return Math.scalb(noise.deviation(), -noise.digits());
  }

  @Override
  public OutputDistribution<NoisyRunningRows> distribution(Rows exact) {
    return new OutputDistribution<>() {
      @Override
      public void encodeInput(CanonicalEncoder encoder) {
        // Noise on the grid of rows is drawn as it always was.
        if (finer() > 0) {
          encoder.text("own").number(finer());
        }
        encoder
            .text("running")
            .text(coefficients.word())
            .text(noise.method())
            .number(noise.digits())
            .number(noise.steps())
            .numbers(exact.bits());
      }

      @Override
      public NoisyRunningRows draw(KeyedRandom random) {
        long[] drawn = new long[exact.groups()];
        ToLongFunction<KeyedRandom> sampler = noise.sampler();
        for (int i = 0; i < drawn.length; i++) {
          drawn[i] = sampler.applyAsLong(random);
        }
        return exact.plus(drawn, finer());
      }
    };
  }

  /**
   * How far rows lie from others, in steps of the noise.
   *
   * @throws ArithmeticException beyond 2^63 of the rows' own
   */
  public long[] moved(Rows first, Rows second) {
    long[] moved = first.minus(second);
    Arrays.setAll(moved, i -> moved[i] >> finer());
    return moved;
  }

  @Override
  public OptionalDouble divergence(double order, Rows first, Rows second) {
    long[] moved = moved(first, second);
    return OptionalDouble.of(noise.divergence(order, moved, new long[moved.length]));
  }
}
