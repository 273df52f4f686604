// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.FieldExtractor.ItemSource;
import io.sfumato.serde.FieldExtractor.RawFields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Reads the named fields of Avro records, whose first byte tells how they name their schema: C3 01
 * and the fingerprint of {@code UserRecord}, or 00 and an id of the schema registry.
 */
final class AvroFields implements FieldExtractor {
  static {
    AvroTrust.establish();
  }

  /** Parsed they take some twenty times as much. */
  private static final int MOST_SCHEMA_BYTES = 4 << 20;

  private static final byte[] EMBEDDED = {(byte) 0xC3, 0x01};
  private static final int EMBEDDED_HEADER = EMBEDDED.length + Long.BYTES;
  private static final Map<Long, Schema> USER_RECORDS =
      ReleasedSchemas.writers(UserRecord.getClassSchema());

  private final InputSpec spec;
  private final Optional<String> user;
  private final ItemSource items;
  private final FrameSchemas schemas;

  /** By their writers' schemas, and as heavy as these. */
  private final WeighedCache<Schema, AvroReading> projections =
      new WeighedCache<>(MOST_SCHEMA_BYTES);

  AvroFields(InputSpec spec, Optional<String> user, ItemSource items, SchemaSource schemas) {
    this.spec = spec;
    this.items = items;
    this.user = user;
    this.schemas = new FrameSchemas(schemas);
  }

  @Override
  public Optional<RawFields> extract(byte[] value) throws RejectedRecordException, IOException {
    if (value.length >= EMBEDDED_HEADER && value[0] == EMBEDDED[0] && value[1] == EMBEDDED[1]) {
      long fingerprint =
          ByteBuffer.wrap(value, EMBEDDED.length, Long.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .getLong();
      Schema writer = USER_RECORDS.get(fingerprint);
      if (writer == null) {
        throw new RejectedRecordException(RejectionCode.UNKNOWN_SCHEMA);
      }
      return projection(writer).read(value, EMBEDDED_HEADER, items.begin());
    }
    if (RegistryFrame.isIn(value)) {
      return projection(schemas.avro(value)).read(value, RegistryFrame.HEADER, items.begin());
    }
    throw new RejectedRecordException(RejectionCode.MALFORMED);
  }

  private AvroReading projection(Schema writer) throws RejectedRecordException {
    Optional<AvroReading> kept = projections.get(writer);
    if (kept.isPresent()) {
      return kept.get();
    }
    AvroReading made =
        ForeignBytes.orReject(
            RejectionCode.SCHEMA_MISMATCH, () -> AvroReading.of(writer, spec, user));
    projections.put(writer, made, writer.toString().length());
    return made;
  }
}
