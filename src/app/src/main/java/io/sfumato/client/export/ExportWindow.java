// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import java.time.Instant;
import java.util.Comparator;

/**
 * A window whose rows are written together. Windows are written in the order of their ends.
 *
 * @param start in event time, inclusive
 * @param end exclusive
 */
public record ExportWindow(Instant start, Instant end) implements Comparable<ExportWindow> {
  private static final Comparator<ExportWindow> ORDER =
      Comparator.comparing(ExportWindow::end).thenComparing(ExportWindow::start);

  @Override
  public int compareTo(ExportWindow other) {
    return ORDER.compare(this, other);
  }
}
