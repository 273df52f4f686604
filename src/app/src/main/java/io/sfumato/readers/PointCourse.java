// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.rows.Quantity;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The numbers of one line, one a window; NaN where a window has none. */
final class PointCourse {
  private static final int UNKNOWN = 1;
  private static final int CLAMPED = 2;

  /** Whole numbers up to here are written without an exponent. */
  private static final double MOST_WHOLE = 1e15;

  private final double[] values;
  private final double[] lows;
  private final double[] highs;
  private final int[] marks;

  PointCourse(int windows) {
    values = new double[windows];
    lows = new double[windows];
    highs = new double[windows];
    marks = new int[windows];
    Arrays.fill(values, Double.NaN);
    Arrays.fill(lows, Double.NaN);
    Arrays.fill(highs, Double.NaN);
  }

  void put(int window, Quantity quantity) {
    values[window] = quantity.value().doubleValue();
    quantity
        .interval()
        .ifPresent(
            ends -> {
              lows[window] = ends.low().doubleValue();
              highs[window] = ends.high().doubleValue();
            });
    marks[window] = (quantity.unknown() ? UNKNOWN : 0) | (quantity.clamped() ? CLAMPED : 0);
  }

  /** For the page; what is not there is null, and {@code marks} only where some window has one. */
  void write(ObjectNode json) {
    write(values, json.putArray("values"));
    write(lows, json.putArray("lows"));
    write(highs, json.putArray("highs"));
    if (IntStream.of(marks).anyMatch(mark -> mark != 0)) {
      ArrayNode all = json.putArray("marks");
      IntStream.of(marks).forEach(all::add);
    }
  }

  private static void write(double[] numbers, ArrayNode json) {
    for (double number : numbers) {
      add(number, json);
    }
  }

  /** In few letters: whole numbers without a fraction. */
  static void add(double number, ArrayNode json) {
    if (!Double.isFinite(number)) {
      json.addNull();
    } else if (number == Math.rint(number) && Math.abs(number) < MOST_WHOLE) {
      json.add((long) number);
    } else {
      json.add(number);
    }
  }
}
