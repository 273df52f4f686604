// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.InputSpec.Format;
import java.util.Optional;

/**
 * The topic of the records, and the format of these.
 *
 * @param name of the topic
 * @param format of its records
 * @param envelope what surrounds events, if anything does that is known
 * @param id field that is called as ids of events are
 */
public record TopicField(
    String name, Format format, Optional<Envelope> envelope, Optional<String> id) {
  /** The topic of some records. */
  public static TopicField of(String name, SampleRecords sample) {
    Optional<Envelope> envelope = Envelope.of(sample.fields());
    return new TopicField(
        name,
        sample.format(),
        envelope,
        envelope.flatMap(Envelope::id).or(() -> new Guess(sample).eventId()));
  }

  /** Lines of the file. */
  String inFile() {
    return "topic: %s\1topic\1%n  format: %s\1\1%s%s%s"
        .formatted(
            name,
            EnumWords.word(format),
            format == Format.JSON
                ? "or avro, json-schema, protobuf: of a registry"
                : "its schemas lie in the registry: schema.registry.url",
            envelope
                .flatMap(Envelope::where)
                .map(
                    "%n  where: { %s }\1where\1as the envelope of the records suggests; others are passed over"
                        ::formatted)
                .orElse(""),
            id.map(
                    "%n  # id: %s\1\1without the '#', copies of an event count once, by this field"
                        ::formatted)
                .orElse(""));
  }
}
