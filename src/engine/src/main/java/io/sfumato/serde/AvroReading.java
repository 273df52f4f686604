// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.serde.FieldExtractor.RawFields;
import java.io.IOException;
import java.util.Optional;
import org.apache.avro.Schema;

/** How records of one writer's schema are read. */
interface AvroReading {
  /**
   * Reads a record that follows a header of {@code header} bytes.
   *
   * @param items where each item of an array counts; else null
   * @return nothing if its fields do not meet the conditions of the file
   */
  Optional<RawFields> read(byte[] bytes, int header, FoundItems items)
      throws RejectedRecordException, IOException;

  /**
   * How records of a schema are read. Of a schema that lacks a named field, those are passed over
   * that the file does not select: events of other types in the same topic.
   *
   * @throws RejectedRecordException with {@code SCHEMA_MISMATCH} if none of them can be read
   */
  static AvroReading of(Schema writer, InputSpec spec, Optional<String> user)
      throws RejectedRecordException {
    AvroFilter filter = new AvroFilter(writer, spec);
    AvroAliases.requireApart(writer, spec, filter);
    try {
      return new AvroProjection(writer, spec, user, filter);
    } catch (RejectedRecordException e) {
      if (filter.isEmpty()) {
        throw e;
      }
      StrictDatumReader reader =
          new StrictDatumReader(writer, AvroProjection.pruned(writer, filter.places()));
      return (bytes, header, items) -> {
        if (filter.selects(reader.whole(bytes, header))) {
          throw e;
        }
        return Optional.empty();
      };
    }
  }
}
