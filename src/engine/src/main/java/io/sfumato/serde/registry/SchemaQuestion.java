// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * One question for a schema, with all that it refers to: each is asked for once, and all of them
 * together are bounded in number and bytes, whatever whoever registered them made of it.
 */
final class SchemaQuestion {
  /** Schemas that one may refer to, also through others. */
  static final int MOST_REFERENCES = 64;

  private static final int DEEPEST_REFERENCE = 10;

  private final Exchanges exchanges;
  private final long deadline;
  private final Schema.Parser parser = new Schema.Parser();
  private final Set<String> asked = new HashSet<>();
  private long bytes;

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
   * @throws RuntimeException of any kind, if it is no Avro schema that anybody could use
   */
  Schema parsed(Answer answer) {
    return parsed(answer, 0);
  }

  private Schema parsed(Answer answer, int depth) {
    bytes += answer.bytes();
    if (bytes > Answer.MOST_BYTES || depth > DEEPEST_REFERENCE) {
      throw new AvroRuntimeException("too large, or its references go too deep");
    }
    if (!answer.body().path("schemaType").asText("AVRO").equals("AVRO")) {
      throw new AvroRuntimeException("of another kind");
    }
    for (JsonNode reference : answer.body().path("references")) {
      String path =
          String.format(
              Locale.ROOT,
              "/subjects/%s/versions/%d",
              encoded(reference.path("subject").asText()),
              reference.path("version").asInt());
      if (asked.add(path)) {
        parsed(referred(path), depth + 1);
      }
    }
    return parser.parse(answer.body().path("schema").asText());
  }

  private Answer referred(String path) {
    if (asked.size() > MOST_REFERENCES) {
      throw new AvroRuntimeException("too many references");
    }
    return get(path).orElseThrow(() -> new AvroRuntimeException("a reference leads nowhere"));
  }

  static String encoded(String subject) {
    return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
