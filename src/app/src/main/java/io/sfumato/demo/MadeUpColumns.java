// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import io.sfumato.pipeline.Crossing;
import io.sfumato.pipeline.Crossing.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * What made-up events hold in several fields: earlier values of the first field are commoner, and
 * each of them has a favourite in every other field, so that tables of two fields show something.
 */
final class MadeUpColumns {
  private final Crossing crossing;
  private final int[] sizes;
  private final DoubleSupplier random;

  /**
   * @param random numbers from 0 to 1
   */
  MadeUpColumns(Crossing crossing, DoubleSupplier random) {
    this.crossing = crossing;
    this.sizes = crossing.sizes();
    this.random = random;
  }

  /**
   * How much commoner than others a category is: half as common with every step that a field is
   * away from the favourite, which is the value at the first field's own place.
   *
   * @param place of a crossing whose fields are all listed
   */
  double weight(long place) {
    int[] values = Crossing.digits(place, sizes);
    int away = 0;
    for (int i = 1; i < sizes.length; i++) {
      away += Math.floorMod(values[i] - values[0], sizes[i]);
    }
    return Math.scalb(1 / (values[0] + 2.0), -away);
  }

  /**
   * The next event's values, likewise, however many categories there are.
   *
   * @param words for fields that nobody listed
   */
  List<String> next(Supplier<String> words) {
    int first = (int) (sizes[0] * random.getAsDouble() * random.getAsDouble());
    List<String> values = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      Column column = crossing.columns().get(i);
      int away = i == 0 ? 0 : steps();
      values.add(column.isListed() ? column.values().get((first + away) % sizes[i]) : words.get());
    }
    return List.copyOf(values);
  }

  /** Each one half as often as the one before. */
  private int steps() {
    int steps = 0;
    while (random.getAsDouble() < 0.5) {
      steps++;
    }
    return steps;
  }
}
