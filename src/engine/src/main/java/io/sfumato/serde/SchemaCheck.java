// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.InputSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** Whether a schema has what a pipeline file names, before any record is read. */
public final class SchemaCheck {
  private SchemaCheck() {}

  /**
   * What does not fit, in words; nothing if all does.
   *
   * @param user field of the user, where records have one beside their subject
   */
  public static List<String> problems(Schema writer, InputSpec spec, Optional<String> user) {
    return AvroProjection.problems(writer, spec, user);
  }

  /**
   * The same of a registry's schema, which may have another type than the file says. Of a Protobuf
   * schema one message must fit: which one records are is known from records alone.
   */
  public static List<String> problems(
      RegisteredSchema writer, InputSpec spec, Optional<String> user) {
    if (!writer.format().equals(EnumWords.word(spec.format()))) {
      return List.of(
          "it has type %s; set input.format: %s".formatted(writer.type(), writer.format()));
    }
    if (writer instanceof RegisteredSchema.Avro avro) {
      return problems(avro.schema(), spec, user);
    }
    return writer instanceof RegisteredSchema.Protobuf protobuf
        ? problems(protobuf.file().getMessageTypes(), spec, user)
        : List.of();
  }

  /** Those of the message that fits best. */
  private static List<String> problems(
      List<Descriptor> messages, InputSpec spec, Optional<String> user) {
    return messages.stream()
        .map(type -> ProtobufProjection.problems(type, spec, user))
        .min(Comparator.comparing(List::size))
        .orElse(List.of("it has no message"));
  }
}
