// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.serde.Event.Item;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The categories of a pipeline file: what the text in a record stands for. */
final class Categories {
  /** No place: neither in the list, nor is there a category for the rest. */
  static final int UNKNOWN = -1;

  private final Map<String, Integer> places = new HashMap<>();
  private final int other;

  /** By category, of a record that has one: made once, since records are many. */
  private final List<List<Item>> single = new ArrayList<>();

  Categories(InputSpec spec) {
    for (String category : spec.allCategories()) {
      single.add(List.of(new Item(0, places.size())));
      places.put(category, places.size());
    }
    if (spec.category().isEmpty()) {
      single.add(List.of(new Item(0, 0)));
    }
    this.other = spec.other().map(places::get).orElse(UNKNOWN);
  }

  /** Place in the list; that of the category for the rest; or {@link #UNKNOWN}. */
  int place(String text) {
    Integer place = places.get(text);
    return place == null ? other : place;
  }

  /** What counts of a record without categories. */
  List<Item> none() {
    return single.get(0);
  }

  /**
   * What counts of a record that has one category.
   *
   * @param text as found; null if there is none
   */
  List<Item> one(String text) throws RejectedRecordException {
    if (text == null) {
      throw new RejectedRecordException(RejectionCode.NO_CATEGORY);
    }
    int place = place(text);
    if (place == UNKNOWN) {
      throw new RejectedRecordException(RejectionCode.UNKNOWN_CATEGORY);
    }
    return single.get(place);
  }
}
