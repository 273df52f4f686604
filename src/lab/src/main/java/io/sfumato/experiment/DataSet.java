// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * A table, the label in its last column.
 *
 * @param name of the file, without {@code .csv.gz}
 * @param columns the label last
 */
record DataSet(String name, List<ResultColumn> columns) {
  private static final String ENDING = ".csv.gz";

  DataSet {
    columns = List.copyOf(columns);
  }

  /** Number of rows. */
  int size() {
    return columns.get(0).texts().length;
  }

  ResultColumn label() {
    return columns.get(columns.size() - 1);
  }

  ResultColumn column(String name) throws ExperimentException {
    return columns.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ExperimentException(
                    "%s.csv.gz: has no column '%s', which the experiment needs"
                        .formatted(this.name, name)));
  }

  /** Without the column that repeats another: Adult's education in years. */
  DataSet withoutRepeated() {
    return name.equals("Adult")
        ? new DataSet(
            name, columns.stream().filter(c -> !c.name().equals("education-num")).toList())
        : this;
  }

  /** Reads {@code DIR/NAME.csv.gz}: a header, then rows of as many fields. */
  static DataSet read(Path folder, String name) throws ExperimentException {
    Path file = folder.resolve(name + ENDING);
    try (InputStream in = new GZIPInputStream(new BufferedInputStream(Files.newInputStream(file)));
        MappingIterator<String[]> lines =
            new CsvMapper()
                .enable(CsvParser.Feature.WRAP_AS_ARRAY)
                .enable(CsvParser.Feature.TRIM_SPACES)
                .readerFor(String[].class)
                .readValues(in)) {
      List<String[]> rows = new ArrayList<>();
      while (lines.hasNextValue()) {
        rows.add(lines.nextValue());
      }
      return of(name, file, rows);
    } catch (NoSuchFileException e) {
      throw new ExperimentException(
          file + ": no such file; --data names the folder that has it" + others(folder));
    } catch (JacksonException e) {
      throw new ExperimentException(file + ": not CSV: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new ExperimentException(
          file + ": cannot be read as gzipped CSV (" + e.getClass().getSimpleName() + ")");
    }
  }

  /** What the folder has instead, to choose from. */
  private static String others(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> file.endsWith(ENDING))
              .map(file -> file.substring(0, file.length() - ENDING.length()))
              .sorted()
              .toList();
      return names.isEmpty()
          ? "; it has no data set (NAME.csv.gz)"
          : "; it has " + String.join(", ", names);
    } catch (IOException e) {
      return "; " + folder + " is no folder that can be read";
    }
  }

  private static DataSet of(String name, Path file, List<String[]> rows)
      throws ExperimentException {
    if (rows.size() < 11 || rows.get(0).length < 2) {
      throw new ExperimentException(
          file + ": found " + rows.size() + " lines, needed are a header and at least 10 rows");
    }
    String[] header = rows.get(0);
    for (int i = 1; i < rows.size(); i++) {
      if (rows.get(i).length != header.length) {
        throw new ExperimentException(
            "%s: line %d has %d fields, the header has %d"
                .formatted(file, i + 1, rows.get(i).length, header.length));
      }
    }
    List<ResultColumn> columns = new ArrayList<>();
    for (int c = 0; c < header.length; c++) {
      String[] texts = new String[rows.size() - 1];
      for (int i = 1; i < rows.size(); i++) {
        texts[i - 1] = rows.get(i)[c];
      }
      columns.add(ResultColumn.of(header[c], texts));
    }
    return new DataSet(name, columns);
  }
}
