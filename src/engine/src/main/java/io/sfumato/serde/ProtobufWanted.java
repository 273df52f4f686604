// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.serde.ProtobufPlace.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What of a message is decoded; all else is passed over.
 *
 * @param isAll whether everything is
 * @param fields of the message, by number; of a repeated field, what of each item
 * @param entries of a map, by the text of their keys
 */
record ProtobufWanted(
    boolean isAll, Map<Integer, ProtobufWanted> fields, Map<String, ProtobufWanted> entries) {
  static final ProtobufWanted ALL = new ProtobufWanted(true, Map.of(), Map.of());
  static final ProtobufWanted NOTHING = new ProtobufWanted(false, Map.of(), Map.of());

  /** One field, and all that is in it. */
  static ProtobufWanted field(int number, ProtobufWanted within) {
    return new ProtobufWanted(false, Map.of(number, within), Map.of());
  }

  /** What lies on paths. */
  static ProtobufWanted of(List<List<Step>> paths) {
    if (paths.stream().anyMatch(List::isEmpty)) {
      return ALL;
    }
    Map<Integer, List<List<Step>>> fields = new HashMap<>();
    Map<String, List<List<Step>>> entries = new HashMap<>();
    List<List<Step>> items = new ArrayList<>();
    for (List<Step> path : paths) {
      List<Step> rest = path.subList(1, path.size());
      Step first = path.get(0);
      if (first instanceof Step.Field field) {
        fields.computeIfAbsent(field.field().getNumber(), n -> new ArrayList<>()).add(rest);
      } else if (first instanceof Step.Entry entry) {
        entries.computeIfAbsent(entry.key(), key -> new ArrayList<>()).add(rest);
      } else {
        items.add(rest);
      }
    }
    if (!items.isEmpty()) {
      return of(items);
    }
    Map<Integer, ProtobufWanted> inFields = new HashMap<>();
    fields.forEach((number, rest) -> inFields.put(number, of(rest)));
    Map<String, ProtobufWanted> inEntries = new HashMap<>();
    entries.forEach((key, rest) -> inEntries.put(key, of(rest)));
    return new ProtobufWanted(false, inFields, inEntries);
  }

  /** What of a field is wanted; null if nothing is. */
  ProtobufWanted ofField(int number) {
    return isAll ? ALL : fields.get(number);
  }

  /** What of a map's entry is wanted; null if nothing is. */
  ProtobufWanted ofEntry(String key) {
    return isAll ? ALL : entries.get(key);
  }
}
