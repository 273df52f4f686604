// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import java.util.function.BiFunction;

/** How a sheet is written: the same facts in each. Lines end with a newline on every machine. */
public enum Form {
  /** For repositories and tickets. */
  MARKDOWN((sheet, docs) -> Markdown.of(new Layout(sheet, docs).page())),
  /** For programs. */
  JSON((sheet, docs) -> sheet.json()),
  /** For screens and paper, in one file. */
  HTML((sheet, docs) -> Html.of(new Layout(sheet, docs).page()));

  private final BiFunction<Sheet, String, String> writer;

  Form(BiFunction<Sheet, String, String> writer) {
    this.writer = writer;
  }

  /**
   * Writes a sheet.
   *
   * @param docs where links to this program's documents lead, such as {@code docs/}
   */
  public String write(Sheet sheet, String docs) {
    return writer.apply(sheet, docs.isEmpty() || docs.endsWith("/") ? docs : docs + "/");
  }
}
