// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes a page as one HTML file with its style in it: no script, nothing that is fetched. It reads
 * on a phone and in the dark, and prints on A4.
 */
final class Html implements Page.Writer, Inline.Writer {
  private static final String STYLE = "sheet.css";

  private final StringBuilder text = new StringBuilder();

  private Html() {}

  static String of(Page page) {
    Html written = new Html();
    written.head(page.title());
    written.contents(page.sections());
    for (Page.Section section : page.sections()) {
      written.text.append(
          "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n"
              .formatted(section.id(), section.id(), escaped(section.title())));
      section.blocks().forEach(block -> block.to(written));
      written.text.append("</section>\n");
    }
    return written.text.append("</main>\n</body>\n</html>\n").toString();
  }

  private void head(String title) {
    text.append(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>%s</title>
        <style>
        %s</style>
        </head>
        <body>
        <main>
        <h1>%s</h1>
        """
            .formatted(escaped(title), style(), escaped(title)));
  }

  private void contents(List<Page.Section> sections) {
    text.append("<nav aria-label=\"Sections\">\n<ul>\n");
    sections.forEach(
        section ->
            text.append(
                "<li><a href=\"#%s\">%s</a></li>\n"
                    .formatted(section.id(), escaped(section.title()))));
    text.append("</ul>\n</nav>\n");
  }

  private static String style() {
    try (InputStream in = Html.class.getResourceAsStream(STYLE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void heading(String heading) {
    text.append("<h3>").append(escaped(heading)).append("</h3>\n");
  }

  @Override
  public void prose(Inline prose) {
    text.append("<p>").append(prose.by(this)).append("</p>\n");
  }

  @Override
  public void cautions(List<Inline> all) {
    text.append("<ul class=\"cautions\">\n");
    all.forEach(line -> text.append("<li>").append(line.by(this)).append("</li>\n"));
    text.append("</ul>\n");
  }

  /** Wide ones are rolled sideways, which keys can do too. */
  @Override
  public void grid(List<String> columns, List<List<Inline>> rows) {
    text.append(
        "<div class=\"grid\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">\n<table class=\"of-%s\">\n<thead>\n<tr>"
            .formatted(escaped(String.join(", ", columns)), columns.size()));
    columns.forEach(
        column -> text.append("<th scope=\"col\">").append(escaped(column)).append("</th>"));
    text.append("</tr>\n</thead>\n<tbody>\n");
    for (List<Inline> row : rows) {
      text.append("<tr><th scope=\"row\">").append(row.get(0).by(this)).append("</th>");
      row.stream()
          .skip(1)
          .forEach(cell -> text.append("<td>").append(cell.by(this)).append("</td>"));
      text.append("</tr>\n");
    }
    text.append("</tbody>\n</table>\n</div>\n");
  }

  @Override
  public void blanks(List<String> labels) {
    text.append("<dl class=\"blanks\">\n");
    labels.forEach(label -> text.append("<dt>").append(escaped(label)).append("</dt><dd></dd>\n"));
    text.append("</dl>\n");
  }

  @Override
  public String plain(String words) {
    return escaped(words);
  }

  @Override
  public String strong(String words) {
    return "<strong>" + escaped(words) + "</strong>";
  }

  @Override
  public String code(String words) {
    return "<code>" + escaped(words) + "</code>";
  }

  @Override
  public String link(String words, String target) {
    return "<a href=\"%s\">%s</a>".formatted(escaped(target), escaped(words));
  }

  private static String escaped(String words) {
    return words
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
