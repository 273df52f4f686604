// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.Quantile;
import io.sfumato.schema.QuantileRelease;
import io.sfumato.schema.QuantileRow;
import io.sfumato.text.Visible;
import java.util.Comparator;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Each quantile with its interval; those of categories as a grid below the line of all. */
final class QuantileView implements OutputView {
  private static final int ON_CARD = 40;

  @Override
  public Schema schema() {
    return QuantileRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("count", "quantiles", "categories");
  }

  @Override
  public String row(IndexedRecord output) {
    QuantileRelease release = (QuantileRelease) output;
    return Visible.of(release.getValue())
        + " "
        + release.getQuantiles().stream()
            .map(quantile -> QuantileText.label(quantile) + " " + QuantileText.of(quantile))
            .collect(Collectors.joining(", "))
        + " of "
        + ViewText.interval(release.getCount())
        + " records"
        + ViewText.leftOut(release.getExampleLeftOut())
        + (release.getCategories() == null ? "" : grid(release));
  }

  private static String grid(QuantileRelease release) {
    return new QuantileGrid(release)
        .lines().stream().map(line -> System.lineSeparator() + line).collect(Collectors.joining());
  }

  @Override
  public boolean hasCourse() {
    return true;
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    QuantileRelease release = (QuantileRelease) output;
    return new Card(
        release.getWindowStart(),
        release.getWindowEnd(),
        release.getRecords() == null ? OptionalLong.empty() : OptionalLong.of(release.getRecords()),
        ViewText.optional(release.getExampleLeftOut()),
        rows(release).limit(ON_CARD).toList());
  }

  /** Of categories where these are told apart, each by what is nearest to its median. */
  private static Stream<Card.Row> rows(QuantileRelease release) {
    return release.getCategories() == null
        ? release.getQuantiles().stream().map(quantile -> row(release, "", quantile))
        : release.getCategories().stream()
            .map(
                category ->
                    row(release, Visible.of(category.getCategory()) + " ", middle(category)));
  }

  private static Quantile middle(QuantileRow category) {
    return category.getQuantiles().stream()
        .min(Comparator.comparingDouble(quantile -> Math.abs(quantile.getOf() - 0.5)))
        .orElseThrow();
  }

  /** What is unknown stands behind all that is known. */
  private static Card.Row row(QuantileRelease release, String of, Quantile quantile) {
    Estimate at = quantile.getAt();
    return new Card.Row(
        of + QuantileText.label(quantile),
        at.getUnknown() ? release.getLowest() : at.getValue(),
        OptionalDouble.of(place(release, at.getValue())),
        OptionalDouble.of((place(release, at.getHigh()) - place(release, at.getLow())) / 2),
        QuantileText.of(quantile));
  }

  /** Where on its scale a number lies, 0 to 1. */
  private static double place(QuantileRelease release, double value) {
    double low = release.getLowest();
    double high = release.getHighest();
    return release.getScale().equals("log")
        ? StrictMath.log(value / low) / StrictMath.log(high / low)
        : (value - low) / (high - low);
  }
}
