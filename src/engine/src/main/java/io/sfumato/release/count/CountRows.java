// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.Card.Spot;
import io.sfumato.pipeline.Stretch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Counts of the same windows, each with a bar on one scale: from 0 to the upper end of the largest
 * interval. Their course is in records.
 */
final class CountRows {
  private final List<Card.Row> rows = new ArrayList<>();
  private final double top;

  /**
   * @param counts all of them
   * @param errors half the widths of their intervals
   */
  CountRows(List<? extends Number> counts, List<? extends Number> errors) {
    double highest = 0;
    for (int i = 0; i < counts.size(); i++) {
      highest = Math.max(highest, counts.get(i).doubleValue() + errors.get(i).doubleValue());
    }
    this.top = highest;
  }

  /** The next one. */
  void add(String label, double count, double error, String text) {
    rows.add(
        new Card.Row(
            label,
            count,
            top > 0 ? OptionalDouble.of(count / top) : OptionalDouble.empty(),
            top > 0 ? OptionalDouble.of(error / top) : OptionalDouble.empty(),
            Optional.of(new Spot(count, count - error, count + error)),
            text));
  }

  Card.Group about(Stretch windows) {
    return new Card.Group(windows, rows);
  }
}
