// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

/** Where the event time of a record is: {@code input.time} of a pipeline file. */
public sealed interface TimeSource {
  /** A field of the value. */
  record Field(String name) implements TimeSource {}

  /** The record's Kafka timestamp. */
  record Timestamp() implements TimeSource {}

  /** A header, as UTF-8 text. */
  record Header(String name) implements TimeSource {}

  /** The word of {@link Timestamp}. */
  String TIMESTAMP = "$timestamp";

  /** What the words of {@link Header} begin with. */
  String HEADER = "$header.";

  /** What a word of the pipeline file means. */
  static TimeSource of(String word) {
    if (word.equals(TIMESTAMP)) {
      return new Timestamp();
    }
    return word.startsWith(HEADER) && word.length() > HEADER.length()
        ? new Header(word.substring(HEADER.length()))
        : new Field(word);
  }
}
