// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.record.KeyFormat;
import io.sfumato.serde.FieldExtractor.ItemSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The name in a record's key. */
interface KeyReader {
  /**
   * Reads one key.
   *
   * @return null if it has no name
   * @throws RejectedRecordException if it is not of the format
   */
  String name(byte[] key) throws RejectedRecordException, IOException;

  /**
   * Of a pipeline's records.
   *
   * @param field {@code $key}, or a path in it
   * @param schemas of keys that name theirs by an id
   */
  static KeyReader of(InputSpec spec, String field, SchemaSource schemas) {
    KeyFormat format = spec.formats().keys();
    if (!format.hasFields()) {
      return key -> format.name(key).orElse(null);
    }
    Optional<String> path = InputSpec.withinKey(field);
    if (path.isEmpty()) {
      return whole(format, schemas);
    }
    FieldExtractor fields = fields(format, fieldAlone(spec, path.get()), schemas);
    return key -> fields.extract(key).map(FieldExtractor.RawFields::subject).orElse(null);
  }

  private static KeyReader whole(KeyFormat format, SchemaSource schemas) {
    return switch (format) {
      case AVRO -> new AvroKey(new FrameSchemas(schemas));
      case PROTOBUF -> new ProtobufKey(new FrameSchemas(schemas));
      case JSON_SCHEMA -> key -> JsonFields.name(RegisteredJson.payload(key));
      default -> JsonFields::name;
    };
  }

  private static FieldExtractor fields(KeyFormat format, InputSpec key, SchemaSource schemas) {
    Optional<String> nobody = Optional.empty();
    ItemSource none = () -> null;
    return switch (format) {
      case AVRO -> new AvroFields(key, nobody, none, schemas);
      case PROTOBUF -> new ProtobufFields(key, nobody, none, schemas);
      case JSON_SCHEMA -> new RegisteredJson(new JsonFields(key, nobody, none));
      default -> new JsonFields(key, nobody, none);
    };
  }

  /** A record of which one field is read. */
  private static InputSpec fieldAlone(InputSpec spec, String path) {
    return new InputSpec(
        "keys",
        spec.format(),
        path,
        "$timestamp",
        Optional.empty(),
        List.of(),
        Optional.empty(),
        List.of(),
        spec.maxBytes());
  }
}
