// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.additive.VectorMeasurement;
import io.sfumato.random.KeyedRandom;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Noise on whole numbers: what moves is read off draws of the real sampler with the same key, and
 * the law of the noise is summed.
 *
 * @param <R> what is published
 * @param first law of one neighbour
 * @param second law of the other one
 * @param numbers of what is published
 * @param exact what noise is added to under the second neighbour, place by place
 * @param noise law that every place's noise should have
 */
public record AdditiveTarget<R extends ReleasedData>(
    OutputDistribution<R> first,
    OutputDistribution<R> second,
    Function<R, long[]> numbers,
    long[] exact,
    IndependentNoiseLaw noise) {
  public AdditiveTarget {
    exact = exact.clone();
  }

  /** Of two neighbours that a measurement draws from. */
  public static AdditiveTarget<NoisyVector> of(
      VectorMeasurement<?> plan, ExactVector first, ExactVector second) {
    return new AdditiveTarget<>(
        plan.distribution(first),
        plan.distribution(second),
        NoisyVector::values,
        plan.query().vector(second),
        IndependentNoiseLaw.of(plan.noise()));
  }

  @Override
  public long[] exact() {
    return exact.clone();
  }

  /** As it is attacked. */
  public AttackTarget target(
      String name, String neighbours, AttackTarget.Promise promise, PrivacyCost charge) {
    return target(name, neighbours, promise, PrivacyClaim.of(charge));
  }

  /** As it is attacked. */
  public AttackTarget target(
      String name, String neighbours, AttackTarget.Promise promise, PrivacyClaim claim) {
    long[] shift = SameKey.shift(first, second, numbers);
    return new AttackTarget(
        name,
        neighbours,
        promise,
        claim,
        Optional.of(() -> noise.events(shift)),
        Optional.of(draws(shift)),
        Optional.of(this::fit),
        "");
  }

  /** Scores of published numbers: sums of what each place says. */
  public AttackTarget.Draws draws(long[] shift) {
    ToDoubleFunction<R> score =
        drawn -> {
          long[] found = numbers.apply(drawn);
          double sum = 0;
          for (int i = 0; i < found.length; i++) {
            sum += shift[i] == 0 ? 0 : noise.score(found[i], exact[i] + shift[i], exact[i]);
          }
          return sum;
        };
    return new AttackTarget.Draws(
        random -> score.applyAsDouble(first.draw(random)),
        random -> score.applyAsDouble(second.draw(random)));
  }

  /** Of places that the neighbours differ in, so of those that noise is drawn for. */
  private Fit fit(int draws, double failure) {
    long[] shift = SameKey.shift(first, second, numbers);
    int place = 0;
    while (shift[place] == 0) {
      place++;
    }
    KeyedRandom random = KeyedRandom.ofPublicSeed("fit");
    long[] noises = new long[draws];
    for (int i = 0; i < draws; i++) {
      noises[i] = numbers.apply(second.draw(random))[place] - exact[place];
    }
    return Fit.of(noises, noise, failure);
  }
}
