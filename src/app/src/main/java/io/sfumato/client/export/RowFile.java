// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.rows.PublishedRow;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.util.function.Predicate;

/**
 * A file, or a folder of files, that takes the rows of complete windows in their order. Where it
 * continues one that is there, it compares the rows that it is given with those that it has, until
 * there are no more of these.
 */
public interface RowFile extends AutoCloseable {
  /**
   * Says of which windows rows may be missing here, and so are left in the file as they are.
   *
   * @param windows none unless this is called
   */
  default void mayLack(Predicate<ExportWindow> windows) {}

  /** The rows that come next are of this window. */
  void begin(ExportWindow window) throws RefusedException, IOException;

  /** Whether the rows of a window are seen before the first one is written. */
  default boolean looksAhead() {
    return false;
  }

  /** A row that will be written. */
  default void see(PublishedRow row) throws IOException {}

  /**
   * The next row of the window.
   *
   * @throws RefusedException if the file has another row in its place
   */
  void write(PublishedRow row) throws RefusedException, IOException;

  /**
   * The window's last row was written: from now on readers may see it.
   *
   * @throws RefusedException if the file has more rows of the window
   */
  void end() throws RefusedException, IOException;

  /** Whether all rows of the last window were there already. */
  default boolean wasWritten() {
    return false;
  }

  /** All windows that are complete now are written. */
  void caughtUp() throws IOException;

  @Override
  void close() throws IOException;
}
