// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.pipeline.InputTopics;
import io.sfumato.pipeline.RecordFilter;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.ValueFormats;
import io.sfumato.serde.registry.ProtobufSchemas;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/** Protobuf records as Protobuf's own library encodes them, and who reads them. */
final class ProtobufRecords {
  private ProtobufRecords() {}

  /** Schemas of Protobuf by their ids. */
  static SchemaSource source(Map<Integer, String> texts) {
    Map<Integer, RegisteredSchema> parsed =
        texts.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    text ->
                        new RegisteredSchema.Protobuf(ProtobufSchemas.parsed(text.getValue()))));
    return of(parsed);
  }

  static SchemaSource of(Map<Integer, RegisteredSchema> schemas) {
    return new SchemaSource() {
      @Override
      public Optional<Schema> byId(int id) {
        return Optional.empty();
      }

      @Override
      public Optional<RegisteredSchema> ofAnyType(int id) {
        return Optional.ofNullable(schemas.get(id));
      }
    };
  }

  /** A message of a type, in Protobuf's text format. */
  static DynamicMessage message(Descriptor type, String text) throws Exception {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    TextFormat.merge(text, message);
    return message.build();
  }

  static byte[] encoded(FileDescriptor file, String type, String text) throws Exception {
    return message(file.findMessageTypeByName(type), text).toByteArray();
  }

  /** Behind the id of a schema and the indexes of a message. */
  static byte[] framed(int id, byte[] indexes, byte[] message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(RegistryFrame.header(id));
    bytes.writeBytes(indexes);
    bytes.writeBytes(message);
    return bytes.toByteArray();
  }

  /** Of the first message of a schema. */
  static byte[] framed(int id, byte[] message) {
    return framed(id, new byte[] {0}, message);
  }

  /** A spec of records with a user, a subject, a time, a category and a number. */
  static InputSpec spec(Map<String, String> named, ValueFormats formats) {
    return new InputSpec(
        InputTopics.of(List.of("in")),
        Format.PROTOBUF,
        named.getOrDefault("subject", "ward"),
        named.getOrDefault("time", "$timestamp"),
        Optional.ofNullable(named.get("category")),
        Optional.empty(),
        named.containsKey("category") ? List.of("a", "b") : List.of(),
        Optional.empty(),
        named.containsKey("value") ? List.of(named.get("value")) : List.of(),
        Optional.empty(),
        1_000_000,
        formats,
        RecordFilter.none(),
        Optional.ofNullable(named.get("id")));
  }

  static EventReader reader(Map<String, String> named, SchemaSource schemas) {
    return reader(named, new ValueFormats(TimeReader.auto(), KeyFormat.PROTOBUF), schemas);
  }

  static EventReader reader(Map<String, String> named, ValueFormats formats, SchemaSource schemas) {
    return new EventReader(
        spec(named, formats),
        Optional.ofNullable(named.get("user")),
        schemas,
        WindowSpec.MAX_AHEAD);
  }
}
