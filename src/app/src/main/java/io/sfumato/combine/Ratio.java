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
   * The sum of some rows over that of others. Rows may be in both, as in the share of a category:
   * their noise then has the joint weight 1 - r.
   *
   * @throws InvalidCombinationException if there is no valid interval
   */
  public static Combined of(List<FileRow> first, List<FileRow> second) {
    Map<FileRow, Term> terms = new LinkedHashMap<>();
    WeightedSum.addends(first).forEach(term -> add(terms, new Term(1, 0, term.row())));
    WeightedSum.addends(second).forEach(term -> add(terms, new Term(0, 1, term.row())));
    Independence.requireOnce(terms.keySet());
    Independence.requireIndependent(terms.keySet());
    return of(terms.values(), "add up more windows or groups in it, or take a coarser group");
  }

  private static void add(Map<FileRow, Term> terms, Term one) {
    terms.merge(
        one.row(), one, (a, b) -> new Term(a.above() + b.above(), a.below() + b.below(), a.row()));
  }

  /** Noise with weights that depend on the ratio, and how many rows have it. */
  private record Noise(double above, double below, StatedNoise stated) {}

  /**
   * @param instead what to do where the sum below may be 0
   */
  static Combined of(Collection<Term> terms, String instead) {
    double above = terms.stream().mapToDouble(term -> term.above() * term.row().number()).sum();
    double below = terms.stream().mapToDouble(term -> term.below() * term.row().number()).sum();
    Map<Noise, Long> noises = new LinkedHashMap<>();
    for (Term term : terms) {
      noises.merge(
          new Noise(term.above(), term.below(), StatedNoise.of(term.row())), 1L, Long::sum);
    }
    if (below == 0
        || new CombinedNoise(parts(noises, 0, 1), CombinedNoise.RATIO).excess(Math.abs(below))
            <= 0) {
      throw new InvalidCombinationException(
          "the interval of the denominator contains 0, so the ratio is unknown: %s", instead);
    }
    double value = above / below;
    CombinedNoise noise = new CombinedNoise(parts(noises, 1, -value), CombinedNoise.RATIO);
    DoubleUnaryOperator excess =
        r -> noise.of(parts(noises, 1, -r)).excess(Math.abs(above - r * below));
    double step =
        Math.max(
            2 * noise.deviation() / Math.abs(below), Math.max(Math.abs(value) * 1e-12, 1e-300));
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

  private static List<NoisePart> parts(Map<Noise, Long> noises, double above, double below) {
    List<NoisePart> parts = new ArrayList<>();
    noises.forEach(
        (noise, times) ->
            parts.add(noise.stated().times(above * noise.above() + below * noise.below(), times)));
    return parts;
  }
}
