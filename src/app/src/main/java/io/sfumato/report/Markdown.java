// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import java.util.Collections;
import java.util.List;

/** Writes a page as Markdown: CommonMark with GitHub's tables. */
final class Markdown implements Page.Writer, Inline.Writer {
  private final StringBuilder text = new StringBuilder();

  private Markdown() {}

  static String of(Page page) {
    Markdown written = new Markdown();
    written.text.append("# ").append(written.plain(page.title())).append('\n');
    for (Page.Section section : page.sections()) {
      written.text.append("\n## ").append(written.plain(section.title())).append('\n');
      for (Page.Block block : section.blocks()) {
        written.text.append('\n');
        block.to(written);
      }
    }
    return written.text.toString();
  }

  @Override
  public void heading(String heading) {
    text.append("### ").append(plain(heading)).append('\n');
  }

  @Override
  public void prose(Inline prose) {
    text.append(prose.by(this)).append('\n');
  }

  @Override
  public void cautions(List<Inline> all) {
    all.forEach(line -> text.append("- ").append(line.by(this)).append('\n'));
  }

  @Override
  public void grid(List<String> columns, List<List<Inline>> rows) {
    row(columns.stream().map(this::plain).toList());
    row(Collections.nCopies(columns.size(), "---"));
    rows.forEach(row -> row(row.stream().map(cell -> cell.by(this)).toList()));
  }

  @Override
  public void blanks(List<String> labels) {
    row(List.of("to fill in", ""));
    row(List.of("---", "---"));
    labels.forEach(label -> row(List.of(plain(label), "")));
  }

  private void row(List<String> cells) {
    text.append('|');
    cells.forEach(cell -> text.append(cell.isEmpty() ? " |" : " " + cell + " |"));
    text.append('\n');
  }

  @Override
  public String plain(String words) {
    return oneLine(words).replaceAll("([\\\\`*_\\[\\]<>|&~])", "\\\\$1");
  }

  @Override
  public String strong(String words) {
    return "**" + plain(words) + "**";
  }

  /** A backtick would end code; a bar would end the cell, also behind a backslash of its own. */
  @Override
  public String code(String words) {
    return words.contains("`") || words.contains("\\|")
        ? plain(words)
        : "`" + oneLine(words).replace("|", "\\|") + "`";
  }

  @Override
  public String link(String words, String target) {
    return "[%s](<%s>)".formatted(plain(words), target.replaceAll("[<>\\s]", ""));
  }

  private static String oneLine(String words) {
    return words.replaceAll("\\R", " ");
  }
}
