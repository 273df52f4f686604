// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import io.sfumato.serde.RegisteredSchema;
import io.sfumato.serde.RegistryFrame;
import io.sfumato.serde.SchemaSource;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** Events in Protobuf, in the wire format of a registry that is not there. */
public final class ProtobufEvents {
  private static final int ID = 7;

  private final Descriptor type;

  /**
   * Events with some fields, numbered from 1.
   *
   * @param fields texts, and {@code at}: a whole number
   */
  public ProtobufEvents(List<String> fields) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName("Event");
    for (String name : fields) {
      message.addField(
          FieldDescriptorProto.newBuilder()
              .setName(name)
              .setNumber(message.getFieldCount() + 1)
              .setType(name.equals("at") ? Type.TYPE_INT64 : Type.TYPE_STRING)
              .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL));
    }
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("event.proto")
            .setSyntax("proto3")
            .addMessageType(message)
            .build();
    try {
      type = FileDescriptor.buildFrom(file, new FileDescriptor[0]).getMessageTypes().get(0);
    } catch (DescriptorValidationException e) {
      throw new IllegalArgumentException("not the fields of a message", e);
    }
  }

  /** Knows their schema. */
  public SchemaSource schemas() {
    RegisteredSchema schema = new RegisteredSchema.Protobuf(type.getFile());
    return new SchemaSource() {
      @Override
      public Optional<Schema> byId(int id) {
        return Optional.empty();
      }

      @Override
      public Optional<RegisteredSchema> ofAnyType(int id) {
        return Optional.of(schema);
      }
    };
  }

  /** An event with these values, in the order of the fields. */
  public byte[] event(Object... values) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (int i = 0; i < values.length; i++) {
      message.setField(type.getFields().get(i), values[i]);
    }
    byte[] bytes = message.build().toByteArray();
    byte[] indexed = new byte[1 + bytes.length];
    System.arraycopy(bytes, 0, indexed, 1, bytes.length);
    return RegistryFrame.of(ID, indexed);
  }
}
