// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

/**
 * The text of a {@code .proto} file without comments, within bounds. Parsing takes time that is
 * quadratic in comments, in declarations and in the length of words, and a schema is parsed in the
 * middle of a transaction: so these are counted first.
 */
final class ProtobufSource {
  /** Characters that are no comment. Schemas of hundreds of messages have a tenth of it. */
  static final int MOST_CHARACTERS = 512 << 10;

  /** Messages, enums, oneofs and so on, with those of imported files. */
  static final int MOST_BLOCKS = 4_000;

  /** Messages within messages; Protobuf's own compiler allows 32. */
  static final int DEEPEST = 32;

  /** Of a name with its package, and of a number. */
  private static final int LONGEST_WORD = 250;

  private final String text;
  private final StringBuilder kept = new StringBuilder();
  private int blocks;
  private int depth;
  private int word;

  private ProtobufSource(String text) {
    this.text = text;
  }

  /**
   * A text without its comments.
   *
   * @param text as registered
   * @param before blocks of files that were read for the same schema
   * @throws IllegalArgumentException if it is beyond the bounds
   */
  static Plain plain(String text, int before) {
    ProtobufSource source = new ProtobufSource(text);
    source.blocks = before;
    int at = 0;
    while (at < text.length()) {
      at = source.next(at);
    }
    return new Plain(source.kept.toString(), source.blocks);
  }

  /**
   * A text.
   *
   * @param text without comments
   * @param blocks of it, and of the files before it
   */
  record Plain(String text, int blocks) {}

  /** Takes what is at a place; returns where the next thing is. */
  private int next(int at) {
    char here = text.charAt(at);
    if (text.startsWith("//", at)) {
      int end = text.indexOf('\n', at);
      return end < 0 ? text.length() : end;
    }
    if (text.startsWith("/*", at)) {
      int end = text.indexOf("*/", at + 2);
      keep(' ');
      return end < 0 ? text.length() : end + 2;
    }
    if (here == '"' || here == '\'') {
      int end = endOfText(at, here);
      require(kept.length() + end - at <= MOST_CHARACTERS);
      kept.append(text, at, end);
      return end;
    }
    count(here);
    keep(here);
    return at + 1;
  }

  private void keep(char one) {
    require(kept.length() < MOST_CHARACTERS);
    kept.append(one);
  }

  /** Behind the quote that ends a text, or behind everything. */
  private int endOfText(int at, char quote) {
    int end = at + 1;
    while (end < text.length() && text.charAt(end) != quote) {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(end + 1, text.length());
  }

  private void count(char one) {
    if (one == '{') {
      blocks++;
      depth++;
    } else if (one == '}') {
      depth--;
    }
    boolean inWord = Character.isLetterOrDigit(one) || one == '_' || one == '.' || one == '-';
    word = inWord ? word + 1 : 0;
    require(blocks <= MOST_BLOCKS && depth <= DEEPEST && word <= LONGEST_WORD);
  }

  private static void require(boolean within) {
    if (!within) {
      throw new IllegalArgumentException("more than anybody needs");
    }
  }
}
