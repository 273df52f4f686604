// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Noise on the sums of records' parts, from which counts, sums, means and variances follow: Theorem
 * I of docs/privacy.md.
 *
 * @param noise on every sum, on the grid 2^-20
 * @param sensitivity of all sums together
 */
public record MomentMechanism(GridNoise noise, MomentSensitivity sensitivity)
    implements Mechanism<MomentSums, NoisyMoments> {
  public MomentMechanism {
    if (noise.digits() != GridNoise.DIGITS) {
      throw new IllegalArgumentException(
          "parts are steps of 2^-20, noise was on 2^-" + noise.digits());
    }
  }

  @Override
  public String method() {
    return noise.method();
  }

  @Override
  public Charge charge() {
    return noise.charge(sensitivity.moved());
  }

  @Override
  public Map<String, Double> parameters() {
    return noise.parameters();
  }

  /**
   * Within the file's bounds, or within bounds that were found before, if there is noise for it.
   */
  @Override
  public List<Mechanism<?, ?>> paidFor() {
    return sensitivity.roundings() < 1 ? List.of(this) : List.of(this, new OpenMechanism(this));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the sums are of another shape than was planned
   */
  @Override
  public Law<NoisyMoments> law(MomentSums exact) {
    MomentShape shape = exact.shape();
    if (shape.degree() != sensitivity.degree() || shape.fields() != sensitivity.fields()) {
      throw new IllegalArgumentException("sums of other parts than were planned");
    }
    if (sensitivity.firstPart() > 0 && shape.groups() > 1) {
      throw new IllegalArgumentException("the first parts of several groups do not follow");
    }
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing
            .text("moments")
            .text(noise.method())
            .text(sensitivity.moved().word())
            .number(noise.digits())
            .number(noise.steps())
            .number(sensitivity.firstPart())
            .number(shape.groups())
            .numbers(exact.steps());
      }

      @Override
      public NoisyMoments draw(ReplayableRandom random) {
        return drawn(exact, random);
      }
    };
  }

  private NoisyMoments drawn(MomentSums exact, ReplayableRandom random) {
    MomentShape shape = exact.shape();
    long[] noisy = exact.steps();
    ToLongFunction<ReplayableRandom> sampler = noise.sampler();
    for (int i = 0; i < noisy.length; i += shape.parts()) {
      long rest = Math.multiplyExact(exact.records(), BernsteinParts.STEPS);
      for (int k = sensitivity.firstPart(); k < shape.parts(); k++) {
        noisy[i + k] = Math.addExact(noisy[i + k], sampler.applyAsLong(random));
        rest = Math.subtractExact(rest, noisy[i + k]);
      }
      if (sensitivity.firstPart() > 0) {
        noisy[i] = rest;
      }
    }
    return new NoisyMoments(
        shape,
        noisy,
        sensitivity.sizeIsPublic() ? OptionalLong.of(exact.records()) : OptionalLong.empty());
  }

  @Override
  public OptionalDouble divergence(double order, MomentSums first, MomentSums second) {
    return OptionalDouble.of(noise.divergence(order, drawnOf(first), drawnOf(second)));
  }

  /** The sums that noise is drawn for. */
  private long[] drawnOf(MomentSums sums) {
    long[] steps = sums.steps();
    for (int i = 0; i < steps.length; i += sums.shape().parts()) {
      for (int k = 0; k < sensitivity.firstPart(); k++) {
        steps[i + k] = 0;
      }
    }
    return steps;
  }
}
