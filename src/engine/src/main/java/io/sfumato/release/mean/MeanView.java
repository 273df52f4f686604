// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.inference.Likelihood;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Stretch;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import io.sfumato.text.Visible;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Means first, since these are what the release is about; those of categories a line each. */
final class MeanView implements OutputView {
  /** So many categories are shown. */
  private static final int ROWS = 10;

  private static final String INDENT = System.lineSeparator() + "    ";

  @Override
  public Schema schema() {
    return MeanRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("rows", "last_rows");
  }

  @Override
  public String row(IndexedRecord output) {
    MeanRelease release = (MeanRelease) output;
    String since =
        release.getSince() == null || release.getSince().equals(release.getWindowStart())
            ? ""
            : "since " + ViewText.start(release.getSince()) + "  ";
    String last =
        release.getLastRows() == null
            ? ""
            : "  last %d: %s".formatted(release.getLastWindows(), told(release.getLastRows()));
    return since + told(release.getRows()) + last + ViewText.leftOut(release.getExampleLeftOut());
  }

  private static String told(List<MeanRow> rows) {
    if (rows.stream().allMatch(row -> row.getCategory() == null)) {
      return rows.stream().map(MeanView::told).collect(Collectors.joining("; "));
    }
    String lines =
        rows.stream().limit(ROWS).map(MeanView::told).collect(Collectors.joining(INDENT));
    int rest = rows.size() - ROWS;
    return "by category"
        + INDENT
        + lines
        + (rest > 0 ? INDENT + String.format(Locale.ROOT, "and %,d more", rest) : "");
  }

  private static String told(MeanRow row) {
    List<String> parts = new ArrayList<>();
    parts.add(
        "mean " + (row.getMean().getUnknown() ? "unknown (too much noise)" : text(row.getMean())));
    if (row.getSpread() != null) {
      parts.add("spread " + (row.getSpread().getUnknown() ? "unknown" : text(row.getSpread())));
    }
    parts.add("sum " + text(row.getSum()));
    parts.add(
        "of " + text(row.getCount()) + (row.getCount().getValue() == 1 ? " record" : " records"));
    return name(row) + " " + String.join(", ", parts);
  }

  private static String name(MeanRow row) {
    return Visible.of(
        row.getCategory() == null ? row.getValue() : row.getCategory() + " " + row.getValue());
  }

  private static String text(Estimate estimate) {
    return ViewText.interval(estimate);
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    MeanRelease release = (MeanRelease) output;
    List<Card.Group> groups = new ArrayList<>();
    groups.add(
        group(
            release.getSince() == null
                ? Stretch.own(release.getWindowStart())
                : Stretch.running(release.getSince(), release.getWindows()),
            release.getRows(),
            release.getRecords() != null));
    if (release.getLastRows() != null) {
      groups.add(
          group(
              Stretch.last(release.getLastSince(), release.getLastWindows()),
              release.getLastRows(),
              release.getLastRecords() != null));
    }
    return new Card(
        release.getWindowEnd(),
        release.getRecords() == null ? OptionalLong.empty() : OptionalLong.of(release.getRecords()),
        ViewText.optional(release.getExampleLeftOut()),
        groups);
  }

  private static Card.Group group(Stretch about, List<MeanRow> rows, boolean isPublic) {
    return new Card.Group(
        about,
        Stream.concat(rows.stream().map(MeanView::bar), isPublic ? Stream.empty() : counts(rows))
            .toList());
  }

  @Override
  public boolean hasCourse() {
    return true;
  }

  /**
   * Of all of one window's records together: a simulator tells nothing of categories, nor of other
   * windows.
   *
   * @throws IllegalArgumentException if the release is none that the file plans; says why
   */
  @Override
  public Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease planned) {
    if (!planned.canBeAsked()) {
      return Optional.empty();
    }
    PlannedMean means = (PlannedMean) planned;
    MeanRelease release = (MeanRelease) output;
    List<NumberBounds> within =
        release.getRows().stream()
            .map(row -> new NumberBounds(row.getLowest(), row.getHighest()))
            .toList();
    double deviation = means.plan().mechanism().noise().deviation() / BernsteinParts.STEPS;
    if (!isOf(release, within, means.spec()) || release.getDeviation() != deviation) {
      throw new IllegalArgumentException(
          "the release is of %s with noise of %.6g, the file plans %s with %.6g: it is of another version of the file"
              .formatted(
                  Visible.of(
                      String.join(", ", release.getRows().stream().map(MeanView::range).toList())),
                  release.getDeviation(),
                  String.join(
                      ", ", means.spec().values().stream().map(MeasuredValue::range).toList()),
                  deviation));
    }
    return Optional.of(
        means.likelihood(
            within,
            release.getRows().stream()
                .flatMap(row -> row.getParts().stream())
                .mapToDouble(Double::doubleValue)
                .toArray(),
            release.getRecords() == null
                ? OptionalLong.empty()
                : OptionalLong.of(release.getRecords())));
  }

  /** Whether the same numbers were summarised, within the file's bounds where it says any. */
  private static boolean isOf(MeanRelease release, List<NumberBounds> within, MeanSpec spec) {
    List<MeasuredValue> values = spec.values();
    return release.getRows().size() == values.size()
        && IntStream.range(0, values.size())
            .allMatch(
                i ->
                    release.getRows().get(i).getValue().equals(values.get(i).name())
                        && values.get(i).bounds().map(within.get(i)::equals).orElse(true));
  }

  private static String range(MeanRow row) {
    return "%s from %s to %s".formatted(row.getValue(), row.getLowest(), row.getHighest());
  }

  /**
   * The number of records, where it is not public. Of categories the means alone: a card shows the
   * largest numbers, and would have no room for any of them.
   */
  private static Stream<Card.Row> counts(List<MeanRow> rows) {
    return rows.stream()
        .limit(1)
        .filter(row -> row.getCategory() == null)
        .map(
            row ->
                new Card.Row(
                    "records",
                    row.getCount().getValue(),
                    ViewText.around(row.getCount().getValue(), half(row.getCount()))));
  }

  private static double half(Estimate estimate) {
    return Math.max(
        estimate.getHigh() - estimate.getValue(), estimate.getValue() - estimate.getLow());
  }

  /** Where in its range the mean lies; what is unknown stands behind all that is known. */
  private static Card.Row bar(MeanRow row) {
    Estimate mean = row.getMean();
    double range = row.getHighest() - row.getLowest();
    boolean unknown = row.getMean().getUnknown();
    return new Card.Row(
        name(row),
        unknown ? row.getLowest() : mean.getValue(),
        OptionalDouble.of((mean.getValue() - row.getLowest()) / range),
        OptionalDouble.of((mean.getHigh() - mean.getLow()) / (2 * range)),
        unknown ? "unknown" : ViewText.around(mean.getValue(), half(mean)));
  }
}
