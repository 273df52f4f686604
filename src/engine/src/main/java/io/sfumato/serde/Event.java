// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import java.util.List;
import java.util.Optional;

/**
 * What a pipeline keeps of a record.
 *
 * @param user non-empty, where records have one beside their subject
 * @param subject non-empty
 * @param time event time, milliseconds since 1970
 * @param items what counts, by place; one, unless each item of an array does
 * @param values the record's numbers, finite, or NaN where one is missing and users are protected;
 *     none where records have none
 * @param id of the event, non-empty, where records may be copies of one
 */
public record Event(
    Optional<String> user,
    String subject,
    long time,
    List<Item> items,
    List<Double> values,
    Optional<String> id) {
  public Event {
    items = List.copyOf(items);
    values = List.copyOf(values);
  }

  /** Of a record that is an event of its own. */
  public Event(
      Optional<String> user, String subject, long time, List<Item> items, List<Double> values) {
    this(user, subject, time, items, values, Optional.empty());
  }

  /** Of a record that has one category, or none. */
  public Event(
      Optional<String> user, String subject, long time, long category, List<Double> values) {
    this(user, subject, time, List.of(new Item(0, category)), values);
  }

  /**
   * What counts as one.
   *
   * @param place in the record's array, from 0; 0 where the record has one category
   * @param category place in the pipeline's list of categories; 0 where records have none
   * @param name of the category where nobody listed any; else empty
   */
  public record Item(int place, long category, String name) {
    /** Of a category that is listed, or none. */
    public Item(int place, long category) {
      this(place, category, "");
    }
  }

  /**
   * Place in the pipeline's list of categories; 0 where records have none.
   *
   * @throws IllegalStateException if several items count: whoever takes one of them takes too few
   */
  public long category() {
    if (items.size() != 1) {
      throw new IllegalStateException("a record of several items has no single category");
    }
    return items.get(0).category();
  }
}
