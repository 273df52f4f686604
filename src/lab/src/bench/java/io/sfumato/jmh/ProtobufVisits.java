// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.jmh;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RegisteredSchema;
import io.sfumato.serde.RegistryFrame;
import io.sfumato.serde.SchemaSource;
import java.util.Optional;
import org.apache.avro.Schema;

/** Records with the fields of {@code UserRecord}, in Protobuf, without a registry. */
final class ProtobufVisits {
  private static final int ID = 7;

  private ProtobufVisits() {}

  private static FileDescriptor file() throws DescriptorValidationException {
    DescriptorProto message =
        DescriptorProto.newBuilder()
            .setName("Visit")
            .addField(field("subject", 1, Type.TYPE_STRING))
            .addField(field("at", 2, Type.TYPE_INT64))
            .addField(field("category", 3, Type.TYPE_STRING))
            .build();
    return FileDescriptor.buildFrom(
        FileDescriptorProto.newBuilder()
            .setName("visit.proto")
            .setSyntax("proto3")
            .addMessageType(message)
            .build(),
        new FileDescriptor[0]);
  }

  private static FieldDescriptorProto field(String name, int number, Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
        .build();
  }

  static EventReader reader(InputSpec input) throws DescriptorValidationException {
    RegisteredSchema schema = new RegisteredSchema.Protobuf(file());
    SchemaSource source =
        new SchemaSource() {
          @Override
          public Optional<Schema> byId(int id) {
            return Optional.empty();
          }

          @Override
          public Optional<RegisteredSchema> ofAnyType(int id) {
            return Optional.of(schema);
          }
        };
    return new EventReader(input, Optional.empty(), source, WindowSpec.MAX_AHEAD);
  }

  static byte[] record(String subject, long at, String category)
      throws DescriptorValidationException {
    Descriptor type = file().getMessageTypes().get(0);
    byte[] message =
        DynamicMessage.newBuilder(type)
            .setField(type.findFieldByName("subject"), subject)
            .setField(type.findFieldByName("at"), at)
            .setField(type.findFieldByName("category"), category)
            .build()
            .toByteArray();
    byte[] indexed = new byte[1 + message.length];
    System.arraycopy(message, 0, indexed, 1, message.length);
    return RegistryFrame.of(ID, indexed);
  }
}
