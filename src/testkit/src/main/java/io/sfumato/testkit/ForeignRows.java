// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows of figures that others published: a head of lines {@code # key: value} that says whose they
 * are, a line of names, and a row a case, its fields between bars.
 */
public final class ForeignRows {
  private static final Path FOLDER = Path.of("src/testkit/src/main/resources/foreign");
  private static final List<String> HEAD = List.of("repository", "file", "commit", "licence");

  private ForeignRows() {}

  /** One case. */
  public record Row(Map<String, String> fields) {
    /** A field by its name. */
    public String text(String name) {
      String value = fields.get(name);
      assertThat(value).as("field %s of %s", name, fields).isNotNull();
      return value;
    }

    /** A number. */
    public double number(String name) {
      return Double.parseDouble(text(name));
    }

    /** A whole number. */
    public int whole(String name) {
      return Integer.parseInt(text(name));
    }

    /** Numbers with spaces between them; {@code x*n} is n times x, a dash none. */
    public double[] numbers(String name) {
      List<Double> numbers = new ArrayList<>();
      for (String word : text(name).split(" ")) {
        if (!word.equals("-")) {
          String[] times = word.split("\\*");
          for (int i = times.length == 1 ? 1 : Integer.parseInt(times[1]); i > 0; i--) {
            numbers.add(Double.parseDouble(times[0]));
          }
        }
      }
      return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Override
    public String toString() {
      return String.join(" | ", fields.values());
    }
  }

  /** All files. */
  public static List<Path> files() {
    try (var files = Files.list(FOLDER)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the head of a file says. */
  public static Map<String, String> head(Path file) {
    Map<String, String> head = new LinkedHashMap<>();
    for (String line : lines(file)) {
      if (line.startsWith("# ")) {
        String[] parts = line.substring(2).split(": ", 2);
        head.put(parts[0], parts.length == 2 ? parts[1] : "");
      }
    }
    return head;
  }

  /** All rows of a file by its name. */
  public static List<Row> of(String name) {
    Path file = FOLDER.resolve(name);
    assertThat(head(file)).as("head of %s", name).containsKeys(HEAD.toArray(String[]::new));
    List<String> lines = lines(file).stream().filter(line -> !line.startsWith("#")).toList();
    String[] names = lines.get(0).split(" \\| ");
    List<Row> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] values = line.split(" \\| ");
      assertThat(values).as("%s: %s", name, line).hasSameSizeAs(names);
      Map<String, String> fields = new LinkedHashMap<>();
      for (int i = 0; i < names.length; i++) {
        fields.put(names[i], values[i]);
      }
      rows.add(new Row(fields));
    }
    return List.copyOf(rows);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().filter(line -> !line.isBlank()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
