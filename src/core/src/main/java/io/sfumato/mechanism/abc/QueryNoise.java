// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.abc.SparseVector.State;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** The noise of one query's answers, once its N and T are known. */
public sealed interface QueryNoise permits RejectionCoin, SoftWeights, SparseVector {
  /** Scale of the noise in the unit of distances; public. */
  double scale();

  /**
   * Appends the noise's exact parameters to what the randomness of an answer depends on: other
   * noise is never made of the same random numbers.
   */
  void encode(CanonicalEncoder encoder);

  /**
   * The law of a candidate's answer: 1 (accepted) or 0, or the noisy distance in steps.
   *
   * @param rho distance, exact
   * @param state of the query, where it keeps one
   */
  OutputDistribution<NoisyAnswer> answer(double rho, Optional<State> state);

  /**
   * The Rényi divergence of the answers to two distances, in nats; nothing where no closed form is
   * known.
   *
   * @param order above 1
   * @param rho distance of one dataset
   * @param other distance of its neighbour
   */
  default OptionalDouble divergence(double order, double rho, double other) {
    return OptionalDouble.empty();
  }

  /** Draws a noisy threshold; nothing for noise that compares with none. */
  default Optional<NoisyThreshold> threshold(KeyedRandom random) {
    return Optional.empty();
  }

  /**
   * Secret state of a query before its first candidate; nothing for noise that keeps none.
   *
   * @param thresholds noisy thresholds, by the number of acceptances before them
   */
  default Optional<State> start(LongFunction<NoisyThreshold> thresholds) {
    return Optional.empty();
  }

  /** Whether nothing more is answered. */
  default boolean isOver(Optional<State> state) {
    return false;
  }

  /** Secret state of a query after an answer; nothing for noise that keeps none. */
  default Optional<State> after(
      Optional<State> state, long answer, LongFunction<NoisyThreshold> thresholds) {
    return Optional.empty();
  }

  /** The law of one answer, from its sampler. */
  default OutputDistribution<NoisyAnswer> distribution(ToLongFunction<KeyedRandom> sampler) {
    QueryNoise noise = this;
    return new OutputDistribution<>() {
      @Override
      public void encodeInput(CanonicalEncoder encoder) {
        noise.encode(encoder);
      }

      @Override
      public NoisyAnswer draw(KeyedRandom random) {
        return new NoisyAnswer(sampler.applyAsLong(random));
      }
    };
  }
}
