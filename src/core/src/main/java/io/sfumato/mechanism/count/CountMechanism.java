// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyCounts;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/**
 * Noise on every count: of a window, or of a node of the tree that running counts are made of.
 *
 * @param noise with its parameter
 * @param charge of one window: in unit user up to C of its records are added or removed
 */
public record CountMechanism(AdditiveNoise noise, Charge charge)
    implements Mechanism<Counts, NoisyCounts> {
  /** With a sensitivity of one window's contributions. */
  public CountMechanism(AdditiveNoise noise, Sensitivity sensitivity) {
    this(noise, noise.charge(sensitivity));
  }

  @Override
  public String method() {
    return noise.method();
  }

  @Override
  public Map<String, Double> parameters() {
    return noise.parameters();
  }

  @Override
  public Law<NoisyCounts> law(Counts exact) {
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing.text("count").text(noise.method()).number(noise.steps()).numbers(exact.values());
      }

      @Override
      public NoisyCounts draw(ReplayableRandom random) {
        long[] noisy = exact.values();
        ToLongFunction<ReplayableRandom> sampler = noise.sampler();
        for (int i = 0; i < noisy.length; i++) {
          noisy[i] = Math.addExact(noisy[i], sampler.applyAsLong(random));
        }
        return new NoisyCounts(noisy);
      }
    };
  }

  @Override
  public OptionalDouble divergence(double order, Counts first, Counts second) {
    return OptionalDouble.of(noise.divergence(order, first.values(), second.values()));
  }
}
