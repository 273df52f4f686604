// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Numbers of a range: its ends and what lies around zero often, then any order of magnitude, then
 * evenly from the whole of it.
 */
final class Numbers {
  /** One number in so many is an edge. */
  private static final int EDGES = 7;

  private Numbers() {}

  /** Whole numbers from one to another, both included. */
  static Generator<Long> between(long min, long max) {
    require(min <= max, min, max);
    List<Long> edges =
        LongStream.of(min, max, min + 1, max - 1, 0, 1, -1, 2, -2)
            .filter(edge -> edge >= min && edge <= max)
            .distinct()
            .boxed()
            .toList();
    long start = Math.max(min, Math.min(max, 0));
    // An end may be as far away as no long number is: then these bits are all there are.
    int bits =
        Math.max(
            1,
            Math.min(
                Long.SIZE - 1,
                Long.SIZE - Long.numberOfLeadingZeros((max - start) | (start - min))));
    return (random, size) -> {
      if (random.nextInt(EDGES) == 0) {
        return edges.get(random.nextInt(edges.size()));
      }
      return random.nextBoolean()
          ? uniform(min, max, random)
          : nearby(start, bits, min, max, random);
    };
  }

  private static long uniform(long min, long max, RandomGenerator random) {
    // The bound is excluded there, and no bound is above the largest number.
    if (max < Long.MAX_VALUE) {
      return random.nextLong(min, max + 1);
    }
    return min > Long.MIN_VALUE ? random.nextLong(min - 1, max) + 1 : random.nextLong();
  }

  /** So many bits away from the number of the range that is next to zero, on either side. */
  private static long nearby(long start, int bits, long min, long max, RandomGenerator random) {
    long distance = random.nextLong() >>> (Long.SIZE - 1 - random.nextInt(bits));
    long value = random.nextBoolean() ? start + distance : start - distance;
    return value >= min && value <= max ? value : uniform(min, max, random);
  }

  /** Finite numbers from one to another, both included. */
  static Generator<Double> between(double min, double max) {
    require(min <= max, min, max);
    List<Double> edges =
        DoubleStream.of(min, max, Math.nextUp(min), Math.nextDown(max), 0, 1, -1, 0.5, -0.5)
            .filter(edge -> edge >= min && edge <= max)
            .distinct()
            .boxed()
            .toList();
    return (random, size) ->
        switch (random.nextInt(EDGES)) {
          case 0 -> edges.get(random.nextInt(edges.size()));
          case 1, 2 -> magnitude(min, max, random);
          case 3, 4 -> round(uniform(min, max, random), min, max, random.nextInt(7));
          default -> uniform(min, max, random);
        };
  }

  private static double uniform(double min, double max, RandomGenerator random) {
    double share = random.nextDouble();
    // Not by the width of the range, which may be beyond the largest number.
    return Math.max(min, Math.min(max, min * (1 - share) + max * share));
  }

  /**
   * Evenly among the orders of magnitude; evenly among the numbers where the ends' signs differ.
   */
  private static double magnitude(double min, double max, RandomGenerator random) {
    double most = Math.max(Math.abs(min), Math.abs(max));
    double least = min > 0 ? min : max < 0 ? -max : Math.min(most, 1e-12);
    double drawn = Math.exp(uniform(Math.log(least), Math.log(most), random));
    double value = max <= 0 || (min < 0 && random.nextBoolean()) ? -drawn : drawn;
    return value >= min && value <= max ? value : uniform(min, max, random);
  }

  /** What people write: few decimals. */
  private static double round(double value, double min, double max, int decimals) {
    double rounded =
        BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_EVEN).doubleValue();
    return rounded >= min && rounded <= max ? rounded : value;
  }

  /** How many items: none and the most often, and more of them as the size grows. */
  static int length(int least, int most, RandomGenerator random, double size) {
    require(least >= 0 && least <= most, least, most);
    int now = least + (int) Math.ceil((most - least) * size);
    if (random.nextInt(EDGES) == 0) {
      return random.nextBoolean() ? least : now;
    }
    return random.nextInt(least, now + 1);
  }

  private static void require(boolean holds, Number min, Number max) {
    if (!holds) {
      throw new IllegalArgumentException("no numbers from " + min + " to " + max);
    }
  }
}
