// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.serde.Event.Item;
import java.util.ArrayList;
import java.util.List;

/**
 * Items of one record's array, as they are found: the first that are categories, up to a number.
 * Others are passed over, since what somebody else wrote beside them is no reason to lose them.
 * Which ones these are depends on this record alone.
 */
final class FoundItems {
  private final Categories categories;
  private final int most;
  private final List<Item> items = new ArrayList<>();

  /** Whether an item has a name. */
  private boolean named;

  FoundItems(Categories categories, int most) {
    this.categories = categories;
    this.most = most;
  }

  /** A field that has the very name of the path begins: what the path led to does not count. */
  void begin() {
    items.clear();
    named = false;
  }

  /**
   * One item.
   *
   * @param place in the array
   * @param name canonical, of its category; null if it has none
   */
  void add(int place, String name) {
    if (name == null) {
      return;
    }
    named = true;
    if (items.size() < most) {
      categories.item(place, name).ifPresent(items::add);
    }
  }

  /**
   * All that count, by place.
   *
   * @throws RejectedRecordException if none does: nothing was there, or nothing that is known
   */
  List<Item> counted() throws RejectedRecordException {
    if (items.isEmpty()) {
      throw new RejectedRecordException(
          named ? RejectionCode.UNKNOWN_CATEGORY : RejectionCode.NO_CATEGORY);
    }
    return items;
  }
}
