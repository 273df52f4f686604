// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.pipeline.OutputView;
import io.sfumato.release.Releases;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * An output by its fields: which of them were drawn, and which are public.
 *
 * @param fields by name
 * @param type of the output
 */
record Payload(Map<String, Object> fields, String type) {
  /** By type; everything else in an output is a public fact. */
  private static final Map<String, Set<String>> DRAWN =
      Releases.outputs().stream()
          .collect(
              Collectors.toUnmodifiableMap(view -> view.schema().getName(), OutputView::drawn));

  /** Reads an output; nothing if it is none. */
  static Optional<Payload> of(byte[] bytes, SchemaSource schemas) {
    IndexedRecord record;
    try {
      record = Outputs.decodeAny(bytes, schemas);
    } catch (CorruptBytesException e) {
      return Optional.empty();
    }
    Map<String, Object> fields = new TreeMap<>();
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      fields.put(field.name(), value == null ? "none" : value);
    }
    return Optional.of(new Payload(fields, record.getSchema().getName()));
  }

  String text(String field) {
    return String.valueOf(fields.get(field));
  }

  /** Epoch milliseconds of a time; the window's start where the output lacks it. */
  long millis(String field) {
    Object value = fields.get(field) instanceof Instant time ? time : fields.get("window_start");
    return ((Instant) value).toEpochMilli();
  }

  /** Names of public fields that another output has otherwise. */
  List<String> publicDifferences(Payload other) {
    return fields.entrySet().stream()
        .filter(field -> !DRAWN.getOrDefault(type, Set.of()).contains(field.getKey()))
        .filter(field -> !field.getValue().equals(other.fields.get(field.getKey())))
        .map(
            field -> field.getKey() + " " + field.getValue() + " and " + other.text(field.getKey()))
        .toList();
  }
}
