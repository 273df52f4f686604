// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.Entities.Entity;
import java.util.List;
import java.util.Optional;

/** What the length of a bar on a card stands for. */
public enum Scale {
  /** No bars. */
  NONE,
  /** A part of a whole, 0 to 1. */
  SHARE,
  /** The number, where the largest interval of the card ends at 1. */
  LARGEST,
  /** Where the number lies between the public facts {@link #LOWEST} and {@link #HIGHEST}. */
  RANGE,
  /** The same by ratios: both are above 0. */
  LOG_RANGE;

  /** Measure of the lower end of a number's range. */
  public static final String LOWEST = "lowest";

  /** Measure of the upper end of a number's range. */
  public static final String HIGHEST = "highest";

  /**
   * A range from 0 to 1.
   *
   * @param low its lower end
   * @param high its upper end
   */
  record Range(Scale scale, double low, double high) {
    /** Where on it a number lies; numbers beyond it lie below 0 or above 1. */
    double place(double number) {
      return scale == LOG_RANGE
          ? StrictMath.log(number / low) / StrictMath.log(high / low)
          : (number - low) / (high - low);
    }
  }

  /**
   * The range of a measure's numbers; nothing where these have none.
   *
   * @param all entities of the same windows, among which facts of all records may be
   */
  Optional<Range> range(Entity entity, String measure, List<Entity> all) {
    return switch (this) {
      case NONE -> Optional.empty();
      case SHARE -> Optional.of(new Range(this, 0, 1));
      case LARGEST -> {
        double top =
            all.stream()
                .flatMap(each -> each.quantity(measure).stream())
                .mapToDouble(quantity -> Math.max(quantity.number(), quantity.high()))
                .max()
                .orElse(0);
        yield top > 0 ? Optional.of(new Range(this, 0, top)) : Optional.empty();
      }
      case RANGE, LOG_RANGE ->
          end(LOWEST, entity, all)
              .flatMap(low -> end(HIGHEST, entity, all).map(high -> new Range(this, low, high)));
    };
  }

  private static Optional<Double> end(String measure, Entity entity, List<Entity> all) {
    return entity
        .quantity(measure)
        .or(
            () ->
                all.stream()
                    .filter(each -> each.group().isAll() && each.of().equals(entity.of()))
                    .flatMap(each -> each.quantity(measure).stream())
                    .findFirst())
        .map(Quantity::number);
  }
}
