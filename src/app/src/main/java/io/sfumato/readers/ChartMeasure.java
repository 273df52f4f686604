// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.rows.Measure;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.Stretch;

/**
 * What a chart shows of its lines: a measure, of the window alone or of more windows.
 *
 * @param kind which windows it is about
 * @param measure what is measured
 */
record ChartMeasure(Stretch.Kind kind, Measure measure) {
  private static final String SHARE = "share";

  static ChartMeasure of(OutputRow row) {
    return new ChartMeasure(row.about().kind(), row.measure());
  }

  /** Whether it is a part of a whole, which people read in percent. */
  boolean isShare() {
    return measure.name().equals(SHARE);
  }

  /** As the column {@code measure} of rows has it. */
  String words() {
    String name = measure.of().isEmpty() ? measure.name() : measure.name() + " of " + measure.of();
    return switch (kind) {
      case OWN -> name;
      case RUNNING -> "running " + name;
      case LAST -> "last " + name;
    };
  }
}
