// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.RowColumn;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads exported files: CSV and JSON lines. */
public final class ExportedRows {
  private static final Set<String> COLUMNS =
      Stream.of(RowColumn.values()).map(RowColumn::word).collect(Collectors.toUnmodifiableSet());

  private static final Set<String> TRUE = Set.of("true", "t", "1");

  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");

  /** Before text that a spreadsheet would take for a formula. */
  private static final String TEXT_MARK = "'";

  private ExportedRows() {}

  /**
   * All rows of a file that ends in {@code .csv} or {@code .jsonl}.
   *
   * @throws IllegalArgumentException if it is no such file; says where and what to do
   */
  public static List<FileRow> read(Path file) throws IOException {
    String name = file.getFileName().toString();
    if (name.endsWith(".csv")) {
      return csv(file);
    }
    if (name.endsWith(".jsonl")) {
      return json(file);
    }
    throw new IllegalArgumentException(
        "%s: give a file ending in .csv or .jsonl, such as 'sfumato export TOPIC --to rows.csv'"
                .formatted(file)
            + " writes");
  }

  private static List<FileRow> csv(Path file) throws IOException {
    List<FileRow> rows = new ArrayList<>();
    try (MappingIterator<Map<String, String>> lines =
        new CsvMapper()
            .readerForMapOf(String.class)
            .with(CsvSchema.emptySchema().withHeader())
            .readValues(file.toFile())) {
      while (lines.hasNextValue()) {
        Map<String, String> cells = new LinkedHashMap<>(lines.nextValue());
        cells.replaceAll((column, cell) -> cell.startsWith(TEXT_MARK) ? cell.substring(1) : cell);
        rows.add(row(file, rows.size() + 2, cells));
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s: line %d is no CSV: export the file again".formatted(file, rows.size() + 2), e);
    }
    return rows;
  }

  private static List<FileRow> json(Path file) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    List<FileRow> rows = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          rows.add(row(file, number, cells(file, number, mapper, line)));
        }
      }
    }
    return rows;
  }

  private static Map<String, String> cells(
      Path file, int number, ObjectMapper mapper, String line) {
    try {
      Map<String, String> cells = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> field : mapper.readTree(line).properties()) {
        cells.put(field.getKey(), field.getValue().isNull() ? "" : field.getValue().asText());
      }
      return cells;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s: line %d is no JSON: export the file again".formatted(file, number), e);
    }
  }

  private static FileRow row(Path file, int line, Map<String, String> cells) {
    List<String> missing = COLUMNS.stream().filter(c -> !cells.containsKey(c)).sorted().toList();
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: no column %s: give a file that 'sfumato export' wrote"
              .formatted(file, String.join(", ", missing)));
    }
    try {
      return row(cells);
    } catch (NumberFormatException | DateTimeParseException e) {
      throw new IllegalArgumentException(
          "%s: line %d has a number or time that cannot be read: export the file again"
              .formatted(file, line),
          e);
    }
  }

  private static FileRow row(Map<String, String> cells) {
    Map<String, String> group = new LinkedHashMap<>();
    cells.forEach(
        (column, cell) -> {
          if (!COLUMNS.contains(column) && !cell.isEmpty()) {
            group.put(column, cell);
          }
        });
    String scope = cells.get("noise_scope");
    return new FileRow(
        new FileRow.Place(
            cells.get("output"),
            cells.get("subject"),
            new FileRow.Window(
                Instant.parse(cells.get("window_start")), Instant.parse(cells.get("window_end"))),
            group,
            cells.get("measure")),
        number(cells.get("value")),
        cells.get("low").isEmpty()
            ? Optional.empty()
            : Optional.of(new FileRow.Ends(number(cells.get("low")), number(cells.get("high")))),
        real(cells.get("deviation")),
        cells.get("noise"),
        scope.isEmpty()
            ? Optional.empty()
            : Optional.of(NoiseScope.valueOf(scope.toUpperCase(Locale.ROOT))),
        new FileRow.Marks(
            holds(cells.get("unknown")),
            holds(cells.get("clamped")),
            real(cells.get("left_out")),
            Collections.unmodifiableMap(cells)));
  }

  /** Databases write 1 or t. */
  private static boolean holds(String cell) {
    return TRUE.contains(cell.toLowerCase(Locale.ROOT));
  }

  private static Number number(String cell) {
    return WHOLE.matcher(cell).matches()
        ? (Number) Long.valueOf(cell)
        : (Number) Double.valueOf(cell);
  }

  private static OptionalDouble real(String cell) {
    return cell.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(cell));
  }
}
