// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.io.NumberOutput;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.RowColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Rows as lines of CSV and of JSON: the same row always gives the same text. */
public final class RowText {
  private static final JsonStringEncoder JSON = JsonStringEncoder.getInstance();

  /** A spreadsheet takes text that begins with one of these for a formula; full-width ones too. */
  private static final String FORMULAS = "=+-@\t\r\uFF1D\uFF0B\uFF0D\uFF20";

  /** Before such text, and before text that begins with it. */
  private static final char TEXT_MARK = '\'';

  private RowText() {}

  /** The names of all columns, in their order. */
  public static List<String> names(CategoryColumns categories) {
    List<String> names = new ArrayList<>();
    RowColumn.first().forEach(column -> names.add(column.word()));
    names.addAll(categories.names());
    RowColumn.rest().forEach(column -> names.add(column.word()));
    return names;
  }

  /** The first line of CSV, without its end. */
  public static String csvHead(CategoryColumns categories) {
    return String.join(",", names(categories).stream().map(RowText::cell).toList());
  }

  /** A line of CSV, without its end. */
  public static String csv(PublishedRow row, CategoryColumns categories) {
    StringBuilder line = new StringBuilder(200);
    RowColumn.first().forEach(column -> line.append(cell(column.of(row))).append(','));
    categories.of(row).forEach(value -> line.append(cell(value)).append(','));
    RowColumn.rest().forEach(column -> line.append(cell(column.of(row))).append(','));
    line.setLength(line.length() - 1);
    return line.toString();
  }

  private static String cell(Optional<Object> value) {
    return value.map(found -> found instanceof String text ? cell(text) : plain(found)).orElse("");
  }

  /** A text as CSV has it. */
  public static String csvCell(String text) {
    return cell(text);
  }

  private static String cell(String text) {
    if (text.isEmpty()) {
      return "";
    }
    char first = text.charAt(0);
    String safe = FORMULAS.indexOf(first) >= 0 || first == TEXT_MARK ? TEXT_MARK + text : text;
    return safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
        ? '"' + safe.replace("\"", "\"\"") + '"'
        : safe;
  }

  /** A line of JSON, without its end. */
  public static String json(PublishedRow row, CategoryColumns categories) {
    StringBuilder line = new StringBuilder(400).append('{');
    RowColumn.first().forEach(column -> field(line, column.word(), column.of(row)));
    Iterator<String> values = categories.of(row).iterator();
    categories.names().forEach(name -> field(line, name, Optional.of(values.next())));
    RowColumn.rest().forEach(column -> field(line, column.word(), column.of(row)));
    line.setCharAt(line.length() - 1, '}');
    return line.toString();
  }

  private static void field(StringBuilder line, String name, Optional<Object> value) {
    quoted(line, name);
    line.append(':');
    value.ifPresentOrElse(
        found -> {
          if (found instanceof String || found instanceof Instant) {
            quoted(line, found.toString());
          } else {
            line.append(plain(found));
          }
        },
        () -> line.append("null"));
    line.append(',');
  }

  private static void quoted(StringBuilder line, String text) {
    line.append('"');
    JSON.quoteAsString(text, line);
    line.append('"');
  }

  /** As in outputs: Java's own text of a double changed with Java 19. */
  private static String plain(Object value) {
    return value instanceof Double number ? NumberOutput.toString(number, true) : value.toString();
  }
}
