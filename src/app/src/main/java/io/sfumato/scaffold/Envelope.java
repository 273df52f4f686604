// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What other programs put around an event, as names of fields tell; values are never looked at.
 *
 * @param within what the names of the event's own fields begin with
 * @param also fields of the envelope that belong to the event
 * @param where condition that selects events, as the file has it; nothing where only values tell
 * @param id field of the event's id, if the envelope has one
 * @param writer whose envelope it is
 */
public record Envelope(
    String within, Set<String> also, Optional<String> where, Optional<String> id, String writer) {

  /** How its fields tell an envelope. */
  private record Known(Set<String> marks, Envelope envelope) {
    boolean isIn(Set<String> fields) {
      return fields.containsAll(marks)
          && fields.stream().anyMatch(field -> field.startsWith(envelope.within()));
    }
  }

  private static final List<Known> KNOWN =
      Stream.concat(
              Stream.of("", "payload.").map(Envelope::debezium),
              Stream.of(
                  new Known(
                      Set.of("operationType"),
                      new Envelope(
                          "fullDocument.",
                          Set.of(),
                          Optional.of("operationType: insert"),
                          Optional.empty(),
                          "MongoDB")),
                  new Known(
                      Set.of("specversion", "id", "source", "type"),
                      new Envelope(
                          "data.",
                          Set.of("time", "subject"),
                          Optional.empty(),
                          Optional.of("id"),
                          "CloudEvents"))))
          .toList();

  private static Known debezium(String outer) {
    return new Known(
        Set.of(outer + "op", outer + "ts_ms"),
        new Envelope(
            outer + "after.",
            Set.of(),
            Optional.of(outer + "op: [c, r]"),
            Optional.empty(),
            "Debezium"));
  }

  /** The envelope of records with some fields; nothing if they have none that is known. */
  static Optional<Envelope> of(Set<String> fields) {
    return KNOWN.stream().filter(known -> known.isIn(fields)).map(Known::envelope).findFirst();
  }

  /** Whether a field is the event's own. */
  Predicate<String> holds() {
    return field -> field.startsWith(within) || also.contains(field);
  }

  /** What to say of it. */
  String words() {
    return "The records have the envelope of %s, so only fields within '%s' were looked at%s."
        .formatted(
            writer,
            within.replaceFirst("\\.$", ""),
            where.map(condition -> ", and the file selects '%s'".formatted(condition)).orElse(""));
  }
}
