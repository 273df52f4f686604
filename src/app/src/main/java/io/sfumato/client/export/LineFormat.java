// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.RowColumn;
import io.sfumato.serde.RowText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rows as lines of text. */
enum LineFormat {
  CSV {
    @Override
    Optional<String> head(CategoryColumns categories) {
      return Optional.of(RowText.csvHead(categories));
    }

    @Override
    String line(PublishedRow row, CategoryColumns categories) {
      return RowText.csv(row, categories);
    }

    @Override
    List<String> names(String line) {
      return cells(line).stream().map(LineFormat::unmarked).toList();
    }

    @Override
    List<String> values(String line) {
      return names(line);
    }
  },
  JSON {
    @Override
    Optional<String> head(CategoryColumns categories) {
      return Optional.empty();
    }

    @Override
    String line(PublishedRow row, CategoryColumns categories) {
      return RowText.json(row, categories);
    }

    @Override
    List<String> names(String line) throws IOException {
      List<String> names = new ArrayList<>();
      object(line).properties().forEach(field -> names.add(field.getKey()));
      return names;
    }

    @Override
    List<String> values(String line) throws IOException {
      List<String> values = new ArrayList<>();
      object(line).forEach(value -> values.add(value.asText()));
      return values;
    }

    private JsonNode object(String line) throws IOException {
      JsonNode node = MAPPER.readTree(line);
      if (node == null || !node.isObject()) {
        throw new IOException("a line is no JSON object");
      }
      return node;
    }
  };

  /** What {@link RowText} puts before text that a spreadsheet would take for a formula. */
  private static final String TEXT_MARK = "'";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final int FIRST = RowColumn.first().size();
  private static final int REST = RowColumn.rest().size();

  /** The line before all rows, if there is one. */
  abstract Optional<String> head(CategoryColumns categories);

  /** A row, without the line's end. */
  abstract String line(PublishedRow row, CategoryColumns categories);

  /** Names of columns in the head, or in a row. */
  abstract List<String> names(String line) throws IOException;

  /** Values of a row. */
  abstract List<String> values(String line) throws IOException;

  /**
   * The columns of category fields in a file.
   *
   * @param line its head; where the format has none, a row
   * @throws IOException if other columns are not those of rows; says so
   */
  CategoryColumns categories(String line) throws IOException {
    List<String> found = names(line);
    int between = found.size() - FIRST - REST;
    List<String> fields = between < 0 ? List.of() : found.subList(FIRST, FIRST + between);
    if (between < 0 || !names(fields).equals(found)) {
      throw new IOException("its columns are not those of rows");
    }
    return CategoryColumns.named(fields);
  }

  private static List<String> names(List<String> fields) {
    List<String> names = new ArrayList<>();
    RowColumn.first().forEach(column -> names.add(column.word()));
    names.addAll(fields);
    RowColumn.rest().forEach(column -> names.add(column.word()));
    return names;
  }

  /** The text of a value, without what marks it as text. */
  static String unmarked(String cell) {
    return cell.startsWith(TEXT_MARK) ? cell.substring(1) : cell;
  }

  /** The same line of CSV with a column more, behind so many others. */
  static String widened(String line, String cell, int columns) {
    boolean isQuoted = false;
    int seen = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        isQuoted = !isQuoted;
      } else if (c == ',' && !isQuoted && ++seen == columns) {
        return line.substring(0, i + 1) + cell + line.substring(i);
      }
    }
    throw new IllegalArgumentException("fewer columns than " + columns);
  }

  /** Cells of a line, without quotation marks. */
  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean isQuoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        if (isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
          cell.append(line.charAt(++i));
        } else {
          isQuoted = !isQuoted;
        }
      } else if (c == ',' && !isQuoted) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(cell.toString());
    return cells;
  }
}
