// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.factorised;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * y = C x + z with discrete Gaussian noise z on every row, on the grid that C's entries are whole
 * on: Theorem J of docs/privacy.md.
 *
 * @param root C
 * @param noise of a row, in steps of 2^-20
 * @param sensitivity of all rows together
 */
public record FactorisedMechanism(
    ToeplitzRoot root, GridGaussian noise, GridSensitivity sensitivity)
    implements Mechanism<RowCounts, NoisyRows> {
  public FactorisedMechanism {
    if (noise.digits() != GridNoise.DIGITS) {
      throw new IllegalArgumentException(
          "rows are whole on the grid 2^-20, noise is on 2^-" + noise.digits());
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

  /** Standard deviation of a row's noise, in records. */
  public double deviation() {
    return noise.deviation() / ToeplitzRoot.STEPS;
  }

  @Override
  public Law<NoisyRows> law(RowCounts exact) {
    long[] rows = root.times(exact);
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing
            .text("factorised")
            .number(root.rows())
            .number(root.band())
            .text(noise.method())
            .number(noise.digits())
            .number(noise.steps())
            .numbers(exact.counts());
      }

      @Override
      public NoisyRows draw(ReplayableRandom random) {
        long[] noisy = rows.clone();
        ToLongFunction<ReplayableRandom> sampler = noise.sampler();
        for (int i = 0; i < noisy.length; i++) {
          noisy[i] = Math.addExact(noisy[i], sampler.applyAsLong(random));
        }
        return new NoisyRows(noisy);
      }
    };
  }

  @Override
  public OptionalDouble divergence(double order, RowCounts first, RowCounts second) {
    return OptionalDouble.of(noise.divergence(order, root.times(first), root.times(second)));
  }
}
