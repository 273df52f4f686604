// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.sfumato.serde.RegisteredSchema;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * One question for a schema, with all that it refers to: each is asked for once, and all of them
 * together are bounded in number and bytes, whatever whoever registered them made of it.
 */
final class SchemaQuestion {
  /** Schemas that one may refer to, also through others. */
  static final int MOST_REFERENCES = 64;

  private static final int DEEPEST_REFERENCE = 10;

  /** A schema that nothing imports needs no name of its own. */
  private static final String MAIN_FILE = "schema.proto";

  private final Exchanges exchanges;
  private final long deadline;
  private final Schema.Parser parser = new Schema.Parser();
  private final Set<String> asked = new HashSet<>();

  /** Of Protobuf, by the references that led to them. */
  private final Map<String, FileDescriptor> files = new HashMap<>();

  private long bytes;

  /** Of all texts of Protobuf. */
  private int blocks;

  SchemaQuestion(Exchanges exchanges) {
    this.exchanges = exchanges;
    this.deadline = exchanges.deadline();
  }

  /** What stands under a path; nothing if the registry says that there is nothing. */
  Optional<Answer> get(String path) {
    return exchanges.ask(path, Optional.empty(), Answer::hasSchema, deadline);
  }

  /** Bytes of all answers that were parsed. */
  long bytes() {
    return bytes;
  }

  /**
   * A schema with those that it refers to.
   *
   * @throws RuntimeException of any kind, if nobody could use it
   */
  RegisteredSchema parsed(Answer answer) {
    return switch (type(answer)) {
      case "AVRO" -> new RegisteredSchema.Avro(avro(answer, 0));
      case "PROTOBUF" -> new RegisteredSchema.Protobuf(protobuf(MAIN_FILE, answer, 0));
      case "JSON" -> new RegisteredSchema.Json();
      default -> throw unusable("of an unknown type");
    };
  }

  private static String type(Answer answer) {
    return answer.body().path("schemaType").asText("AVRO");
  }

  private static RuntimeException unusable(String why) {
    return new IllegalArgumentException(why);
  }

  private void count(Answer answer, int depth) {
    bytes += answer.bytes();
    if (bytes > Answer.MOST_BYTES || depth > DEEPEST_REFERENCE) {
      throw unusable("too large, or its references go too deep");
    }
  }

  private void require(String type, Answer answer) {
    if (!type(answer).equals(type)) {
      throw unusable("refers to another type");
    }
  }

  private Schema avro(Answer answer, int depth) {
    count(answer, depth);
    require("AVRO", answer);
    for (JsonNode reference : answer.body().path("references")) {
      String path = path(reference);
      if (asked.add(path)) {
        avro(referred(path), depth + 1);
      }
    }
    return parser.parse(answer.body().path("schema").asText());
  }

  /**
   * A file of Protobuf, whose references are the files that it imports.
   *
   * @param name that it is imported by
   */
  private FileDescriptor protobuf(String name, Answer answer, int depth) {
    count(answer, depth);
    require("PROTOBUF", answer);
    ProtobufSource.Plain source =
        ProtobufSource.plain(answer.body().path("schema").asText(), blocks);
    blocks = source.blocks();
    FileDescriptorProto file = ProtobufText.parse(name, source.text());
    List<FileDescriptor> imports = new ArrayList<>();
    for (String imported : file.getDependencyList()) {
      FileDescriptor builtIn = ProtobufImports.builtIn(imported);
      if (builtIn != null) {
        imports.add(builtIn);
        continue;
      }
      for (JsonNode reference : answer.body().path("references")) {
        if (reference.path("name").asText().equals(imported)) {
          imports.add(imported(imported, path(reference), depth));
        }
      }
    }
    return ProtobufImports.linked(file, imports);
  }

  private FileDescriptor imported(String name, String path, int depth) {
    FileDescriptor known = files.get(path);
    if (known != null && known.getName().equals(name)) {
      return known;
    }
    asked.add(path);
    FileDescriptor file = protobuf(name, referred(path), depth + 1);
    files.put(path, file);
    return file;
  }

  private static String path(JsonNode reference) {
    return String.format(
        Locale.ROOT,
        "/subjects/%s/versions/%d",
        encoded(reference.path("subject").asText()),
        reference.path("version").asInt());
  }

  private Answer referred(String path) {
    if (asked.size() > MOST_REFERENCES) {
      throw unusable("too many references");
    }
    return get(path).orElseThrow(() -> unusable("a reference leads nowhere"));
  }

  static String encoded(String subject) {
    return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
