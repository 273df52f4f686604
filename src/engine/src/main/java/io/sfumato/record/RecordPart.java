// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.util.Optional;

/** A part of a Kafka record, as a pipeline file names it: a field of the value unless it says. */
public sealed interface RecordPart {
  /** A field of the value. */
  record Field(String name) implements RecordPart {}

  /**
   * The key.
   *
   * @param field of the key; nothing for the whole key
   */
  record Key(Optional<String> field) implements RecordPart {}

  /** A header, as UTF-8 text. */
  record Header(String name) implements RecordPart {}

  /** The name of the topic. */
  record Topic() implements RecordPart {}

  /** The Kafka timestamp. */
  record Timestamp() implements RecordPart {}

  /** No part at all: one name for every record. */
  record Constant(String name) implements RecordPart {}

  /** The word of {@link Key}. */
  String KEY = "$key";

  /** The word of {@link Timestamp}. */
  String TIMESTAMP = "$timestamp";

  /** The word of {@link Topic}. */
  String TOPIC = "$topic";

  /** What the words of {@link Header} begin with. */
  String HEADER = "$header.";

  /** What the words of {@link Constant} begin with; files have a mapping instead. */
  String CONSTANT = "$constant.";

  /** What a word means. */
  static RecordPart of(String word) {
    return switch (word) {
      case KEY -> new Key(Optional.empty());
      case TIMESTAMP -> new Timestamp();
      case TOPIC -> new Topic();
      default ->
          behind(KEY + ".", word)
              .<RecordPart>map(field -> new Key(Optional.of(field)))
              .or(() -> behind(HEADER, word).map(Header::new))
              .or(() -> behind(CONSTANT, word).map(Constant::new))
              .orElseGet(() -> new Field(word));
    };
  }

  /** Whether a word is that of a field of the value. */
  static boolean isField(String word) {
    return of(word) instanceof Field;
  }

  private static Optional<String> behind(String prefix, String word) {
    return word.startsWith(prefix) && word.length() > prefix.length()
        ? Optional.of(word.substring(prefix.length()))
        : Optional.empty();
  }
}
