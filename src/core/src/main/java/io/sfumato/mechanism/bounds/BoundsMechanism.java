// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * A noisy count of every bucket, and which of them pass: a histogram whose bins are fixed in
 * advance, so that a record is in one of them and nothing else is to be protected.
 *
 * @param noise on every count
 * @param sensitivity of all counts together
 */
public record BoundsMechanism(AdditiveNoise noise, Sensitivity sensitivity)
    implements Mechanism<BucketCounts, NoisyBuckets> {
  /** What a noisy count must reach, in records. */
  public long threshold() {
    return BucketThreshold.of(noise);
  }

  /** Records of one bucket that let it pass in 97.5 of 100 draws. */
  public long seen() {
    return Math.addExact(threshold(), noise.halfWidth(1));
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

  @Override
  public Law<NoisyBuckets> law(BucketCounts exact) {
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing.text("bounds").text(noise.method()).number(noise.steps()).numbers(exact.values());
      }

      @Override
      public NoisyBuckets draw(ReplayableRandom random) {
        long[] noisy = exact.values();
        ToLongFunction<ReplayableRandom> sampler = noise.sampler();
        for (int i = 0; i < noisy.length; i++) {
          noisy[i] = Math.addExact(noisy[i], sampler.applyAsLong(random));
        }
        return new NoisyBuckets(
            noisy,
            threshold(),
            sensitivity.sizeIsPublic() ? OptionalLong.of(exact.records()) : OptionalLong.empty());
      }
    };
  }

  @Override
  public OptionalDouble divergence(double order, BucketCounts first, BucketCounts second) {
    return OptionalDouble.of(noise.divergence(order, first.values(), second.values()));
  }
}
