// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Optional;

/**
 * A key that is one of Protobuf's wrappers, such as {@code StringValue}, behind the id of its
 * schema. Its name is the value in it alone: whichever schema the producer had, a person stays one
 * person.
 */
record ProtobufKey(FrameSchemas schemas) implements KeyReader {
  @Override
  public String name(byte[] key) throws RejectedRecordException {
    if (!RegistryFrame.hasContent(key)) {
      throw RejectedRecordException.withHint(
          RejectionCode.MALFORMED, "the key does not start with a schema registry's id");
    }
    MessageIndexes indexes = MessageIndexes.in(key);
    Descriptor type = indexes.of(schemas.protobuf(key), key);
    Optional<FieldDescriptor> wrapped = ProtobufTypes.wrapped(type);
    if (wrapped.isEmpty()) {
      throw RejectedRecordException.withHint(
          RejectionCode.SCHEMA_MISMATCH,
          "the key is a message with fields of its own: name one of them, such as $key.customer_id");
    }
    ProtobufMessage message = ProtobufDecoder.message(key, indexes.end(), type, ProtobufWanted.ALL);
    return new ProtobufValue(wrapped.get()).name(message.get(wrapped.get()));
  }
}
