// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * The attack of one run: coins say which canaries are in, one run tells a score of each, and the
 * attacker says in or out of those whose scores are furthest from the middle.
 *
 * <p>Where a claim has a delta a single run cannot be sure of much: everything may be told with
 * that probability. Several independent runs can, if each of them refutes the claim at a level that
 * is a root of the failure.
 *
 * @param canaries m of a run, at least 100
 * @param runs independent ones, at least 1: a claim is refuted where all of them refute it
 * @param failure chance that the bound is above the truth, in (0, 1)
 */
public record OneRun(int canaries, int runs, double failure) {
  /** Parts of the canaries that are guessed; fixed before, and the failure is divided by them. */
  private static final List<Double> PARTS = List.of(1.0, 0.5, 0.25, 0.1, 0.03);

  private static final int HALVINGS = 16;
  private static final double MOST = 16;

  /** One run with some canaries in and the others out. */
  @FunctionalInterface
  public interface Game {
    /**
     * A score of each: above 0 where it seems to be in.
     *
     * @param in which are
     */
    double[] scores(boolean[] in);
  }

  /**
   * What became of the guesses.
   *
   * @param guesses how many were made
   * @param right how many of them are right
   */
  public record Guesses(int guesses, int right) {}

  /**
   * What became of all runs.
   *
   * @param ofRuns of each run its guesses, by how many were made
   */
  public record Played(List<List<Guesses>> ofRuns) {
    public Played {
      ofRuns = List.copyOf(ofRuns);
    }
  }

  /** Plays all runs, with coins of a public seed. */
  public Played play(String seed, Game game) {
    KeyedRandom coins = KeyedRandom.ofPublicSeed("coins of " + seed);
    List<List<Guesses>> all = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      all.add(once(coins, game));
    }
    return new Played(all);
  }

  private List<Guesses> once(KeyedRandom coins, Game game) {
    boolean[] in = new boolean[canaries];
    for (int i = 0; i < canaries; i++) {
      in[i] = coins.nextLong() < 0;
    }
    double[] scores = game.scores(in);
    Integer[] order = new Integer[canaries];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingDouble((Integer i) -> -Math.abs(scores[i])));
    return PARTS.stream()
        .map(part -> (int) (part * canaries))
        .map(
            guesses -> {
              int right = 0;
              for (int i = 0; i < guesses; i++) {
                right += scores[order[i]] > 0 == in[order[i]] ? 1 : 0;
              }
              return new Guesses(guesses, right);
            })
        .toList();
  }

  /** Whether the guesses refute a claim. */
  public boolean refutes(OneRunBound claim, Played played) {
    double level = StrictMath.pow(failure, 1.0 / runs) / PARTS.size();
    return played.ofRuns().stream()
        .allMatch(
            run ->
                run.stream()
                    .anyMatch(
                        found -> claim.refutes(canaries, found.guesses(), found.right(), level)));
  }

  /** The largest epsilon that is refuted at a delta, whatever the mechanism; 0 if none is. */
  public double epsilon(Played played, double delta) {
    return epsilon(played, delta, OneRunBound::of);
  }

  /**
   * The same under a bound.
   *
   * @param bound {@link OneRunBound#of}, or {@link OneRunBound#apart} where canaries are
   */
  public double epsilon(Played played, double delta, Function<PrivacyProfile, OneRunBound> bound) {
    return largest(
        epsilon -> delta == 0 ? OneRunBound.pure(epsilon) : bound.apply(both(epsilon, delta)),
        MOST,
        played);
  }

  /** The loosest profile with an epsilon and a delta. */
  private static PrivacyProfile both(double epsilon, double delta) {
    PrivacyProfile pure = PrivacyProfile.pure(epsilon);
    return at -> Math.min(1, delta + (1 - delta) * pure.delta(at));
  }

  /**
   * The largest mu of Gaussian noise that is refuted; 0 if none is. Of noise that is not Gaussian
   * it says nothing.
   */
  public double gaussianMu(Played played, Function<PrivacyProfile, OneRunBound> bound) {
    return largest(mu -> bound.apply(PrivacyProfile.gaussian(mu)), MOST, played);
  }

  private double largest(DoubleFunction<OneRunBound> claim, double most, Played played) {
    double low = 0;
    double high = most;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (refutes(claim.apply(middle), played)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
