// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.function.ToLongFunction;

/**
 * Noise on every count: of a window, or of a node of the tree that running counts are made of.
 *
 * @param noise with its parameter
 * @param charge of one window
 */
public record CountMechanism(AdditiveNoise noise, Charge charge)
    implements Mechanism<Counts, Counts> {
  /** With a sensitivity of one window's contributions. */
  public CountMechanism(AdditiveNoise noise, Sensitivity sensitivity) {
    this(noise, noise.charge(sensitivity));
  }

  @Override
  public void frame(Counts exact, Framing framing) {
    framing.text("count").text(noise.method()).number(noise.steps()).numbers(exact.values());
  }

  @Override
  public Counts release(Counts exact, ReplayableRandom random) {
    long[] noisy = exact.values();
    ToLongFunction<ReplayableRandom> sampler = noise.sampler();
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] = Math.addExact(noisy[i], sampler.applyAsLong(random));
    }
    return new Counts(noisy);
  }
}
