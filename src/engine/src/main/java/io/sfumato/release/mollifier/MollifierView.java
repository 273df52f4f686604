// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Place;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.text.ControlCharEscaper;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** One item. */
final class MollifierView implements OutputView {
  private static final String ITEM = "item";

  @Override
  public Schema schema() {
    return MollifiedSample.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("category", "values");
  }

  @Override
  public List<String> categoryFields(Pipeline pipeline) {
    return List.of(ITEM, Group.CATEGORY);
  }

  /** One item of its category, where items have one: counts of items are sums of such rows. */
  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    MollifiedSample item = (MollifiedSample) output;
    String number = Integer.toString(item.getItem());
    Group group =
        item.getCategory() == null
            ? Group.of(ITEM, number)
            : new Group(List.of(ITEM, Group.CATEGORY), List.of(number, item.getCategory()));
    OutputRows rows =
        OutputRows.of(output)
            .sharing(NoiseScope.WINDOW)
            .fact("items", Quantity.of((long) item.getItems()))
            .fact("epsilon", Quantity.of(item.getEpsilon()))
            .drawn(group, ITEM, Quantity.of(1));
    for (int i = 0; i < item.getValues().size(); i++) {
      rows.drawn(group, "number " + i, Quantity.of(item.getValues().get(i)));
    }
    return rows.all();
  }

  @Override
  public Reading reading(IndexedRecord output) {
    MollifiedSample item = (MollifiedSample) output;
    String category = item.getCategory() == null ? "" : ControlCharEscaper.of(item.getCategory());
    return Reading.headline(
            "item %d of %d  %s %s"
                .formatted(
                    item.getItem() + 1,
                    item.getItems(),
                    category,
                    item.getValues().stream()
                        .map(number -> String.format(Locale.ROOT, "%.4g", number))
                        .collect(Collectors.joining(" "))),
            Column.of(ITEM, "", Style.WORDS).worded("").in(Place.CARD))
        .titled(category.isEmpty() ? "an item of numbers" : category);
  }
}
