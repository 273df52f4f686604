// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Stretch;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Names, those with the most records first. */
final class NamesView implements OutputView {
  /** So many in a row of a table. */
  private static final int IN_ROW = 8;

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
  public String row(IndexedRecord output) {
    NamesRelease names = (NamesRelease) output;
    String part =
        names.getParts() == 1
            ? ""
            : "part %d of %d: ".formatted(names.getPart() + 1, names.getParts());
    String head = LargestNames.since(names.getSince(), names.getWindowStart()) + part;
    String other =
        names.getOther() == null
            ? ""
            : "  other %,d +-%,d".formatted(names.getOther(), names.getOtherError95());
    if (names.getNames().isEmpty()) {
      return head
          + "no name with a noisy count of %,d or more".formatted(names.getThreshold())
          + other;
    }
    List<CountedName> first = LargestNames.first(names.getNames(), IN_ROW);
    long found = names.getNames().stream().filter(CountedName::getFound).count();
    return head
        + LargestNames.line(
            first.stream()
                .map(name -> LargestNames.shown(name.getName(), name.getCount(), name.getFound()))
                .toList(),
            names.getNames().size(),
            found > 0 ? ", %,d found".formatted(found) : "")
        + LargestNames.within(first.stream().map(NamesView::bar).toList())
        + other
        + ViewText.leftOut(names.getExampleLeftOut());
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

  /** Of thousands of names a card shows a few. */
  @Override
  public IndexedRecord brief(IndexedRecord whole) {
    NamesRelease brief = copy(whole);
    brief.setNames(LargestNames.first(((NamesRelease) whole).getNames(), ON_CARD));
    return brief;
  }

  @Override
  public boolean hasCourse() {
    return false;
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    NamesRelease names = (NamesRelease) output;
    return LargestNames.card(
        stretch(names, planned),
        names.getWindowEnd(),
        LargestNames.first(names.getNames(), ON_CARD).stream().map(NamesView::bar).toList(),
        Math.max(names.getListed(), names.getNames().size()),
        ViewText.optional(names.getExampleLeftOut()));
  }

  private static Stretch stretch(NamesRelease names, PlannedRelease planned) {
    Instant start = names.getWindowStart();
    if (planned.spec().windowsCounted() == 1) {
      return Stretch.own(start);
    }
    Duration size = Duration.between(start, names.getWindowEnd());
    return Stretch.running(
        names.getSince(), 1 + Duration.between(names.getSince(), start).dividedBy(size));
  }

  private static LargestNames.Bar bar(CountedName name) {
    return new LargestNames.Bar(
        name.getName(), name.getCount(), name.getLow(), name.getHigh(), name.getFound());
  }
}
