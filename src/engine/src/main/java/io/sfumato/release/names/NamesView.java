// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.rows.Stretch;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Names, those with the most records first. */
final class NamesView implements OutputView {
  private static final String OTHER = "other";

  /** So many on a terminal. */
  private static final int ON_TERMINAL = 8;

  /** So many on a card. */
  private static final int ON_CARD = 20;

  @Override
  public Schema schema() {
    return NamesRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("parts", "names", "listed", "other", "other_error_95");
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    NamesRelease names = (NamesRelease) output;
    OutputRows rows =
        OutputRows.of(output).about(stretch(names, planned)).sharing(NoiseScope.WINDOW);
    if (names.getParts() > 1) {
      rows.fact(Reading.PART, Quantity.of((long) names.getPart()))
          .drawn(Group.ALL, "parts", Quantity.of((long) names.getParts()));
    }
    rows.fact("threshold", Quantity.of(names.getThreshold()))
        .fact("most names", Quantity.of(names.getMost()))
        .drawn(Group.ALL, "listed names", Quantity.of(names.getListed()));
    if (names.getOther() != null) {
      rows.sharing(NoiseScope.ROW)
          .drawn(Group.ALL, OTHER, Quantity.around(names.getOther(), names.getOtherError95()));
    }
    rows.sharing(NoiseScope.GROUP);
    for (CountedName name : names.getNames()) {
      LargestNames.add(
          rows,
          name.getName(),
          Quantity.between(name.getCount(), name.getLow(), name.getHigh()),
          name.getFound());
    }
    return rows.all();
  }

  /** With a plan that counts over windows, the first of them is said to be one of several. */
  private static Stretch stretch(NamesRelease names, Optional<PlannedRelease> planned) {
    Instant start = names.getWindowStart();
    boolean runs =
        names.getSince().isBefore(start)
            || planned.map(release -> release.spec().windowsCounted() > 1).orElse(false);
    Duration size = Duration.between(start, names.getWindowEnd());
    return runs
        ? Stretch.running(
            names.getSince(), 1 + Duration.between(names.getSince(), start).dividedBy(size))
        : Stretch.own(start);
  }

  @Override
  public Reading reading(IndexedRecord output) {
    NamesRelease names = (NamesRelease) output;
    return LargestNames.reading()
        .saying(
            names.getParts() == 1
                ? ""
                : "part %d of %d:".formatted(names.getPart() + 1, names.getParts()),
            String.format(
                Locale.ROOT, "no name with a noisy count of %,d or more", names.getThreshold()))
        .withFacts(Column.of(OTHER, "", Style.AROUND).worded("other %s"))
        .largest(ON_TERMINAL, ON_CARD);
  }

  @Override
  public int parts(IndexedRecord output) {
    return ((NamesRelease) output).getParts();
  }

  @Override
  public int part(IndexedRecord output) {
    return ((NamesRelease) output).getPart();
  }

  /** All names of a window in one list, as if it were not too long for one record. */
  @Override
  public IndexedRecord together(List<IndexedRecord> parts) {
    NamesRelease whole = copy(parts.get(0));
    whole.setPart(0);
    whole.setParts(1);
    whole.setNames(
        parts.stream().flatMap(part -> ((NamesRelease) part).getNames().stream()).toList());
    return whole;
  }

  /** With the same names: thousands are not copied. */
  private static NamesRelease copy(IndexedRecord list) {
    NamesRelease copy = new NamesRelease();
    copy.getSchema().getFields().forEach(field -> copy.put(field.pos(), list.get(field.pos())));
    return copy;
  }
}
