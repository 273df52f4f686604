// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import io.sfumato.modeller.PseudoData;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Synthetic datasets as CSV: a row a record, the dataset's number (from 1) first, then the fields
 * as the pipeline's own records name them. Nothing private is in it but what the answers told.
 */
final class SyntheticFile implements AutoCloseable {
  private final Path file;
  private final InputSpec input;
  private final SequenceWriter rows;
  private List<String> header = List.of();
  private SkippedRows leftOut = SkippedRows.NOTHING;

  /** Starts a file; one that is there is replaced. */
  SyntheticFile(Path file, InputSpec input) throws RefusedException {
    this.file = file;
    this.input = input;
    try {
      this.rows = new CsvMapper().writerFor(List.class).writeValues(Files.newBufferedWriter(file));
    } catch (IOException e) {
      throw unwritable();
    }
  }

  /**
   * Adds a dataset.
   *
   * @param number from 1
   * @throws RefusedException if the file cannot be written
   */
  void add(int number, PseudoData data) throws RefusedException {
    leftOut = SkippedRows.of(data, input);
    try {
      if (data instanceof PseudoData.Counts counts) {
        begin(
            input.columns().isPresent()
                ? input.categoryFields()
                : List.of(input.category().orElse("category")));
        addCounts(number, counts);
      } else if (data instanceof PseudoData.Numbers numbers) {
        begin(input.values());
        for (double[] row : numbers.rows()) {
          List<Object> cells = new ArrayList<>(List.of(number));
          for (double value : row) {
            cells.add(value);
          }
          rows.write(cells);
        }
      }
    } catch (IOException e) {
      throw unwritable();
    }
  }

  /** What the rows so far lack. */
  SkippedRows leftOut() {
    return leftOut;
  }

  private void addCounts(int number, PseudoData.Counts counts) throws IOException {
    for (int i = 0; i < input.allCategories().size(); i++) {
      List<Object> cells = new ArrayList<>(List.of(number));
      cells.addAll(input.valuesOf(i));
      for (long k = 0; k < counts.byCategory()[i]; k++) {
        rows.write(cells);
      }
    }
  }

  private void begin(List<String> fields) throws IOException {
    if (header.isEmpty()) {
      List<String> names = new ArrayList<>(List.of("dataset"));
      names.addAll(fields);
      header = names;
      rows.write(header);
    }
  }

  @Override
  public void close() throws RefusedException {
    try {
      rows.close();
    } catch (IOException e) {
      throw unwritable();
    }
  }

  private RefusedException unwritable() {
    return new RefusedException(ExitCode.REFUSED_FILE, file + ": cannot be written");
  }
}
