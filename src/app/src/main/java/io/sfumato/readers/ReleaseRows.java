// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.rows.Group;
import io.sfumato.rows.Interval;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.Quantity;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The numbers of one release, exactly as they were published, in few bytes. */
final class ReleaseRows {
  /** Of a line, a measure, three numbers, a deviation and the flags. */
  static final long BYTES_OF_A_ROW = 4 + 2 + 3 * 8 + 8 + 1;

  private static final long OVERHEAD_BYTES = 300;

  /** Of what the rows of one measure have in common. */
  private static final long MEASURE_BYTES = 200;

  private static final int WHOLE = 1;
  private static final int WHOLE_LOW = 2;
  private static final int WHOLE_HIGH = 4;
  private static final int INTERVAL = 8;
  private static final int UNKNOWN = 16;
  private static final int CLAMPED = 32;

  private final OutputHead head;
  private final Instant released;
  private final int[] lines;
  private final short[] measures;
  private final long[] values;
  private final long[] lows;
  private final long[] highs;
  private final double[] deviations;
  private final byte[] flags;

  /** A row of each measure, for what all of them have in common. */
  private final Map<Short, OutputRow> examples = new HashMap<>();

  /**
   * One number.
   *
   * @param line number of what it is about
   * @param measure number of what is measured
   * @param row the number
   */
  record Row(int line, short measure, OutputRow row) {}

  ReleaseRows(OutputHead head, Instant released, List<Row> rows) {
    this.head = head;
    this.released = released;
    lines = new int[rows.size()];
    measures = new short[rows.size()];
    values = new long[rows.size()];
    lows = new long[rows.size()];
    highs = new long[rows.size()];
    deviations = new double[rows.size()];
    flags = new byte[rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      lines[i] = rows.get(i).line();
      measures[i] = rows.get(i).measure();
      put(i, rows.get(i).row().quantity());
      examples.putIfAbsent(rows.get(i).measure(), rows.get(i).row());
    }
  }

  private void put(int i, Quantity quantity) {
    int flag = quantity.value() instanceof Long ? WHOLE : 0;
    values[i] = bits(quantity.value());
    deviations[i] = quantity.deviation().orElse(Double.NaN);
    if (quantity.interval().isPresent()) {
      Interval ends = quantity.interval().get();
      lows[i] = bits(ends.low());
      highs[i] = bits(ends.high());
      flag |= INTERVAL;
      flag |= ends.low() instanceof Long ? WHOLE_LOW : 0;
      flag |= ends.high() instanceof Long ? WHOLE_HIGH : 0;
    }
    flag |= quantity.unknown() ? UNKNOWN : 0;
    flag |= quantity.clamped() ? CLAMPED : 0;
    flags[i] = (byte) flag;
  }

  private static long bits(Number number) {
    return number instanceof Long whole ? whole : Double.doubleToRawLongBits(number.doubleValue());
  }

  private static Number number(long bits, boolean whole) {
    // Both as Number: a conditional of a long and a double would turn the first into the second.
    if (whole) {
      return bits;
    }
    return Double.longBitsToDouble(bits);
  }

  int size() {
    return lines.length;
  }

  /** About what it takes in memory. */
  long bytes() {
    return OVERHEAD_BYTES
        + 2L * head.subject().length()
        + examples.size() * MEASURE_BYTES
        + size() * BYTES_OF_A_ROW;
  }

  Instant released() {
    return released;
  }

  int line(int row) {
    return lines[row];
  }

  short measure(int row) {
    return measures[row];
  }

  double value(int row) {
    return number(values[row], has(row, WHOLE)).doubleValue();
  }

  /** Whether the noise hides the value. */
  boolean unknown(int row) {
    return has(row, UNKNOWN);
  }

  private boolean has(int row, int flag) {
    return (flags[row] & flag) != 0;
  }

  /**
   * As it was published.
   *
   * @param group of the row's line
   */
  OutputRow row(int row, Group group) {
    OutputRow example = examples.get(measures[row]);
    return new OutputRow(
        head,
        example.about(),
        group,
        example.measure(),
        quantity(row),
        example.drawn(),
        example.scope());
  }

  private Quantity quantity(int row) {
    Optional<Interval> interval =
        has(row, INTERVAL)
            ? Optional.of(
                new Interval(
                    number(lows[row], has(row, WHOLE_LOW)),
                    number(highs[row], has(row, WHOLE_HIGH)),
                    Interval.LEVEL))
            : Optional.empty();
    OptionalDouble deviation =
        Double.isNaN(deviations[row]) ? OptionalDouble.empty() : OptionalDouble.of(deviations[row]);
    return new Quantity(
        number(values[row], has(row, WHOLE)),
        interval,
        deviation,
        has(row, UNKNOWN),
        has(row, CLAMPED));
  }
}
