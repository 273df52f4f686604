// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * The rows of a file that is continued, compared line by line with those that an export would
 * write. So a file is continued by the export that began it, and by no other.
 */
final class FoundRows implements AutoCloseable {
  private static final int SUBJECT = 0;
  private static final int WINDOW_START = 1;
  private static final int WINDOW_END = 2;
  private static final int OUTPUT = 3;

  private final Path file;
  private final LineFormat format;
  private final LineReader lines;

  /** Those of the head; where there is none, of the lines so far. */
  private CategoryColumns columns = new CategoryColumns();

  private Predicate<ExportWindow> mayLack = window -> false;

  /** The next line, and its window; nothing behind the last one. */
  private Optional<String> next = Optional.empty();

  private Optional<ExportWindow> nextWindow = Optional.empty();

  /** Where the next line begins that has no end: a writer was stopped within it. */
  private OptionalLong torn = OptionalLong.empty();

  /** The last line, if no row is equal to it. */
  private Optional<String> skipped = Optional.empty();

  private ExportWindow window;

  private FoundRows(Path file, LineFormat format) throws IOException {
    this.file = file;
    this.format = format;
    this.lines = new LineReader(file, format);
  }

  /**
   * Those of a file that is not empty.
   *
   * @throws RefusedException if it is no file of rows
   */
  static FoundRows of(Path file, LineFormat format) throws RefusedException, IOException {
    FoundRows found = new FoundRows(file, format);
    try {
      found.head();
      return found;
    } catch (RefusedException | IOException | RuntimeException e) {
      found.close();
      throw e;
    }
  }

  private void head() throws RefusedException, IOException {
    if (format.head(columns).isPresent()) {
      columns = categories(lines.next().orElseThrow());
      if (!lines.hasEnd()) {
        throw refused("its first line has no end");
      }
    }
    advance();
  }

  /** Nothing is left to compare: what comes next is appended. */
  boolean isOver() {
    return next.isEmpty();
  }

  /** Where a line begins that has no end and is to be cut off. */
  OptionalLong torn() {
    return torn;
  }

  /** The columns at its end. */
  CategoryColumns columns() {
    return columns;
  }

  /** Of these windows the file may have rows that do not come. */
  void mayLack(Predicate<ExportWindow> windows) {
    mayLack = windows;
  }

  /** The rows that come next are of this window. */
  void begin(ExportWindow begun) throws RefusedException, IOException {
    window = begun;
    while (nextWindow.filter(found -> found.compareTo(window) < 0).isPresent()) {
      ExportWindow found = nextWindow.get();
      if (!mayLack.test(found)) {
        throw refused(
            "it has rows of the window that starts "
                + found.start()
                + ", and the topics have none of it");
      }
      skip();
    }
    skipped = Optional.empty();
  }

  /**
   * Whether the file has a row, in its place.
   *
   * @return false if the file ends before it
   * @throws RefusedException if the file has something else there
   */
  boolean has(PublishedRow row) throws RefusedException, IOException {
    while (isIn(window)) {
      if (isNext(row)) {
        skipped = Optional.empty();
        advance();
        return true;
      }
      if (!mayLack.test(window)) {
        throw differs(row);
      }
      skip();
    }
    if (!isOver() || !isBehindSkipped(row)) {
      throw differs(row);
    }
    return false;
  }

  /** The window has no more rows. */
  void end() throws RefusedException, IOException {
    while (isIn(window)) {
      if (!mayLack.test(window)) {
        throw refused(
            "it has rows of the window that starts "
                + window.start()
                + " that the topics do not have, such as one of output '"
                + values(next.orElseThrow()).get(OUTPUT)
                + "'");
      }
      skip();
    }
    skipped = Optional.empty();
  }

  private boolean isIn(ExportWindow of) {
    return nextWindow.filter(of::equals).isPresent();
  }

  private boolean isNext(PublishedRow row) {
    if (columns.hasAll(row)) {
      return isNext(row, columns);
    }
    CategoryColumns wider = columns.copy();
    boolean isNew = wider.addAll(row);
    if (isNew && format.head(columns).isPresent() || !isNext(row, wider)) {
      return false;
    }
    columns = wider;
    return true;
  }

  private boolean isNext(PublishedRow row, CategoryColumns with) {
    return format.line(row, with).equals(next.orElseThrow());
  }

  /** Rows are in the order of outputs and subjects: one behind what was skipped may be new. */
  private boolean isBehindSkipped(PublishedRow row) throws RefusedException {
    if (skipped.isEmpty()) {
      return true;
    }
    List<String> last = values(skipped.get());
    int byOutput = row.row().head().output().compareTo(last.get(OUTPUT));
    return byOutput > 0
        || byOutput == 0 && row.row().head().subject().compareTo(last.get(SUBJECT)) > 0;
  }

  private void skip() throws RefusedException, IOException {
    skipped = next;
    if (format.head(columns).isEmpty()) {
      columns = categories(next.orElseThrow());
    }
    advance();
  }

  private void advance() throws RefusedException, IOException {
    next = lines.next();
    nextWindow = Optional.empty();
    if (next.isPresent() && !lines.hasEnd()) {
      torn = OptionalLong.of(lines.begin());
      next = Optional.empty();
    }
    if (next.isPresent()) {
      nextWindow = Optional.of(window(next.get()));
    }
  }

  private ExportWindow window(String line) throws RefusedException {
    List<String> values = values(line);
    try {
      return new ExportWindow(
          Instant.parse(values.get(WINDOW_START)), Instant.parse(values.get(WINDOW_END)));
    } catch (DateTimeException | IndexOutOfBoundsException e) {
      throw noRow();
    }
  }

  private List<String> values(String line) throws RefusedException {
    try {
      return format.values(line);
    } catch (IOException e) {
      throw noRow();
    }
  }

  private CategoryColumns categories(String line) throws RefusedException {
    try {
      return format.categories(line);
    } catch (IOException e) {
      throw refused("its columns are not those of rows");
    }
  }

  private RefusedException noRow() {
    return refused("a line of it is no row");
  }

  private RefusedException differs(PublishedRow row) {
    return refused(
        "it differs from the topics at output '%s', subject '%s', in the window that starts %s"
            .formatted(row.row().head().output(), row.row().head().subject(), window.start()));
  }

  private RefusedException refused(String why) {
    return RowFiles.refused(file, why);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
