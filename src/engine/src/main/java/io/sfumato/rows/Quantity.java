// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import static io.sfumato.estimate.Estimate.OPEN;

import io.sfumato.schema.Estimate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A number of an output, exactly as it was published, and what is known of its error.
 *
 * @param value a {@link Long} or a {@link Double}
 * @param interval around it; empty where the output gives none, and of public facts
 * @param deviation standard deviation of the noise in the value, in its unit; empty where the
 *     output does not say it
 * @param unknown whether noise leaves so much of the possible range open that the value says
 *     nothing
 * @param clamped whether the value was moved to the nearest possible one
 */
public record Quantity(
    Number value,
    Optional<Interval> interval,
    OptionalDouble deviation,
    boolean unknown,
    boolean clamped) {
  public Quantity {
    requireExact(value);
    interval.ifPresent(
        ends -> {
          requireExact(ends.low());
          requireExact(ends.high());
        });
  }

  private static void requireExact(Number number) {
    if (!(number instanceof Long || number instanceof Double)) {
      throw new IllegalArgumentException("a number of a row is a long or a double");
    }
  }

  private static Quantity of(Number value, Optional<Interval> interval) {
    return new Quantity(value, interval, OptionalDouble.empty(), false, false);
  }

  /** A whole number without an interval. */
  public static Quantity of(long value) {
    return of(value, Optional.empty());
  }

  /** A number without an interval. */
  public static Quantity of(double value) {
    return of(value, Optional.empty());
  }

  /** Whether something holds: 1 or 0. */
  public static Quantity of(boolean holds) {
    return of(holds ? 1L : 0L);
  }

  /** A number with the ends of its 95% interval. */
  public static Quantity between(Number value, Number low, Number high) {
    return of(value, Optional.of(new Interval(low, high, Interval.LEVEL)));
  }

  /** A whole number with half the width of its 95% interval. */
  public static Quantity around(long value, long half) {
    return between(value, value - half, value + half);
  }

  /** A number with half the width of its 95% interval. */
  public static Quantity around(double value, double half) {
    return between(value, value - half, value + half);
  }

  /**
   * A share, 0 to 1, with half the width of its 95% interval; unknown where that leaves nine tenths
   * of all shares or more.
   */
  public static Quantity share(double value, double half) {
    double possible = Math.min(1, value + half) - Math.max(0, value - half);
    return new Quantity(
        value, around(value, half).interval(), OptionalDouble.empty(), possible >= OPEN, false);
  }

  /** As it was published. */
  public static Quantity of(Estimate estimate) {
    return new Quantity(
        estimate.getValue(),
        Optional.of(new Interval(estimate.getLow(), estimate.getHigh(), Interval.LEVEL)),
        OptionalDouble.empty(),
        estimate.getUnknown(),
        estimate.getClamped());
  }

  /** The same with the standard deviation of its noise. */
  public Quantity withDeviation(double noise) {
    return new Quantity(value, interval, OptionalDouble.of(noise), unknown, clamped);
  }

  /** The same, moved to the nearest possible number. */
  public Quantity asClamped() {
    return new Quantity(value, interval, deviation, unknown, true);
  }

  double number() {
    return value.doubleValue();
  }

  /** The lower end; the value where there is no interval. */
  double low() {
    return interval.map(ends -> ends.low().doubleValue()).orElse(number());
  }

  /** The upper end; the value where there is no interval. */
  double high() {
    return interval.map(ends -> ends.high().doubleValue()).orElse(number());
  }

  /** How far the interval reaches from the value, on its longer side. */
  double half() {
    return Math.max(high() - number(), number() - low());
  }

  /** Whether value and ends are whole by their nature, such as counts. */
  boolean isWhole() {
    return interval.map(ends -> ends.low() instanceof Long).orElse(value instanceof Long);
  }
}
