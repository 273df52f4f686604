// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.count;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bound with the least total error, against the errors of all bounds. */
class BestBoundTest {
  private static double error(TreeMap<Integer, Double> users, double noise, int bound) {
    double cut = 0;
    for (Map.Entry<Integer, Double> some : users.entrySet()) {
      cut += some.getValue() * Math.max(0, some.getKey() - bound);
    }
    return cut + noise * bound;
  }

  @Test
  void shouldHaveTheLeastTotalError() {
    Random random = new Random(23);
    for (int round = 0; round < 2_000; round++) {
      TreeMap<Integer, Double> users = new TreeMap<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        users.merge(1 + random.nextInt(40), (double) (1 + random.nextInt(30)), Double::sum);
      }
      double noise = random.nextInt(60);
      int most = 1 + random.nextInt(50);
      double least = Double.MAX_VALUE;
      for (int bound = 1; bound <= most; bound++) {
        least = Math.min(least, error(users, noise, bound));
      }
      assertThat(error(users, noise, BestBound.of(users, noise, most))).isEqualTo(least);
    }
  }

  @Test
  void shouldBeAllThatIsAllowedWithoutNoiseAndOneWithMuch() {
    TreeMap<Integer, Double> users = new TreeMap<>(Map.of(1, 10.0, 7, 2.0));
    assertThat(BestBound.of(users, 0, 5)).isEqualTo(5);
    assertThat(BestBound.of(users, 0, 1_000)).isEqualTo(7);
    assertThat(BestBound.of(users, 2, 1_000)).isEqualTo(1);
  }

  /** Noisy numbers of users may be below 0, and fewer users seem to be beyond a lower bound. */
  @Test
  void shouldNotStopAtANumberBelowZero() {
    assertThat(BestBound.of(new TreeMap<>(Map.of(3, 5.0, 5, -6.0, 9, 5.0)), 1, 20)).isEqualTo(9);
    assertThat(BestBound.of(new TreeMap<>(Map.of(1, -4.0, 3, -7.0, 9, -2.0)), 1, 20)).isEqualTo(1);
  }

  /** Numbers of users that fall by one factor a record: known of some bounds, all the same. */
  @Test
  void shouldFindTheBestBoundBetweenThoseThatAreKnown() {
    Random random = new Random(29);
    for (int round = 0; round < 2_000; round++) {
      double factor = 0.6 + 0.38 * random.nextDouble();
      double all = 100 + random.nextInt(1_000);
      TreeMap<Integer, Double> users = new TreeMap<>();
      for (int n = 1; n <= 2_000; n++) {
        users.put(n, all * (1 - factor) * Math.pow(factor, n - 1));
      }
      int few = 1 + random.nextInt(10);
      int many = few + 1 + random.nextInt(80);
      double fewBeyond = all * Math.pow(factor, few);
      double manyBeyond = all * Math.pow(factor, many);
      TreeMap<Integer, Double> known = new TreeMap<>(Map.of(few, fewBeyond, many, manyBeyond));
      if (manyBeyond > 1) {
        double noise = manyBeyond + (fewBeyond - manyBeyond) * random.nextDouble();
        assertThat(BestBound.ofBeyond(known, noise, 2_000))
            .isEqualTo(Math.min(4 * few, BestBound.of(users, noise, 2_000)));
      }
    }
  }

  @Test
  void shouldBeAKnownBoundOrTwiceTheLargestWhereTheyAreNotAroundTheBest() {
    TreeMap<Integer, Double> known = new TreeMap<>(Map.of(4, 20.0, 16, 8.0));
    assertThat(BestBound.ofBeyond(known, 30, 1_000)).isEqualTo(4);
    assertThat(BestBound.ofBeyond(known, 20, 1_000)).isEqualTo(4);
    assertThat(BestBound.ofBeyond(known, 8, 1_000)).isEqualTo(16);
    assertThat(BestBound.ofBeyond(known, 5, 1_000)).isEqualTo(32);
    assertThat(BestBound.ofBeyond(known, 5, 20)).isEqualTo(20);
    // Noisy numbers may be below 0.
    assertThat(BestBound.ofBeyond(new TreeMap<>(Map.of(4, 20.0, 16, -3.0)), 5, 99))
        .isBetween(5, 16);
    assertThat(BestBound.ofBeyond(new TreeMap<>(Map.of(4, -20.0)), 5, 99)).isEqualTo(4);
  }
}
