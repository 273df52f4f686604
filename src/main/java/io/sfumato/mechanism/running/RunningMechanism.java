// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.running;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * A window's rows with noise: docs/privacy.md, Theorem K.
 *
 * @param lags the coefficients of rows
 * @param noise of a row, on the grid of rows
 * @param sensitivity the part of one window of a user
 */
public record RunningMechanism(Lags lags, GridNoise noise, GridSensitivity sensitivity)
    implements Mechanism<Rows, Rows> {
  public RunningMechanism {
    if (noise.digits() < Lags.DIGITS) {
      throw new IllegalArgumentException(
          "rows are whole on the grid 2^-20 or a finer one, noise is on 2^-" + noise.digits());
    }
    if (noise.method().equals("laplace") && lags.band() > 1) {
      throw new IllegalArgumentException("rows of several windows have Gaussian noise");
    }
  }

  @Override
  public String method() {
    return noise.method();
  }

  @Override
  public Charge charge() {
    return noise.charge(sensitivity);
  }

  @Override
  public Map<String, Double> parameters() {
    return noise.parameters();
  }

  /** Binary digits of what windows hold: 0 where that is whole. */
  public int digits() {
    return noise.digits() - Lags.DIGITS;
  }

  /** Standard deviation of a row's noise, where 1 is a record. */
  public double deviation() {
    return Math.scalb(noise.deviation(), -noise.digits());
  }

  @Override
  public Law<Rows> law(Rows exact) {
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing
            .text("running")
            .text(lags.word())
            .text(noise.method())
            .number(noise.digits())
            .number(noise.steps())
            .numbers(exact.bits());
      }

      @Override
      public Rows draw(ReplayableRandom random) {
        long[] drawn = new long[exact.groups()];
        ToLongFunction<ReplayableRandom> sampler = noise.sampler();
        for (int i = 0; i < drawn.length; i++) {
          drawn[i] = sampler.applyAsLong(random);
        }
        return exact.plus(drawn);
      }
    };
  }

  @Override
  public OptionalDouble divergence(double order, Rows first, Rows second) {
    long[] moved = first.minus(second);
    return OptionalDouble.of(noise.divergence(order, moved, new long[moved.length]));
  }
}
