// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;

/**
 * One fact of a plan: the name that people read, the key that programs read, and a value. {@link
 * FactText} and {@link FactJson} render it.
 */
public sealed interface Fact {
  /** In front of the value, in text; may be empty. */
  String name();

  /** In JSON; empty for what is only for people. */
  String key();

  /** How a number is written in text; in JSON it keeps all its digits. */
  enum Form {
    /** To four significant digits; whole numbers and decimals in full. */
    PLAIN,
    /** Half the width of a 95% interval. */
    BAR,
    /** A part of 1, as a percentage. */
    PERCENT,
    /** A proven upper bound, never rounded below itself. */
    AT_MOST,
    /** A number of bytes, in KiB where it is large. */
    BYTES
  }

  /** A word, or a sentence. */
  record Words(String name, String key, String words) implements Fact {}

  /** A truth value. */
  record Flag(String name, String key, boolean value) implements Fact {}

  /**
   * A number.
   *
   * @param unit behind it, its first word in the plural; may be empty
   */
  record Number(String name, String key, java.lang.Number value, Form form, String unit)
      implements Fact {}

  /** Several words: an array of strings. */
  record Many(String name, String key, List<String> words) implements Fact {
    public Many {
      words = List.copyOf(words);
    }
  }

  /** Facts that belong together: an object. */
  record Group(String name, String key, Facts facts) implements Fact {}

  /** Rows of facts, each on a line of its own, or under its own title: an array of objects. */
  record Table(String key, List<Facts> rows) implements Fact {
    public Table {
      rows = List.copyOf(rows);
    }

    @Override
    public String name() {
      return "";
    }
  }
}
