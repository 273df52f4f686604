// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import io.sfumato.rows.PublishedRow;
import java.io.IOException;

/** A file, or a folder of files, that takes the rows of complete windows in their order. */
public interface RowFile extends AutoCloseable {
  /** Whether an earlier run has written the window, so that its rows are not needed again. */
  boolean isWritten(ExportWindow window);

  /** The rows that come next are of this window. */
  void begin(ExportWindow window) throws IOException;

  /** Whether the rows of a window are seen before the first one is written. */
  default boolean looksAhead() {
    return false;
  }

  /** A row that will be written. */
  default void see(PublishedRow row) throws IOException {}

  /** The next row of the window. */
  void write(PublishedRow row) throws IOException;

  /** The window's last row was written: from now on readers may see it. */
  void end() throws IOException;

  /** All windows that are complete now are written. */
  void caughtUp() throws IOException;

  @Override
  void close() throws IOException;
}
