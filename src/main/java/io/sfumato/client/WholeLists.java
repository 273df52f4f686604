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
import org.apache.avro.generic.IndexedRecord;

/** Puts lists together that are too long for one record: all their records are one table. */
public final class WholeLists {
  /** By whose they are: records of one transaction, behind each other in their partition. */
  private final Map<List<Object>, List<IndexedRecord>> begun = new LinkedHashMap<>();

  /**
   * The next record of a topic.
   *
   * @return itself, where it is whole; the list that it completes; or nothing yet
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
    List<IndexedRecord> came = begun.computeIfAbsent(list, any -> new ArrayList<>());
    came.add(record);
    if (came.size() < parts) {
      return Optional.empty();
    }
    begun.remove(list);
    return Optional.of(view.orElseThrow().together(came));
  }

  /** Records of lists whose end was not read, as they are. */
  public List<IndexedRecord> rest() {
    return begun.values().stream().flatMap(List::stream).toList();
  }

  private static Object field(IndexedRecord record, String name) {
    return record.get(record.getSchema().getField(name).pos());
  }
}
