// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Names, those with the most records first. */
final class NamesView implements OutputView {
  /** So many in a row of a table. */
  private static final int IN_ROW = 6;

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
    part = LargestNames.since(names.getSince(), names.getWindowStart()) + part;
    String other =
        names.getOther() == null
            ? ""
            : String.format(
                Locale.ROOT, "  other %,d +-%,d", names.getOther(), names.getOtherError95());
    if (names.getNames().isEmpty()) {
      return String.format(
          Locale.ROOT,
          "%sno name with a noisy count of %,d or more%s",
          part,
          names.getThreshold(),
          other);
    }
    long found = names.getNames().stream().filter(CountedName::getFound).count();
    int rest = names.getNames().size() - IN_ROW;
    return part
        + LargestNames.first(names.getNames(), IN_ROW).stream()
            .map(name -> LargestNames.shown(bar(name)))
            .collect(Collectors.joining("  "))
        + (rest > 0 ? "  and %,d more".formatted(rest) : "")
        + (found > 0 && rest > 0 ? ", %,d found".formatted(found) : "")
        + other;
  }

  @Override
  public int parts(IndexedRecord output) {
    return ((NamesRelease) output).getParts();
  }

  /** All names of a window in one list, as if it were not too long for one record. */
  @Override
  public IndexedRecord together(List<IndexedRecord> parts) {
    NamesRelease whole = NamesRelease.newBuilder((NamesRelease) parts.get(0)).build();
    whole.setPart(0);
    whole.setParts(1);
    whole.setNames(
        parts.stream().flatMap(part -> ((NamesRelease) part).getNames().stream()).toList());
    return whole;
  }

  @Override
  public boolean hasCourse() {
    return false;
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    NamesRelease names = (NamesRelease) output;
    return LargestNames.card(
        names.getSince(),
        names.getWindowStart(),
        names.getWindowEnd(),
        LargestNames.first(names.getNames(), ON_CARD).stream().map(NamesView::bar).toList());
  }

  private static LargestNames.Bar bar(CountedName name) {
    return new LargestNames.Bar(
        name.getName(), name.getCount(), name.getLow(), name.getHigh(), name.getFound());
  }
}
