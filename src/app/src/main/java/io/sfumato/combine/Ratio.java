// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/**
 * Ratios. The interval holds every r for which the sum above less r times the sum below is within
 * its own noise (Fieller).
 */
public final class Ratio {
  /**
   * A row of a ratio.
   *
   * @param above its weight in the sum above
   * @param below its weight in the sum below
   */
  record Term(double above, double below, FileRow row) {}

  private Ratio() {}

  /**
   * The sum of some rows over that of others; rows may be in both, as in a share.
   *
   * @throws InvalidCombinationException if there is no valid interval
   */
  public static Combined of(List<FileRow> first, List<FileRow> second) {
    Map<FileRow.Place, Term> terms = new LinkedHashMap<>();
    WeightedSum.addends(first).forEach(term -> add(terms, new Term(1, 0, term.row())));
    WeightedSum.addends(second).forEach(term -> add(terms, new Term(0, 1, term.row())));
    Independence.requireIndependent(terms.values().stream().map(Term::row).toList());
    return of(terms.values(), "add up more windows or groups below, or take a coarser group");
  }

  private static void add(Map<FileRow.Place, Term> terms, Term one) {
    terms.merge(
        one.row().place(),
        one,
        (a, b) -> new Term(a.above() + b.above(), a.below() + b.below(), a.row()));
  }

  /** Noise with weights that depend on the ratio, and how many rows have it. */
  private record Noise(double above, double below, double deviation, boolean isLaplace) {}

  /**
   * @param instead what to do where the sum below may be 0
   */
  static Combined of(Collection<Term> terms, String instead) {
    double above = terms.stream().mapToDouble(term -> term.above() * term.row().number()).sum();
    double below = terms.stream().mapToDouble(term -> term.below() * term.row().number()).sum();
    Map<Noise, Long> noises = new LinkedHashMap<>();
    for (Term term : terms) {
      CombinedNoise.Part part = WeightedSum.Term.noise(term.row(), 1, 1);
      noises.merge(
          new Noise(term.above(), term.below(), part.deviation(), part.isLaplace()), 1L, Long::sum);
    }
    if (noise(noises, 0, 1).excess(Math.abs(below)) <= 0) {
      throw new InvalidCombinationException(
          "the number below may be 0, so the ratio is unknown: %s", instead);
    }
    double value = above / below;
    DoubleUnaryOperator excess = r -> noise(noises, 1, -r).excess(Math.abs(above - r * below));
    double step =
        Math.max(
            2 * noise(noises, 1, -value).deviation() / Math.abs(below),
            Math.max(Math.abs(value) * 1e-12, 1e-300));
    return Combined.of(
        value,
        end(excess, value, -step),
        end(excess, value, step),
        OptionalDouble.empty(),
        terms.stream().map(Term::row).toList());
  }

  private static double end(DoubleUnaryOperator excess, double value, double step) {
    double inner = value;
    double wide = step;
    while (excess.applyAsDouble(inner + wide) <= 0) {
      inner += wide;
      wide *= 2;
    }
    return Root.between(excess, inner, inner + wide);
  }

  private static CombinedNoise noise(Map<Noise, Long> noises, double above, double below) {
    List<CombinedNoise.Part> parts = new ArrayList<>();
    noises.forEach(
        (noise, times) ->
            parts.add(
                new CombinedNoise.Part(
                    above * noise.above() + below * noise.below(),
                    noise.deviation(),
                    noise.isLaplace(),
                    times)));
    return new CombinedNoise(parts);
  }
}
