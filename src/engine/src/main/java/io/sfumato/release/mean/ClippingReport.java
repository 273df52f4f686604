// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.pipeline.Fact.Form;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.ReportText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * What bounds do to a PUBLIC example of numbers, beside the noise that they need: wide ones have
 * more noise, narrow ones clip more.
 *
 * @param errors of the plan
 * @param rows of the example, one a record, in the order of {@code input.values}; at least one
 */
record ClippingReport(MeanErrors errors, double[][] rows) {
  /** Parts of the example that upper bounds worth comparing leave within. */
  private static final double[] WITHIN = {0.9, 0.95, 0.99, 0.999, 1};

  /**
   * Some bounds.
   *
   * @param beyond part of the example that lies outside
   * @param bias what clipping moves the example's mean by
   * @param noise half the width of a mean's 95% interval, in windows as planned
   */
  private record Choice(NumberBounds bounds, double beyond, double bias, double noise) {
    double error() {
      return Math.abs(bias) + noise;
    }
  }

  private double[] example(MeasuredValue value) {
    return Arrays.stream(rows).mapToDouble(row -> row[value.place()]).sorted().toArray();
  }

  private Choice choice(double[] sorted, NumberBounds bounds) {
    double mean = Arrays.stream(sorted).average().orElseThrow();
    double clipped =
        Arrays.stream(sorted)
            .map(x -> Math.max(bounds.lo(), Math.min(bounds.hi(), x)))
            .average()
            .orElseThrow();
    long outside = Arrays.stream(sorted).filter(x -> x < bounds.lo() || x > bounds.hi()).count();
    double noise = errors.meanAt(bounds, bounds.place(clipped));
    return new Choice(bounds, outside / (double) sorted.length, clipped - mean, noise);
  }

  /** The file's bounds and others, the narrowest first. */
  private List<Choice> choices(MeasuredValue value, double[] sorted) {
    TreeSet<Double> ends = new TreeSet<>();
    ends.add(value.planned().hi());
    for (double part : WITHIN) {
      double end = sorted[(int) Math.max(0, Math.ceil(part * sorted.length) - 1)];
      double unit =
          StrictMath.pow(10, Math.floor(StrictMath.log10(Math.max(Math.abs(end), 1e-300))) - 1);
      ends.add(Math.min(RandomFeatures.LARGEST_INPUT, Math.ceil(end / unit) * unit));
    }
    List<Choice> choices = new ArrayList<>();
    for (double end : ends.tailSet(value.planned().lo(), false)) {
      choices.add(choice(sorted, new NumberBounds(value.planned().lo(), end)));
    }
    return choices;
  }

  /** An example of each number, with the bounds that are worth comparing. */
  Facts facts() {
    return Facts.titled(
            "example",
            "of public numbers, beside noise of " + Plurals.of(errors.records(), "record"))
        .row("bounds")
        .table("example", errors.spec().values().stream().map(this::one).toList());
  }

  private Facts one(MeasuredValue value) {
    double[] sorted = example(value);
    List<Choice> choices = choices(value, sorted);
    Choice file = choice(sorted, value.planned());
    Choice best = choices.stream().min(Comparator.comparing(Choice::error)).orElseThrow();
    Facts facts =
        Facts.of()
            .words("", "value", value.name())
            .number("", "numbers", sorted.length, "numbers")
            .table("bounds", choices.stream().map(choice -> one(choice, value)).toList());
    return best.error() < 0.8 * file.error()
        ? facts.say(
            "%s would have the least error on numbers like these (bounds are public: choose "
                + "them from public numbers, never from the data)",
            shown(best.bounds()))
        : facts;
  }

  private static Facts one(Choice choice, MeasuredValue value) {
    boolean isOfFile = choice.bounds().equals(value.planned());
    return Facts.of()
        .say("%s%s", shown(choice.bounds()), isOfFile ? " (the file's)" : "")
        .forPrograms()
        .number("", "lowest", choice.bounds().lo())
        .number("", "highest", choice.bounds().hi())
        .row("bounds")
        .number("", "outside", choice.beyond(), Form.PERCENT, "of the numbers lie outside")
        .number("which moves their mean by", "bias", choice.bias())
        .bar("noise", "mean_error_95", choice.noise(), "");
  }

  private static String shown(NumberBounds bounds) {
    return "[%s, %s]".formatted(number(bounds.lo()), number(bounds.hi()));
  }

  /** Without the last digits of a product. */
  private static String number(double value) {
    return ReportText.number(Double.parseDouble(String.format(Locale.ROOT, "%.6g", value)));
  }
}
