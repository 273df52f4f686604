// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.RowColumn;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.RowText;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Rows as lines of text in one file. The first windows are collected beside the file, which is
 * replaced at once; later ones are appended. The same windows always give the same bytes.
 */
final class LineFile implements RowFile {
  private final Path file;
  private final Path part;
  private final LineFormat format;

  private CategoryColumns categories = new CategoryColumns();

  /** The rows of a file that is continued, until there are no more of them. */
  private Optional<FoundRows> found = Optional.empty();

  private boolean isAppending;
  private boolean wasWritten;
  private Writer out;

  private LineFile(Path file, LineFormat format) {
    this.file = file;
    this.part = file.resolveSibling("." + file.getFileName() + ".part");
    this.format = format;
  }

  /** A file that is written anew: it is replaced once all complete windows are there. */
  static LineFile anew(Path file, LineFormat format) throws IOException {
    LineFile made = new LineFile(file, format);
    made.out = Files.newBufferedWriter(made.part);
    made.head();
    return made;
  }

  /**
   * Goes on where a file ends, once its rows have come again. A run that was stopped may have left
   * half a window, or half a line: the rest is added.
   *
   * @throws RefusedException if the file has other columns
   */
  static LineFile continued(Path file, LineFormat format) throws RefusedException, IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return anew(file, format);
    }
    LineFile continued = new LineFile(file, format);
    continued.isAppending = true;
    continued.found = Optional.of(FoundRows.of(file, format));
    continued.appendIfOver();
    return continued;
  }

  private void head() throws IOException {
    Optional<String> head = format.head(categories);
    if (head.isPresent()) {
      out.append(head.get()).append('\n');
    }
  }

  private void append() throws IOException {
    out = Files.newBufferedWriter(file, StandardOpenOption.APPEND);
  }

  private void appendIfOver() throws IOException {
    if (found.filter(FoundRows::isOver).isPresent()) {
      FoundRows before = found.get();
      found = Optional.empty();
      before.close();
      categories = before.columns();
      if (before.torn().isPresent()) {
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
          cut.setLength(before.torn().getAsLong());
        }
      }
      append();
    }
  }

  @Override
  public void mayLack(Predicate<ExportWindow> windows) {
    found.ifPresent(rows -> rows.mayLack(windows));
  }

  @Override
  public void begin(ExportWindow window) throws RefusedException, IOException {
    if (found.isPresent()) {
      found.get().begin(window);
    }
    wasWritten = found.isPresent();
  }

  @Override
  public void write(PublishedRow row) throws RefusedException, IOException {
    if (found.isPresent() && found.get().has(row)) {
      return;
    }
    appendIfOver();
    wasWritten = false;
    int before = categories.names().size();
    if (categories.addAll(row) && format.head(categories).isPresent()) {
      List<String> names = categories.names();
      for (int place = before; place < names.size(); place++) {
        widen(names.get(place), place);
      }
    }
    out.append(format.line(row, categories)).append('\n');
  }

  /** Gives the rows so far a column more, in which they are empty. */
  private void widen(String name, int place) throws IOException {
    out.close();
    Path from = isAppending ? file : part;
    Path wider = file.resolveSibling("." + file.getFileName() + ".wider");
    int columns = RowColumn.first().size() + place;
    try (LineReader lines = new LineReader(from, format);
        BufferedWriter to = Files.newBufferedWriter(wider)) {
      String head = lines.next().orElseThrow();
      to.append(LineFormat.widened(head, RowText.csvCell(name), columns)).append('\n');
      for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
        to.append(LineFormat.widened(line.get(), "", columns)).append('\n');
      }
    }
    Files.move(wider, from, StandardCopyOption.ATOMIC_MOVE);
    out = Files.newBufferedWriter(from, StandardOpenOption.APPEND);
  }

  @Override
  public void end() throws RefusedException, IOException {
    if (found.isPresent()) {
      found.get().end();
    }
    appendIfOver();
    if (isAppending && out != null) {
      out.flush();
    }
  }

  @Override
  public boolean wasWritten() {
    return wasWritten;
  }

  @Override
  public void caughtUp() throws IOException {
    if (!isAppending) {
      out.close();
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      isAppending = true;
      append();
    }
  }

  @Override
  public void close() throws IOException {
    if (found.isPresent()) {
      found.get().close();
    }
    if (out != null) {
      out.close();
    }
    if (!isAppending) {
      Files.deleteIfExists(part);
    }
  }
}
