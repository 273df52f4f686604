// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.OutputView;
import io.sfumato.release.Releases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;

/**
 * Puts lists together that are too long for one record: all their records are one table. Where a
 * topic begins within a list, as retention may leave it, the rest of that list is no part of one
 * that the same window has under another budget.
 */
public final class WholeLists {
  /** By whose they are: records of one transaction, behind each other in their partition. */
  private final Map<List<Object>, List<IndexedRecord>> begun = new LinkedHashMap<>();

  private final List<IndexedRecord> endless = new ArrayList<>();

  /**
   * The next record of a topic.
   *
   * @return itself, where it is whole, or of a list whose beginning was not read; the list that it
   *     completes; or nothing yet
   */
  public Optional<IndexedRecord> add(IndexedRecord record) {
    Optional<OutputView> view = Releases.viewOf(record);
    int parts = view.map(of -> of.parts(record)).orElse(1);
    if (parts == 1) {
      return Optional.of(record);
    }
    List<Object> list =
        List.of(
            field(record, "pipeline"),
            field(record, "output"),
            field(record, "subject"),
            field(record, "window_start"));
    int part = view.orElseThrow().part(record);
    if (part == 0 && begun.containsKey(list)) {
      endless.addAll(begun.remove(list));
    }
    List<IndexedRecord> came = begun.getOrDefault(list, new ArrayList<>());
    if (part != came.size()) {
      return Optional.of(record);
    }
    came.add(record);
    begun.put(list, came);
    if (came.size() < parts) {
      return Optional.empty();
    }
    begun.remove(list);
    return Optional.of(view.orElseThrow().together(came));
  }

  /** Records of lists whose end was not read, as they are. */
  public List<IndexedRecord> rest() {
    return Stream.concat(endless.stream(), begun.values().stream().flatMap(List::stream)).toList();
  }

  private static Object field(IndexedRecord record, String name) {
    return record.get(record.getSchema().getField(name).pos());
  }
}
