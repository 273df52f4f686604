// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Noise on the count of a name, and from where on one that nobody knew is published
 * (docs/theory/partition-selection.md, Theorem M).
 *
 * @param noise on the count
 * @param sensitivity of all of a window's names together
 * @param threshold of names that are not public
 */
public record DiscoveryMechanism(GridNoise noise, GridSensitivity sensitivity, Threshold threshold)
    implements Mechanism<NameCount, NoisyName> {
  @Override
  public String method() {
    return noise.method();
  }

  /** Of the noise; its name has the threshold, since what passes is part of what it costs. */
  @Override
  public PrivacyCost charge() {
    PrivacyCost noisy = noise.charge(sensitivity);
    return new PrivacyCost(
        noisy.mechanism() + " from-" + threshold.least(),
        noisy.unit(),
        noisy.curve(),
        noisy.pure(),
        noisy.profile());
  }

  @Override
  public Map<String, Double> parameters() {
    return noise.parameters();
  }

  @Override
  public OutputDistribution<NoisyName> distribution(NameCount exact) {
    return new OutputDistribution<>() {
      @Override
      public void encodeInput(CanonicalEncoder encoder) {
        encoder
            .text("name")
            .text(noise.method())
            .number(noise.steps())
            .number(noise.digits())
            .number(exact.users());
      }

      @Override
      public NoisyName draw(KeyedRandom random) {
        long steps = Math.multiplyExact(exact.users(), 1L << noise.digits());
        return new NoisyName(
            Math.addExact(steps, noise.sampler().applyAsLong(random)), noise.digits());
      }
    };
  }

  @Override
  public OptionalDouble divergence(double order, NameCount first, NameCount second) {
    return OptionalDouble.of(
        noise.divergence(order, onGrid(first.users()), onGrid(second.users())));
  }

  private long[] onGrid(long users) {
    return new long[] {Math.multiplyExact(users, 1L << noise.digits())};
  }
}
