// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.function.Function;

/**
 * How far two neighbours' draws lie apart, read off the real sampler: with the same random numbers
 * noise that does not look at data is the same noise, so the difference of two draws is that of
 * what it was added to.
 */
public final class SameKey {
  private static final int KEYS = 5;

  private SameKey() {}

  /**
   * First minus second, place by place.
   *
   * @throws IllegalStateException if it is not the same with every key: then noise looks at data
   */
  public static <R extends ReleasedData> long[] shift(
      OutputDistribution<R> first, OutputDistribution<R> second, Function<R, long[]> numbers) {
    long[] shift = shift("same key 0", first, second, numbers);
    for (int i = 1; i < KEYS; i++) {
      if (!Arrays.equals(shift, shift("same key " + i, first, second, numbers))) {
        throw new IllegalStateException("what is drawn is not one number and noise");
      }
    }
    return shift;
  }

  private static <R extends ReleasedData> long[] shift(
      String seed,
      OutputDistribution<R> first,
      OutputDistribution<R> second,
      Function<R, long[]> numbers) {
    long[] x = numbers.apply(first.draw(KeyedRandom.ofPublicSeed(seed)));
    long[] y = numbers.apply(second.draw(KeyedRandom.ofPublicSeed(seed)));
    long[] shift = new long[x.length];
    Arrays.setAll(shift, i -> Math.subtractExact(x[i], y[i]));
    return shift;
  }
}
