// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.inference.Inference;
import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.Simulator;
import io.sfumato.modeller.Simulators;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.Plan;
import io.sfumato.release.Releases;
import io.sfumato.release.abc.AbcSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What each output would be worth to a modeller: made-up windows of the public prior are drawn from
 * and inferred about, and the posterior's mean is held against the truth.
 *
 * @param simulator its word
 * @param priorError mean absolute error of the prior's mean, over windows and parameters
 * @param learned of outputs that a modeller could ask, in the file's order
 * @param instead of another kind of release in the place of a query, at its share
 */
public record ModelOutlook(
    String simulator, double priorError, List<Learned> learned, List<Learned> instead) {
  /** Made-up windows: the mean error of so many is known to a quarter. */
  private static final int WINDOWS = 12;

  /** Draws from the prior whose mean stands for the prior's. */
  private static final int PRIOR_DRAWS = 4000;

  /** More take too long for a plan. */
  private static final int MOST_CANDIDATES = 20_000;

  /** So much more error is worth a word. */
  private static final double MUCH_LESS = 1.25;

  /** Part of the prior's error above which nothing was learned. */
  private static final double NOTHING = 0.9;

  /**
   * What one output taught.
   *
   * @param name of the output
   * @param kind of release
   * @param error mean absolute error of the posterior's mean
   */
  public record Learned(String name, String kind, double error) {
    private Facts facts() {
      return Facts.of()
          .words("output", "name", name)
          .words("", "kind", kind)
          .number("error", "error", error);
    }
  }

  /** A made-up window's truth. */
  private record Truth(double[] theta, int place) {}

  /**
   * Of a plan; nothing where nobody asks: a file without queries, whose outputs were not asked
   * about, or none that tells anything of a model.
   *
   * @param chosen a simulator's word; without one event-rates, where a file answers queries about
   *     categories
   * @throws IllegalArgumentException if there is no such simulator, or no output is about its data
   */
  public static Optional<ModelOutlook> of(Plan plan, Optional<String> chosen) {
    List<String> categories = plan.pipeline().input().allCategories();
    boolean asked = !AbcSpec.of(plan.pipeline()).isEmpty() && !categories.isEmpty();
    if (chosen.isEmpty() && !asked) {
      return Optional.empty();
    }
    String word = chosen.orElse("event-rates");
    Simulator simulator = Simulators.named(word, categories);
    List<Truth> truths = truths(simulator);
    List<Learned> learned = new ArrayList<>();
    List<Learned> instead = new ArrayList<>();
    Optional<String> unfit = Optional.empty();
    for (PlannedRelease release : plan.releases()) {
      try {
        learn(plan, release, simulator, truths).ifPresent(learned::add);
        for (PlannedRelease other : LikelihoodAdvice.of(plan, release)) {
          learn(plan, other, simulator, truths).ifPresent(instead::add);
        }
      } catch (IllegalArgumentException e) {
        unfit = Optional.of(e.getMessage());
      }
    }
    if (learned.isEmpty()) {
      if (chosen.isPresent()) {
        throw new IllegalArgumentException(
            unfit.orElse(
                "no output of the file supports model inference; histogram, features and abc do"));
      }
      return Optional.empty();
    }
    return Optional.of(new ModelOutlook(word, priorError(simulator, truths), learned, instead));
  }

  private static KeyedRandom random(String what, int place) {
    return KeyedRandom.ofPublicSeed("outlook " + what + " " + place);
  }

  private static List<Truth> truths(Simulator simulator) {
    Prior prior = Prior.of(simulator, List.of());
    return IntStream.range(0, WINDOWS)
        .mapToObj(i -> new Truth(prior.draw(random("truth", i)), i))
        .toList();
  }

  private static Optional<Learned> learn(
      Plan plan, PlannedRelease release, Simulator simulator, List<Truth> truths) {
    Optional<Inference> inference = release.inference(plan.pipeline().partOf(release.spec()));
    if (inference.isEmpty()
        || release.spec() instanceof AbcSpec abc && abc.candidates() > MOST_CANDIDATES) {
      return Optional.empty();
    }
    double[] errors =
        truths.parallelStream()
            .mapToDouble(truth -> error(inference.get(), simulator, truth))
            .toArray();
    return Optional.of(
        new Learned(
            release.spec().name(),
            Releases.kindOf(release.spec()),
            DoubleStream.of(errors).average().orElseThrow()));
  }

  private static double error(Inference inference, Simulator simulator, Truth truth) {
    KeyedRandom random = random("window", truth.place());
    Posterior found =
        inference.of(
            simulator.simulate(truth.theta(), inference.records(), random), simulator, random);
    double[] mean =
        found.isEmpty()
            ? priorMean(simulator)
            : IntStream.range(0, truth.theta().length).mapToDouble(found::mean).toArray();
    return error(mean, truth.theta());
  }

  private static double priorError(Simulator simulator, List<Truth> truths) {
    double[] mean = priorMean(simulator);
    return truths.stream().mapToDouble(truth -> error(mean, truth.theta())).average().orElseThrow();
  }

  private static double[] priorMean(Simulator simulator) {
    Prior prior = Prior.of(simulator, List.of());
    double[] sum = new double[simulator.parameters().size()];
    for (int i = 0; i < PRIOR_DRAWS; i++) {
      double[] theta = prior.draw(random("prior", i));
      Arrays.setAll(sum, k -> sum[k] + theta[k] / PRIOR_DRAWS);
    }
    return sum;
  }

  private static double error(double[] mean, double[] theta) {
    return IntStream.range(0, theta.length)
        .mapToDouble(k -> Math.abs(mean[k] - theta[k]))
        .average()
        .orElseThrow();
  }

  /** What the author of the file should know; empty if nothing. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (Learned mine : learned) {
      if (mine.error() > NOTHING * priorError) {
        warnings.add(
            "a posterior from '%s' will hardly differ from the prior: raise its share, or use a longer window, which has more records"
                .formatted(mine.name()));
      }
      instead.stream()
          .filter(other -> other.name().equals(mine.name()))
          .filter(other -> other.error() * MUCH_LESS < mine.error())
          .map(
              other ->
                  String.format(
                      Locale.ROOT,
                      "a release '%s' in place of '%s', with the same share, would have an "
                          + "error of %.3g instead of %.3g (posterior mean of %s, in %d simulated "
                          + "windows) and answers any number of candidates (sfumato query "
                          + "--from): prefer it unless you need this mechanism",
                      other.kind(),
                      mine.name(),
                      other.error(),
                      mine.error(),
                      simulator,
                      WINDOWS))
          .forEach(warnings::add);
    }
    return warnings;
  }

  /** What a plan says of it. */
  public Facts facts() {
    return Facts.titled("model", simulator)
        .forPrograms()
        .words("", "simulator", simulator)
        .row("error")
        .say("mean absolute error of the posterior mean")
        .number("in", "windows", WINDOWS, "simulated windows")
        .number("prior mean", "prior_error", priorError)
        .table("posterior_errors", learned.stream().map(Learned::facts).toList())
        .forPrograms()
        .table("instead", instead.stream().map(Learned::facts).toList())
        .allWarnings(warnings());
  }
}
