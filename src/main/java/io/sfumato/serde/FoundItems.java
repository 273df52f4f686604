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
  private static final int NOWHERE = -1;

  private final Categories categories;
  private final int most;
  private final List<Item> items = new ArrayList<>();

  /** Items with a text, and the place of the last one of these. */
  private int texts;

  private int lastText = NOWHERE;

  FoundItems(Categories categories, int most) {
    this.categories = categories;
    this.most = most;
  }

  /** What leads to the array begins: of two fields with one name the last holds. */
  void begin() {
    items.clear();
    texts = 0;
    lastText = NOWHERE;
  }

  /**
   * One item.
   *
   * @param place in the array; that of the last item again if its field is there twice: the last
   *     holds
   * @param text of its category; null if it has none
   */
  void add(int place, String text) {
    if (!items.isEmpty() && items.get(items.size() - 1).place() == place) {
      items.remove(items.size() - 1);
    }
    if (place == lastText) {
      texts--;
      lastText = NOWHERE;
    }
    if (text == null) {
      return;
    }
    texts++;
    lastText = place;
    if (items.size() < most) {
      categories.item(place, text).ifPresent(items::add);
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
          texts > 0 ? RejectionCode.UNKNOWN_CATEGORY : RejectionCode.NO_CATEGORY);
    }
    return items;
  }
}
