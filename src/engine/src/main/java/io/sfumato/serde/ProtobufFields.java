// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.serde.FieldExtractor.ItemSource;
import io.sfumato.serde.FieldExtractor.RawFields;
import java.util.Optional;

/**
 * Reads the named fields of Protobuf behind the id of its schema in a registry, and the indexes of
 * its message in that schema.
 */
final class ProtobufFields implements FieldExtractor {
  /** Parsed they take some twenty times as much. */
  private static final int MOST_SCHEMA_BYTES = 4 << 20;

  private final InputSpec spec;
  private final Optional<String> user;
  private final ItemSource items;
  private final FrameSchemas schemas;

  /** By message types, and as heavy as the files that declare them. */
  private final WeighedCache<Descriptor, ProtobufReading> projections =
      new WeighedCache<>(MOST_SCHEMA_BYTES);

  ProtobufFields(InputSpec spec, Optional<String> user, ItemSource items, SchemaSource schemas) {
    this.spec = spec;
    this.user = user;
    this.items = items;
    this.schemas = new FrameSchemas(schemas);
  }

  @Override
  public Optional<RawFields> extract(byte[] value) throws RejectedRecordException {
    if (!RegistryFrame.hasContent(value)) {
      throw RejectedRecordException.withHint(
          RejectionCode.MALFORMED, "the record does not start with a schema registry's id");
    }
    MessageIndexes indexes = MessageIndexes.in(value);
    Descriptor type = indexes.of(schemas.protobuf(value), value);
    return projection(type).read(value, indexes.end(), items.begin());
  }

  private ProtobufReading projection(Descriptor type) throws RejectedRecordException {
    Optional<ProtobufReading> kept = projections.get(type);
    if (kept.isPresent()) {
      return kept.get();
    }
    ProtobufReading made =
        ForeignBytes.orReject(
            RejectionCode.SCHEMA_MISMATCH, () -> ProtobufReading.of(type, spec, user));
    projections.put(type, made, type.getFile().toProto().getSerializedSize());
    return made;
  }
}
