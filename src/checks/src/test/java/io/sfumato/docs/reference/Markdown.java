// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs.reference;

import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A page in the making. */
final class Markdown {
  /** Words in quotes, but no apostrophes. */
  private static final Pattern QUOTED = Pattern.compile("(?<=^|[\\s(])'([^'\n]+)'(?=$|[\\s.,:;)])");

  /** Options, fields of records and of pipeline files, codes: whatever is written as it is here. */
  private static final Pattern LITERAL =
      Pattern.compile(
          "`[^`]*`|(?<![\\w-])--[a-z][a-z-]*(?![\\w-])|(?<=^|\\s)-[a-z](?![\\w-])"
              + "|(?<![\\w.-])(?:window|input|contributions)\\.[a-z-]+"
              + "|\\b[a-z]+(?:_[a-z0-9]+)+\\b|\\b[A-Z]+(?:_[A-Z]+)+\\b(?:=\\S*\\w)?");

  private final StringBuilder text = new StringBuilder();

  /**
   * Begins a page.
   *
   * @param reader whom it is for, and what they find
   * @param source what it is written from
   */
  Markdown(String title, String reader, String source) {
    text.append("# ").append(title).append('\n');
    paragraph("%s The build generates this page from %s.".formatted(reader, source));
  }

  Markdown heading(int level, String words) {
    text.append('\n').append("#".repeat(level)).append(' ').append(words).append('\n');
    return this;
  }

  /** Text that is Markdown already. */
  Markdown paragraph(String words) {
    text.append('\n').append(words).append('\n');
    return this;
  }

  Markdown block(List<String> lines) {
    text.append("\n```text\n");
    lines.forEach(line -> text.append(line.stripTrailing()).append('\n'));
    text.append("```\n");
    return this;
  }

  /** A table of cells that are Markdown already. */
  Markdown table(List<String> head, List<List<String>> rows) {
    text.append('\n');
    row(head);
    row(head.stream().map(unused -> "---").toList());
    rows.forEach(this::row);
    return this;
  }

  private void row(List<String> cells) {
    text.append(
        cells.stream()
            .map(cell -> cell.isEmpty() ? " " : " " + cell.replace("|", "\\|") + " ")
            .collect(Collectors.joining("|", "|", "|\n")));
  }

  /** A sentence of the program: what it quotes becomes code, and nothing is a tag or emphasis. */
  static String words(String sentence) {
    String quoted = QUOTED.matcher(sentence).replaceAll("`$1`");
    StringBuilder words = new StringBuilder();
    int from = 0;
    for (MatchResult literal : LITERAL.matcher(quoted).results().toList()) {
      words.append(escaped(quoted.substring(from, literal.start())));
      words.append(literal.group().startsWith("`") ? literal.group() : code(literal.group()));
      from = literal.end();
    }
    return words.append(escaped(quoted.substring(from))).toString();
  }

  private static String escaped(String plain) {
    return plain.replace("<", "&lt;").replace("*", "\\*").replace("[", "\\[");
  }

  static String code(String literal) {
    return "`" + literal + "`";
  }

  /** A link to a heading of the same page. */
  static String link(String heading) {
    return "[%s](#%s)".formatted(heading, heading.toLowerCase(Locale.ROOT).replace(' ', '-'));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
