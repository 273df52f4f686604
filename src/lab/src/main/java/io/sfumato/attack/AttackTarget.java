// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.random.KeyedRandom;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What is attacked: what is promised of a draw, and the draws of two neighbours.
 *
 * @param name of the mechanism
 * @param neighbours in words
 * @param promise of the share that pays for it
 * @param claim of the charge: the least that any of its proofs says
 * @param distribution chances of the best events, exactly, where they can be summed
 * @param draws of both neighbours, as scores, by the real sampler
 * @param fit of the noise that the real sampler draws with its law, where it draws noise
 * @param why the promise is above the bound by more than a twentieth; empty where it is not
 */
public record AttackTarget(
    String name,
    String neighbours,
    Promise promise,
    PrivacyClaim claim,
    Optional<Law> distribution,
    Optional<Draws> draws,
    Optional<Noise> fit,
    String why) {

  /**
   * Epsilon at delta, in all.
   *
   * @param told which of the two is held against its bound, the other one being as promised
   */
  public record Promise(double epsilon, double delta, Told told) {
    /** An epsilon at a delta. */
    public static Promise of(double epsilon, double delta) {
      return new Promise(epsilon, delta, Told.EPSILON);
    }
  }

  /** What is held against its bound. */
  public enum Told {
    /** At the promised delta. */
    EPSILON,
    /** At the promised epsilon. */
    DELTA
  }

  /** Exact chances, summed when asked for. */
  @FunctionalInterface
  public interface Law {
    /** Of the better direction. */
    Events events();
  }

  /**
   * Scores that rise with the evidence for the first neighbour.
   *
   * @param first of the first one's draws
   * @param second of the second one's
   */
  public record Draws(ToDoubleFunction<KeyedRandom> first, ToDoubleFunction<KeyedRandom> second) {}

  /** Noise that the real sampler draws, held against the law that is summed. */
  @FunctionalInterface
  public interface Noise {
    /**
     * Draws at least so many.
     *
     * @param failure chance that true noise is said not to fit
     */
    Fit fit(int draws, double failure);
  }

  /** What is promised, of what is held against its bound. */
  public double promised() {
    return promise.told() == Told.EPSILON ? promise.epsilon() : promise.delta();
  }

  /** A lower bound of it; nothing where chances cannot be summed. */
  public Optional<Double> exact() {
    return distribution
        .map(Law::events)
        .map(
            events ->
                promise.told() == Told.EPSILON
                    ? events.epsilon(promise.delta())
                    : events.delta(promise.epsilon()));
  }

  /** The same draws under the promise and the claim of another one. */
  public AttackTarget asPromisedBy(AttackTarget other) {
    return new AttackTarget(
        name, neighbours, other.promise, other.claim, distribution, draws, fit, why);
  }

  /** The same promise with other draws, whose chances nobody has summed. */
  public AttackTarget drawing(Draws others) {
    return new AttackTarget(
        name,
        neighbours,
        promise,
        claim,
        Optional.empty(),
        Optional.of(others),
        Optional.empty(),
        why);
  }

  /** The same under another name. */
  public AttackTarget named(String other) {
    return new AttackTarget(other, neighbours, promise, claim, distribution, draws, fit, why);
  }

  /** The same with the reason why its promise is loose. */
  public AttackTarget because(String reason) {
    return new AttackTarget(name, neighbours, promise, claim, distribution, draws, fit, reason);
  }
}
