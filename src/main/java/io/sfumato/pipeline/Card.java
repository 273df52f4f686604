// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * An output on the operators' page, which draws those of every kind alike.
 *
 * @param from start of what it is about
 * @param to end of it
 * @param records N, where it is public
 * @param exampleLeftOut what bounds leave out of the file's public example, 0 to 1
 * @param rows its parts
 */
public record Card(
    Instant from, Instant to, OptionalLong records, OptionalDouble exampleLeftOut, List<Row> rows) {
  public Card {
    rows = List.copyOf(rows);
  }

  /** One that says no more than its rows. */
  public Card(Instant from, Instant to, List<Row> rows) {
    this(from, to, OptionalLong.empty(), OptionalDouble.empty(), rows);
  }

  /**
   * A part of an output.
   *
   * @param label what it is
   * @param value by which rows are sorted, the largest first
   * @param share 0 to 1, where a bar is drawn
   * @param error half the width of the share's 95% interval
   * @param text the value as people read it
   */
  public record Row(
      String label, double value, OptionalDouble share, OptionalDouble error, String text) {
    /** One without a bar. */
    public Row(String label, double value, String text) {
      this(label, value, OptionalDouble.empty(), OptionalDouble.empty(), text);
    }
  }
}
