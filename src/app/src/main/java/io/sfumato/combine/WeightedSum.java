// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Sums, differences and means of rows, with weights. */
public final class WeightedSum {
  /** Keeps a whole half width from being rounded down by an error of the search. */
  private static final double ROUNDING = 1e-9;

  /**
   * A row and its weight.
   *
   * @param weight may be negative
   */
  record Term(double weight, FileRow row) {}

  private WeightedSum() {}

  /**
   * The sum of one measure over rows that share no records and no draws.
   *
   * @throws InvalidCombinationException if there is no valid interval
   */
  public static Combined sum(List<FileRow> rows) {
    return of(addends(rows));
  }

  static List<Term> addends(List<FileRow> rows) {
    Independence.requireLinear(rows);
    if (rows.size() > 1) {
      Independence.requireNoUsers(rows);
      Independence.requireDisjoint(rows);
    }
    return rows.stream().map(row -> new Term(1, row)).toList();
  }

  /**
   * The mean of one measure, with public weights.
   *
   * @param weights one a row, at least 0
   * @throws InvalidCombinationException if there is no valid interval
   */
  public static Combined mean(List<FileRow> rows, List<Double> weights) {
    double total = weights.stream().mapToDouble(weight -> weight).sum();
    boolean isValid = weights.stream().allMatch(weight -> weight >= 0);
    if (weights.size() != rows.size() || !isValid || !(total > 0) || Double.isInfinite(total)) {
      throw new InvalidCombinationException(
          "give one weight of 0 or more for each of the %d rows, and not only zeros", rows.size());
    }
    Independence.requireLinear(rows);
    Independence.requireDisjoint(rows);
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      terms.add(new Term(weights.get(i) / total, rows.get(i)));
    }
    return of(terms);
  }

  /**
   * The sum of some rows less that of others; rows may be in both. Of two single rows also of
   * measures that do not add up, such as means.
   *
   * @throws InvalidCombinationException if there is no valid interval
   */
  public static Combined difference(List<FileRow> first, List<FileRow> second) {
    if (first.size() == 1 && second.size() == 1 && !(first.get(0).adds() && second.get(0).adds())) {
      return apart(first.get(0), second.get(0));
    }
    Map<FileRow, Term> terms = new LinkedHashMap<>();
    addends(first).forEach(term -> add(terms, 1, term.row()));
    addends(second).forEach(term -> add(terms, -1, term.row()));
    Independence.requireOnce(terms.keySet());
    Independence.requireOneMeasure(terms.keySet());
    Independence.requireIndependent(terms.keySet());
    return of(List.copyOf(terms.values()));
  }

  private static void add(Map<FileRow, Term> terms, double weight, FileRow row) {
    terms.merge(row, new Term(weight, row), (a, b) -> new Term(a.weight() + b.weight(), row));
  }

  private static Combined of(List<Term> terms) {
    List<FileRow> rows = terms.stream().map(Term::row).toList();
    boolean isWhole = terms.stream().allMatch(WeightedSum::isWhole);
    double value = terms.stream().mapToDouble(term -> term.weight() * term.row().number()).sum();
    Term only = terms.get(0);
    if (terms.size() == 1 && only.row().ends().isPresent()) {
      double one = only.weight() * only.row().low();
      double other = only.weight() * only.row().high();
      OptionalDouble deviation =
          only.row().deviation().isPresent()
              ? OptionalDouble.of(Math.abs(only.weight()) * only.row().deviation().getAsDouble())
              : OptionalDouble.empty();
      return Combined.of(
          number(value, isWhole),
          number(Math.min(one, other), isWhole),
          number(Math.max(one, other), isWhole),
          deviation,
          rows);
    }
    CombinedNoise noise =
        new CombinedNoise(
            terms.stream().map(term -> StatedNoise.of(term.row()).times(term.weight(), 1)).toList(),
            CombinedNoise.SUM);
    double half = noise.halfWidth();
    double wide = isWhole ? Math.floor(half + ROUNDING) : half;
    return Combined.of(
        number(value, isWhole),
        number(value - wide, isWhole),
        number(value + wide, isWhole),
        OptionalDouble.of(noise.deviation()),
        rows);
  }

  private static boolean isWhole(Term term) {
    return term.weight() == Math.rint(term.weight()) && term.row().isWhole();
  }

  private static Number number(double value, boolean isWhole) {
    return isWhole ? (Number) (long) value : (Number) value;
  }

  /**
   * Of numbers with intervals alone, such as means and quantiles: distances add up. They may be
   * limits of what is possible, or of a bin in which the number lies anywhere, so they do not add
   * in squares as deviations of noise do.
   */
  private static Combined apart(FileRow first, FileRow second) {
    for (FileRow row : List.of(first, second)) {
      Independence.requireKnown(row);
      if (row.ends().isEmpty()) {
        throw new InvalidCombinationException(
            "%s has no interval: take a measure that has one", row);
      }
      if (row.marks().clamped()) {
        throw new InvalidCombinationException(
            "%s is clamped, so the difference is wrong on average: read both intervals instead",
            row);
      }
    }
    Independence.requireOneMeasure(List.of(first, second));
    Independence.requireOnce(List.of(first, second));
    Independence.requireIndependent(List.of(first, second));
    double value = first.number() - second.number();
    return Combined.of(
        value,
        first.low() - second.high(),
        first.high() - second.low(),
        OptionalDouble.empty(),
        List.of(first, second));
  }
}
