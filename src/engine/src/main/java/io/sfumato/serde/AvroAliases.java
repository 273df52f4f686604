// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.record.RecordPart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Aliases of a writer's schema, by which two names of the file may be one field. What decides
 * whether a record counts, and where, is then also what is counted: under unit {@code record} the
 * former is public, and the latter protected.
 */
final class AvroAliases {
  private AvroAliases() {}

  /**
   * Whatever the records hold.
   *
   * @throws RejectedRecordException with {@code SCHEMA_MISMATCH} if a field that decides is one
   *     that counts, though the file gives them names that differ
   */
  static void requireApart(Schema writer, InputSpec spec, AvroFilter filter)
      throws RejectedRecordException {
    Map<String, AvroPlace> deciding = new LinkedHashMap<>(filter.named());
    put(deciding, writer, List.of(spec.subject(), spec.time()));
    put(deciding, writer, spec.id().stream().toList());
    Map<String, AvroPlace> counted = new LinkedHashMap<>();
    put(counted, writer, spec.categoryFields());
    put(counted, writer, spec.numbers());
    for (Map.Entry<String, AvroPlace> one : deciding.entrySet()) {
      for (Map.Entry<String, AvroPlace> other : counted.entrySet()) {
        if (!FieldPath.overlap(one.getKey(), other.getKey())
            && FieldPath.overlap(one.getValue().steps(), other.getValue().steps())) {
          throw RejectedRecordException.withHint(
              RejectionCode.SCHEMA_MISMATCH,
              "by an alias of the record's schema, '%s' and '%s' are one field: name it once in the pipeline file"
                  .formatted(one.getKey(), other.getKey()));
        }
      }
    }
  }

  private static void put(Map<String, AvroPlace> places, Schema writer, List<String> names)
      throws RejectedRecordException {
    for (String name : names) {
      Optional<AvroPlace> place =
          RecordPart.isField(name) ? AvroProjection.find(writer, name) : Optional.empty();
      place.ifPresent(there -> places.put(name, there));
    }
  }
}
