// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A line of text, with code and links in it. Writers escape every span: names come from files.
 *
 * @param spans in their order
 */
record Inline(List<Span> spans) {
  Inline {
    spans = List.copyOf(spans);
  }

  /** Whoever writes spans, one way for each. */
  interface Writer {
    /** Text as it stands. */
    String plain(String text);

    /** What stands out. */
    String strong(String text);

    /** Names and commands. */
    String code(String text);

    /** Somewhere else. */
    String link(String text, String target);
  }

  /** A stretch of text of one kind. */
  interface Span {
    /** As the writer writes it. */
    String by(Writer writer);
  }

  static Inline of(String text) {
    return new Inline(List.of(writer -> writer.plain(text)));
  }

  static Inline code(String text) {
    return new Inline(List.of(writer -> writer.code(text)));
  }

  static Inline strong(String text) {
    return new Inline(List.of(writer -> writer.strong(text)));
  }

  static Inline link(String text, String target) {
    return new Inline(List.of(writer -> writer.link(text, target)));
  }

  /** This and then another one. */
  Inline and(Inline other) {
    List<Span> all = new ArrayList<>(spans);
    all.addAll(other.spans);
    return new Inline(all);
  }

  Inline and(String text) {
    return and(of(text));
  }

  /** All spans as a writer writes them. */
  String by(Writer writer) {
    return spans.stream().map(span -> span.by(writer)).collect(Collectors.joining());
  }
}
