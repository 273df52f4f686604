// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.serde.FieldExtractor.RawFields;
import java.util.Optional;

/** How records of one message type are read. */
interface ProtobufReading {
  /**
   * Reads a record.
   *
   * @param from where its message begins
   * @param items where each item of an array counts; else null
   * @return nothing if its fields do not meet the conditions of the file
   */
  Optional<RawFields> read(byte[] bytes, int from, FoundItems items) throws RejectedRecordException;

  /**
   * How records of a type are read. Of a type that lacks a named field, those are passed over that
   * the file does not select: events of other types in the same topic.
   *
   * @throws RejectedRecordException with {@code SCHEMA_MISMATCH} if none of them can be read
   */
  static ProtobufReading of(Descriptor type, InputSpec spec, Optional<String> user)
      throws RejectedRecordException {
    ProtobufFilter filter = new ProtobufFilter(type, spec);
    try {
      return new ProtobufProjection(type, spec, user, filter);
    } catch (RejectedRecordException e) {
      if (filter.isEmpty()) {
        throw e;
      }
      ProtobufWanted wanted =
          ProtobufWanted.of(filter.places().stream().map(ProtobufPlace::steps).toList());
      return (bytes, from, items) -> {
        if (filter.selects(ProtobufDecoder.message(bytes, from, type, wanted))) {
          throw e;
        }
        return Optional.empty();
      };
    }
  }
}
