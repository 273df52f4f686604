// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.FileDescriptor;
import org.apache.avro.Schema;

/**
 * The schemas that records name in front of their content.
 *
 * @param schemas where they are found
 */
record FrameSchemas(SchemaSource schemas) {
  /**
   * The Avro schema of a record.
   *
   * @param framed begins with a schema's id
   * @throws RejectedRecordException if it is unknown, or of another type
   */
  Schema avro(byte[] framed) throws RejectedRecordException {
    RegisteredSchema found = find(framed);
    if (found instanceof RegisteredSchema.Avro avro) {
      return avro.schema();
    }
    throw otherType(found, "Avro");
  }

  /** The Protobuf schema of a record; the same as with {@link #avro}. */
  FileDescriptor protobuf(byte[] framed) throws RejectedRecordException {
    RegisteredSchema found = find(framed);
    if (found instanceof RegisteredSchema.Protobuf protobuf) {
      return protobuf.file();
    }
    throw otherType(found, "Protobuf");
  }

  private RegisteredSchema find(byte[] framed) throws RejectedRecordException {
    return schemas
        .ofAnyType(RegistryFrame.schemaId(framed))
        .orElseThrow(() -> new RejectedRecordException(RejectionCode.UNKNOWN_SCHEMA));
  }

  private static RejectedRecordException otherType(RegisteredSchema found, String expected) {
    return RejectedRecordException.withHint(
        RejectionCode.SCHEMA_MISMATCH,
        "the schema has type %s, not %s: input.format or input.key-format '%s' would fit"
            .formatted(found.type(), expected, found.format()));
  }
}
