// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.DirichletMultinomial;
import io.sfumato.random.GammaSampler;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One draw y ~ Dirichlet(r f + a) of a histogram f: strictly positive shares that add up to 1, or
 * whole numbers of items drawn from y without ever drawing y itself.
 */
public final class DirichletMechanism implements HistogramMechanism {
  private static final long PROBABILITIES = 0;

  private final DirichletParameters pair;
  private final DirichletBound bound;
  private final int categories;
  private final long items;
  private final PrivacyCost charge;

  /**
   * Publishes probabilities.
   *
   * @param pair r and a
   * @param bound that proves the charge, and names the neighbours
   * @param categories d, at least 2
   */
  public DirichletMechanism(DirichletParameters pair, DirichletBound bound, int categories) {
    this(pair, bound, categories, PROBABILITIES);
  }

  private DirichletMechanism(
      DirichletParameters pair, DirichletBound bound, int categories, long items) {
    this.pair = pair;
    this.bound = bound;
    this.categories = categories;
    this.items = items;
    this.charge = charge(pair, bound);
  }

  /**
   * The same draw, published as {@code items} items: Dirichlet-multinomial, by Polya's urn in whole
   * numbers. Post-processing of y, so the charge is the same.
   *
   * @param items at least 1
   * @throws IllegalArgumentException if there is no item
   */
  public DirichletMechanism asCounts(long items) {
    if (items < 1) {
      throw new IllegalArgumentException("at least 1 item is drawn, was " + items);
    }
    return new DirichletMechanism(pair, bound, categories, items);
  }

  /**
   * What one release costs. Unit and neighbours are the bound's: one record is replaced (Theorems A
   * and B of docs/theory/dirichlet.md, F and G with weights and other statistics, or the paper's
   * Theorem 1), or up to C records of a user are added or removed (Theorem C).
   */
  public static PrivacyCost charge(DirichletParameters pair, DirichletBound bound) {
    return new PrivacyCost(
        "dirichlet " + bound.word() + " " + pair.text(),
        bound.unit(),
        bound.curve(pair),
        OptionalDouble.empty(),
        bound.profile(pair.r(), pair.a()));
  }

  @Override
  public PrivacyCost charge() {
    return charge;
  }

  @Override
  public String method() {
    return "dirichlet";
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new LinkedHashMap<>();
    parameters.put("r", pair.r());
    parameters.put("alpha", pair.a());
    return parameters;
  }

  /** (r, a). */
  public DirichletParameters pair() {
    return pair;
  }

  /** Unit and neighbours. */
  public DirichletBound bound() {
    return bound;
  }

  /** Number of categories. */
  public int categories() {
    return categories;
  }

  /** Number of items that are published; empty where probabilities are. */
  public OptionalLong items() {
    return items == PROBABILITIES ? OptionalLong.empty() : OptionalLong.of(items);
  }

  @Override
  public OutputDistribution<HistogramRelease> distribution(Histogram histogram) {
    if (histogram.categories() != categories) {
      throw new IllegalArgumentException(
          "planned for " + categories + " categories, got " + histogram.categories());
    }
    Histogram raised = raised(histogram);
    return new OutputDistribution<>() {
      @Override
      public void encodeInput(CanonicalEncoder encoder) {
        encoder
            .text("dirichlet")
            .number(pair.rSteps())
            .number(pair.aSteps())
            .number(items)
            .numbers(histogram.counts());
        if (bound.leastCount() > 0) {
          encoder.number(bound.leastCount());
        }
      }

      @Override
      public HistogramRelease draw(KeyedRandom random) {
        return items == PROBABILITIES ? probabilities(raised, random) : counts(raised, random);
      }
    };
  }

  private HistogramRelease probabilities(Histogram histogram, KeyedRandom random) {
    double[] weights = new double[categories];
    for (int i = 0; i < categories; i++) {
      weights[i] = GammaSampler.sample(random, pair.r() * histogram.count(i) + pair.a());
    }
    return Distribution.normalised(weights);
  }

  private HistogramRelease counts(Histogram histogram, KeyedRandom random) {
    return new ItemCounts(
        DirichletMultinomial.draw(
            random,
            histogram.counts(),
            pair.rSteps(),
            pair.aSteps(),
            (long) DirichletParameters.STEPS,
            items));
  }

  @Override
  public OptionalDouble divergence(double order, Histogram first, Histogram second) {
    return OptionalDouble.of(
        RenyiDivergences.dirichlet(order, weights(raised(first)), weights(raised(second))));
  }

  /** What the bound relies on: no count below its least. */
  private Histogram raised(Histogram histogram) {
    long least = bound.leastCount();
    return least == 0
        ? histogram
        : new Histogram(Arrays.stream(histogram.counts()).map(n -> Math.max(n, least)).toArray());
  }

  /** r f + a. */
  private double[] weights(Histogram histogram) {
    double[] weights = new double[histogram.categories()];
    Arrays.setAll(weights, i -> pair().r() * histogram.count(i) + pair().a());
    return weights;
  }
}
