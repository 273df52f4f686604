// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.InputSpec.Format;

/**
 * The topic of the records, and the format of these.
 *
 * @param name of the topic
 * @param format of its records
 */
public record TopicField(String name, Format format) {
  /** Lines of the file. */
  String inFile() {
    return "topic: %s\1topic\1%n  format: %s\1\1%s"
        .formatted(
            name,
            EnumWords.word(format),
            format == Format.JSON
                ? "or avro, json-schema: of a registry"
                : "its schemas lie in the registry: schema.registry.url");
  }
}
