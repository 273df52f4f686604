// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.console.Visible;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.Quantile;
import io.sfumato.schema.QuantileRelease;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Each quantile with its interval. */
final class QuantileView implements OutputView {
  private static final double MEDIAN = 0.5;

  @Override
  public Schema schema() {
    return QuantileRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("count", "quantiles");
  }

  @Override
  public String row(IndexedRecord output) {
    QuantileRelease release = (QuantileRelease) output;
    return Visible.of(release.getValue())
        + " "
        + release.getQuantiles().stream()
            .map(quantile -> label(quantile) + " " + text(release, quantile))
            .collect(Collectors.joining(", "))
        + " of "
        + text(release.getCount())
        + " records"
        + ViewText.leftOut(release.getExampleLeftOut());
  }

  private static String label(Quantile quantile) {
    double of = quantile.getOf();
    return of == MEDIAN ? "median" : String.format(Locale.ROOT, "%s%%", percent(of));
  }

  private static String percent(double of) {
    String text = String.format(Locale.ROOT, "%.6f", 100 * of);
    return text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }

  /** Where noise leaves the whole range open a number would only look like one. */
  private static String text(QuantileRelease release, Quantile quantile) {
    Estimate at = quantile.getAt();
    if (at.getLow() <= release.getLowest() && at.getHigh() >= release.getHighest()) {
      return "unknown (too few records)";
    }
    return text(at) + (quantile.getClipped() ? " or beyond" : "");
  }

  private static String text(Estimate estimate) {
    return ViewText.interval(estimate.getValue(), estimate.getLow(), estimate.getHigh());
  }

  @Override
  public boolean hasCourse() {
    return true;
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    QuantileRelease release = (QuantileRelease) output;
    List<Card.Row> rows =
        release.getQuantiles().stream().map(quantile -> row(release, quantile)).toList();
    return new Card(
        release.getWindowStart(),
        release.getWindowEnd(),
        release.getRecords() == null ? OptionalLong.empty() : OptionalLong.of(release.getRecords()),
        ViewText.optional(release.getExampleLeftOut()),
        rows);
  }

  private static Card.Row row(QuantileRelease release, Quantile quantile) {
    Estimate at = quantile.getAt();
    return new Card.Row(
        label(quantile),
        at.getValue(),
        OptionalDouble.of(place(release, at.getValue())),
        OptionalDouble.of((place(release, at.getHigh()) - place(release, at.getLow())) / 2),
        text(release, quantile));
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
