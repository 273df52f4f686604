// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.RowColumn;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Rows as lines of text in one file. The first windows are collected beside the file, which is
 * replaced at once; later ones are appended. The same windows always give the same bytes.
 */
final class LineFile implements RowFile {
  private static final int WINDOW_START = 1;
  private static final int WINDOW_END = 2;

  private final Path file;
  private final Path part;
  private final LineFormat format;

  private CategoryColumns categories = new CategoryColumns();

  /** The last window of the file as it was found, if rows are appended to it. */
  private Optional<ExportWindow> last = Optional.empty();

  /** Where the last window begins, in bytes. */
  private long lastBegin;

  /** The columns that were known there: a file without a head tells more of them line by line. */
  private CategoryColumns lastCategories = new CategoryColumns();

  private boolean isAppending;
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
   * Goes on where a file ends. Its last window is written again, since a run that was stopped may
   * have left half of it.
   *
   * @throws IOException also if the file has other columns
   */
  static LineFile appending(Path file, LineFormat format) throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return anew(file, format);
    }
    LineFile found = new LineFile(file, format);
    found.isAppending = true;
    OptionalLong broken = found.scan();
    found.append();
    if (broken.isPresent()) {
      found.cut(broken.getAsLong());
    }
    return found;
  }

  /** Where a line begins that has no end: a writer was stopped within it. */
  private OptionalLong scan() throws IOException {
    OptionalLong broken = OptionalLong.empty();
    try (LineReader lines = new LineReader(file, format)) {
      Optional<String> columns = Optional.empty();
      Optional<String> before = Optional.empty();
      if (format.head(categories).isPresent()) {
        columns = lines.next();
      }
      for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
        if (!lines.hasEnd()) {
          broken = OptionalLong.of(lines.begin());
          break;
        }
        ExportWindow window = window(format.values(line.get()));
        if (last.isEmpty() || !last.get().equals(window)) {
          last = Optional.of(window);
          lastBegin = lines.begin();
          before = columns;
        }
        if (format.head(categories).isEmpty()) {
          columns = line;
        }
      }
      if (columns.isPresent()) {
        categories = format.categories(columns.get());
      }
      if (before.isPresent()) {
        lastCategories = format.categories(before.get());
      }
    }
    return broken;
  }

  private static ExportWindow window(List<String> values) throws IOException {
    try {
      return new ExportWindow(
          Instant.parse(values.get(WINDOW_START)), Instant.parse(values.get(WINDOW_END)));
    } catch (DateTimeException | IndexOutOfBoundsException e) {
      throw new IOException("a line is no row", e);
    }
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

  @Override
  public boolean isWritten(ExportWindow window) {
    return last.filter(found -> window.compareTo(found) < 0).isPresent();
  }

  @Override
  public void begin(ExportWindow window) throws IOException {
    if (last.filter(window::equals).isPresent()) {
      cut(lastBegin);
      categories = lastCategories;
    }
    last = Optional.empty();
  }

  private void cut(long length) throws IOException {
    out.close();
    try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
      cut.setLength(length);
    }
    append();
  }

  @Override
  public void write(PublishedRow row) throws IOException {
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
    CategoryColumns head = CategoryColumns.named(categories.names().subList(0, place + 1));
    int columns = RowColumn.first().size() + place;
    try (LineReader lines = new LineReader(from, format);
        BufferedWriter to = Files.newBufferedWriter(wider)) {
      lines.next();
      to.append(format.head(head).orElseThrow()).append('\n');
      for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
        to.append(LineFormat.widened(line.get(), "", columns)).append('\n');
      }
    }
    Files.move(wider, from, StandardCopyOption.ATOMIC_MOVE);
    out = Files.newBufferedWriter(from, StandardOpenOption.APPEND);
  }

  @Override
  public void end() throws IOException {
    if (isAppending) {
      out.flush();
    }
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
    out.close();
    if (!isAppending) {
      Files.deleteIfExists(part);
    }
  }
}
