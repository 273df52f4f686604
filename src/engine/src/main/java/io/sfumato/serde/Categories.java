// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.Columns;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.serde.Event.Item;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The categories of a pipeline file: what the text in a record stands for. Where nobody listed any
 * it stands for itself.
 */
final class Categories {
  /** No place: neither in the list, nor is there a category for the rest. */
  private static final int UNKNOWN = -1;

  private final Map<String, Integer> places = new HashMap<>();
  private final int other;
  private final boolean discovers;
  private final Optional<Columns> columns;
  private final Optional<Columns.Lookup> lookup;

  /** By category, of a record that has one: made once, since records are many. */
  private final List<List<Item>> single = new ArrayList<>();

  Categories(InputSpec spec) {
    for (String category : spec.allCategories()) {
      single.add(List.of(new Item(0, places.size())));
      places.put(category, places.size());
    }
    this.discovers = spec.discovers();
    this.columns = spec.columns();
    this.lookup = columns.map(Columns::lookup);
    if (spec.category().isEmpty()) {
      single.add(List.of(new Item(0, 0)));
    }
    this.other = columns.isPresent() ? UNKNOWN : spec.other().map(places::get).orElse(UNKNOWN);
  }

  /** What a canonical name of a record counts as; nothing if it is unknown. */
  Optional<Item> item(int place, String text) {
    if (discovers) {
      return Optional.of(new Item(place, 0, text));
    }
    Integer known = places.get(text);
    int category = known == null ? other : known;
    return category == UNKNOWN ? Optional.empty() : Optional.of(new Item(place, category));
  }

  /** What counts of a record without categories. */
  List<Item> none() {
    return single.get(0);
  }

  /**
   * What counts of a record that has one category.
   *
   * @param texts as found in the fields of the category; null where there is none
   */
  List<Item> of(List<String> texts) throws RejectedRecordException {
    return lookup.isPresent() ? crossed(texts) : one(texts.get(0));
  }

  private List<Item> crossed(List<String> texts) throws RejectedRecordException {
    for (String text : texts) {
      if (text == null) {
        throw new RejectedRecordException(RejectionCode.NO_CATEGORY);
      }
    }
    Columns.Lookup known = lookup.orElseThrow();
    long place = known.place(texts);
    if (place == Columns.UNKNOWN) {
      throw new RejectedRecordException(RejectionCode.UNKNOWN_CATEGORY);
    }
    if (!discovers) {
      return single.isEmpty() ? List.of(new Item(0, place)) : single.get((int) place);
    }
    return named(columns.orElseThrow().name(known.named(texts)));
  }

  private List<Item> named(String text) throws RejectedRecordException {
    return List.of(
        item(0, text).orElseThrow(() -> new RejectedRecordException(RejectionCode.NO_CATEGORY)));
  }

  private List<Item> one(String text) throws RejectedRecordException {
    if (text == null) {
      throw new RejectedRecordException(RejectionCode.NO_CATEGORY);
    }
    if (discovers) {
      return named(text);
    }
    Integer known = places.get(text);
    int place = known == null ? other : known;
    if (place == UNKNOWN) {
      throw new RejectedRecordException(RejectionCode.UNKNOWN_CATEGORY);
    }
    return single.get(place);
  }
}
