// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the attacks found of a target.
 *
 * @param target that was attacked
 * @param exact a lower bound of what is promised, by sums of exact chances
 * @param fit of the noise that was drawn
 * @param sampled lower bounds of epsilon, by draws alone
 */
public record Found(
    AttackTarget target, Optional<Double> exact, Optional<Fit> fit, List<Sampled> sampled) {
  /** For roundings of sums alone. */
  private static final double ROUNDING = 1e-7;

  /** What draws can tell of: a delta is 0, or no rare event. */
  private static final List<Double> DELTAS = List.of(0.0, 0.01, 0.1);

  private static final double RARE = 0.01;

  public Found {
    sampled = List.copyOf(sampled);
  }

  /**
   * By draws.
   *
   * @param delta at which
   * @param claimed the epsilon that is claimed there
   * @param bound that was found
   */
  public record Sampled(double delta, double claimed, double bound) {
    /** Whether the claim is refuted. */
    public boolean refutes() {
      return bound > claimed * (1 + ROUNDING);
    }
  }

  /** Sums alone, and a look at whether noise has its law. */
  public static Found exactly(AttackTarget target, int draws, double failure) {
    return new Found(
        target, target.exact(), target.fit().map(noise -> noise.fit(draws, failure)), List.of());
  }

  /**
   * All attacks.
   *
   * @param draws of each neighbour, at least 1000
   * @param failure chance that a true claim is refuted, in (0, 1)
   */
  public static Found of(AttackTarget target, int draws, double failure) {
    Found sums = exactly(target, draws, failure / 2);
    return new Found(target, sums.exact, sums.fit, sampled(target, draws, failure / 2));
  }

  /** By draws alone. */
  public static List<Sampled> sampled(AttackTarget target, int draws, double failure) {
    List<Sampled> sampled = new ArrayList<>();
    target
        .draws()
        .ifPresent(
            drawn -> {
              List<Double> deltas = new ArrayList<>(DELTAS);
              double promised = target.promise().delta();
              if (promised >= RARE && !deltas.contains(promised)) {
                deltas.add(promised);
              }
              SampledBound bound = new SampledBound(draws, failure / deltas.size());
              SampledBound.Scores scores =
                  bound.scores(target.name(), drawn.first(), drawn.second());
              for (double delta : deltas) {
                double claimed = target.claim().epsilon(delta);
                if (claimed < Double.POSITIVE_INFINITY) {
                  sampled.add(new Sampled(delta, claimed, bound.epsilon(scores, delta)));
                }
              }
            });
    return sampled;
  }

  /** What is promised over what was found. */
  public double ratio() {
    return exact.map(found -> target.promised() / found).orElse(Double.POSITIVE_INFINITY);
  }

  /** By which attacks the promise or its claim is refuted. */
  public List<String> refutations() {
    List<String> by = new ArrayList<>();
    if (exact.isPresent() && exact.get() > target.promised() * (1 + ROUNDING)) {
      by.add("sum");
    }
    if (fit.isPresent() && !fit.get().fits()) {
      by.add("fit");
    }
    if (sampled.stream().anyMatch(Sampled::refutes)) {
      by.add("draws");
    }
    return by;
  }

  /** The bound by draws that comes nearest to its claim. */
  public Optional<Sampled> nearest() {
    return sampled.stream()
        .filter(found -> found.claimed() > 0)
        .max(Comparator.comparingDouble(found -> found.bound() / found.claimed()));
  }
}
