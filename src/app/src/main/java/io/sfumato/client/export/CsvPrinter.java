// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.release.Releases;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.apache.avro.generic.IndexedRecord;

/**
 * Prints rows as CSV. The first line names all columns, so rows wait on disk until the topic has
 * been read; later ones are printed as they come.
 */
public final class CsvPrinter implements AutoCloseable {
  private final PrintWriter out;
  private final Path folder;
  private final Path waiting;
  private final LineFile file;
  private final CategoryColumns printed = new CategoryColumns();
  private boolean isPrinting;

  public CsvPrinter(PrintWriter out) throws IOException {
    this.out = out;
    folder = Files.createTempDirectory("sfumato-csv");
    waiting = folder.resolve("rows.csv");
    file = LineFile.anew(waiting, LineFormat.CSV);
  }

  /**
   * Takes the rows of an output.
   *
   * @param released Kafka timestamp of its record
   * @return whether it has rows: refusals and dead letters have none
   */
  public boolean add(IndexedRecord output, Instant released) {
    if (Releases.viewOf(output).isEmpty()) {
      return false;
    }
    for (PublishedRow row :
        PublishedRow.of(
            Releases.viewOf(output).orElseThrow().rows(output, Optional.empty()), released)) {
      add(row);
    }
    return true;
  }

  /** Takes a row. */
  public void add(PublishedRow row) {
    boolean isWider = printed.addAll(row);
    if (!isPrinting) {
      io(() -> file.write(row));
    } else if (isWider) {
      throw new NewColumnException();
    } else {
      out.println(LineFormat.CSV.line(row, printed));
    }
  }

  /** Prints what waits: the topic has been read. */
  public void caughtUp() {
    if (!isPrinting) {
      isPrinting = true;
      io(
          () -> {
            file.caughtUp();
            try (LineReader lines = new LineReader(waiting, LineFormat.CSV)) {
              for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                out.println(line.get());
              }
            }
          });
    }
    out.flush();
  }

  private interface Work {
    void run() throws RefusedException, IOException;
  }

  private static void io(Work work) {
    try {
      work.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RefusedException e) {
      throw new IllegalStateException("a new file has no other rows", e);
    }
  }

  /** The first line is printed, and a row has a column that it does not name. */
  public static final class NewColumnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What to do. */
    public RefusedException refused() {
      return new RefusedException(
          ExitCode.FAILED,
          "a new release has a category field that the first line does not name: run the command again, or use 'sfumato export', which adds the column");
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
    Files.deleteIfExists(waiting);
    Files.deleteIfExists(folder);
  }
}
