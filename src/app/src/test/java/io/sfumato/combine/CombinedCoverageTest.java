// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.combine.StatedNoise.Law;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How often intervals of combinations hold the truth: exact, by convolution of whole-number noise.
 * Nothing is drawn.
 */
@Tag("deep")
class CombinedCoverageTest {
  private static final double LEVEL = CombinedNoise.LEVEL;

  /** Below this, chances at the ends of a distribution are left out. */
  private static final double TINY = 1e-16;

  private static final double[] DEVIATIONS = {
    0.1, 0.15, 0.2, 0.22, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.85, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5,
    7, 10, 14, 20, 30, 50, 100
  };

  private static final int[] NUMBERS = {1, 2, 3, 5, 7, 10, 30};

  private final Random random = new Random(20261130);

  /** A weighted noise, with whole weights. */
  private record Noise(Law law, double deviation, int weight) {
    NoisePart part(double unit) {
      return new StatedNoise(deviation, law, 1).times(weight * unit, 1);
    }

    double[] chances() {
      return CombinedCoverageTest.chances(law, deviation);
    }

    /** As a row without a deviation has it. */
    NoisePart rounded(double unit) {
      double half = shortest(chances()) + 0.5;
      return new StatedNoise(
              Math.hypot(half / CombinedNoise.NORMAL, 1 / Math.sqrt(12)),
              law == Law.LAPLACE ? Law.ROUNDED_LAPLACE : Law.ROUNDED_GAUSSIAN,
              1)
          .times(weight * unit, 1);
    }
  }

  /** Of noise with step 1, from -n to n. */
  private static double[] chances(Law law, double deviation) {
    double rate = Math.log1p(rootOf(deviation));
    int most =
        law == Law.LAPLACE
            ? (int) Math.ceil(-Math.log(TINY) / rate) + 1
            : (int) Math.ceil(9 * deviation) + 1;
    double[] found = new double[2 * most + 1];
    double sum = 0;
    for (int z = -most; z <= most; z++) {
      double log =
          law == Law.LAPLACE ? -Math.abs(z) * rate : -z * (double) z / (2 * deviation * deviation);
      found[z + most] = Math.exp(log);
      sum += found[z + most];
    }
    for (int i = 0; i < found.length; i++) {
      found[i] /= sum;
    }
    return found;
  }

  /** The x with 2 p / (1 - p)^2 = s^2 for p = 1 / (1 + x): x^2 - 2 x / s^2 - 2 / s^2 = 0. */
  private static double rootOf(double deviation) {
    double inverse = 1 / (deviation * deviation);
    return inverse + Math.sqrt(inverse * inverse + 2 * inverse);
  }

  /** The sum with one more noise, whose chances are those of multiples of a weight. */
  private static double[] plus(double[] sum, double[] chances, int weight) {
    int step = Math.abs(weight);
    double[] found = new double[sum.length + (chances.length - 1) * step];
    for (int i = 0; i < chances.length; i++) {
      double chance = chances[i];
      int shift = i * step;
      for (int j = 0; j < sum.length; j++) {
        found[shift + j] += chance * sum[j];
      }
    }
    double tail = 0;
    int cut = 0;
    while (cut < found.length / 2 && tail + found[cut] < TINY) {
      tail += found[cut];
      cut++;
    }
    return Arrays.copyOfRange(found, cut, found.length - cut);
  }

  private static double[] sum(List<Noise> noises) {
    double[] sum = {1};
    for (Noise noise : noises) {
      if (noise.weight() != 0) {
        sum = plus(sum, noise.chances(), noise.weight());
      }
    }
    return sum;
  }

  private static double within(double[] sum, double distance) {
    int middle = sum.length / 2;
    int reach = (int) Math.min(middle, Math.floor(distance + 1e-9));
    double found = 0;
    for (int i = middle - reach; i <= middle + reach; i++) {
      found += sum[i];
    }
    return found;
  }

  /** The least distance that holds 95%. */
  private static int shortest(double[] sum) {
    int middle = sum.length / 2;
    double found = sum[middle];
    int reach = 0;
    while (found < LEVEL) {
      reach++;
      found += sum[middle - reach] + sum[middle + reach];
    }
    return reach;
  }

  private static CombinedNoise combined(List<Noise> noises, double unit) {
    return new CombinedNoise(
        noises.stream().map(noise -> noise.part(unit)).toList(), CombinedNoise.SUM);
  }

  private static Law law(int i) {
    return i == 0 ? Law.LAPLACE : Law.GAUSSIAN;
  }

  private double deviation(double most) {
    return 0.1 * Math.exp(random.nextDouble() * Math.log(most / 0.1));
  }

  /** Sums and means of equal weights have the shortest interval that there is. */
  @Test
  void shouldHaveTheShortestIntervalOfEqualWeights() {
    for (int i = 0; i < 2; i++) {
      for (double deviation : DEVIATIONS) {
        double[] one = chances(law(i), deviation);
        double[] sum = {1};
        int added = 0;
        for (int number : NUMBERS) {
          for (; added < number; added++) {
            sum = plus(sum, one, 1);
          }
          StatedNoise stated = new StatedNoise(deviation, law(i), 1);
          for (double weight : new double[] {1, 1.0 / number}) {
            CombinedNoise noise =
                new CombinedNoise(List.of(stated.times(weight, number)), CombinedNoise.SUM);
            double half = Math.floor(noise.halfWidth() / weight + 1e-9);
            assertThat(within(sum, half))
                .as("%s %s %d", law(i), deviation, number)
                .isGreaterThanOrEqualTo(LEVEL);
            assertThat(half).isEqualTo(shortest(sum));
          }
          double together = deviation * Math.sqrt(number);
          assertThat(within(sum, inSql(together))).isGreaterThanOrEqualTo(LEVEL);
          if (together > 20) {
            assertThat((double) shortest(sum)).isBetween(1.95 * together - 1, 2.12 * together + 1);
          }
        }
      }
    }
  }

  /** As docs/guides/analyse.md has it. */
  private static double inSql(double deviation) {
    return Math.ceil(2.12 * deviation);
  }

  /** Sums of rows with different noise, in SQL. */
  @Test
  void shouldCoverSumsInSql() {
    for (int times = 0; times < 500; times++) {
      double[] sum = {1};
      double square = 0;
      for (int k = 0; k < 1 + random.nextInt(12); k++) {
        double deviation = deviation(20);
        sum = plus(sum, chances(law(random.nextInt(2)), deviation), 1);
        square += deviation * deviation;
        assertThat(within(sum, inSql(Math.sqrt(square)))).isGreaterThanOrEqualTo(LEVEL);
      }
    }
  }

  private void check(List<Noise> noises) {
    double unit = 0.01;
    CombinedNoise noise = combined(noises, unit);
    double[] sum = sum(noises);
    double half = noise.halfWidth() / unit;
    int largest = noises.stream().mapToInt(one -> Math.abs(one.weight())).max().orElseThrow();
    assertThat(within(sum, half)).as(noises.toString()).isGreaterThanOrEqualTo(LEVEL);
    double smoothed = 2 * CombinedNoise.SUM * Math.max(noise.deviation() / unit, 0.35 * largest);
    assertThat(half).as(noises.toString()).isLessThan(shortest(sum) + 1 + 1.2 * smoothed);
  }

  /** Other weights: at most 2 parts in a hundred of the deviation longer than the shortest. */
  @Test
  void shouldCoverSumsOfUnequalWeights() {
    for (int i = 0; i < 2; i++) {
      for (double deviation : DEVIATIONS) {
        for (int number : NUMBERS) {
          if (number > 1 && number * deviation <= 60 && number <= 10) {
            List<Noise> ramp = new ArrayList<>();
            List<Noise> any = new ArrayList<>();
            for (int k = 1; k <= number; k++) {
              ramp.add(new Noise(law(i), deviation, k));
              any.add(new Noise(law(i), deviation, 1 + random.nextInt(100)));
            }
            check(ramp);
            check(any);
          }
        }
      }
    }
    for (int times = 0; times < 300; times++) {
      List<Noise> mixed = new ArrayList<>();
      for (int k = 0; k < 2 + random.nextInt(4); k++) {
        mixed.add(new Noise(law(random.nextInt(2)), deviation(12), 1 + random.nextInt(100)));
      }
      check(mixed);
    }
  }

  /**
   * A Gaussian of many steps beside one of few: its characteristic function vanishes in between.
   */
  @Test
  void shouldCoverWideNoiseBesideNarrow() {
    check(List.of(new Noise(Law.GAUSSIAN, 12.68832, 100), new Noise(Law.GAUSSIAN, 0.15733, 42)));
    for (int times = 0; times < 60; times++) {
      check(
          List.of(
              new Noise(law(random.nextInt(2)), 12 + 30 * random.nextDouble(), 100),
              new Noise(law(random.nextInt(2)), deviation(1), 1 + random.nextInt(99))));
    }
  }

  /** At the true ratio a / b: b times the sum above less a times the sum below. */
  @Test
  void shouldCoverRatios() {
    for (int times = 0; times < 400; times++) {
      int a = 1 + random.nextInt(100);
      int b = 1 + random.nextInt(100);
      boolean isShare = random.nextInt(3) == 0;
      Law law = law(random.nextInt(2));
      double deviation = deviation(10);
      List<Noise> noises = new ArrayList<>();
      for (int k = 0; k < 1 + random.nextInt(3); k++) {
        noises.add(new Noise(law, deviation, isShare ? b - a : b));
      }
      for (int k = 0; k < 1 + random.nextInt(3); k++) {
        noises.add(new Noise(law, random.nextBoolean() ? deviation : deviation(10), -a));
      }
      double unit = 1.0 / b;
      CombinedNoise noise =
          new CombinedNoise(
              noises.stream().map(one -> one.part(unit)).toList(), CombinedNoise.RATIO);
      double[] sum = sum(noises);
      int low = 0;
      int high = sum.length / 2 + 1;
      while (high - low > 1) {
        int middle = (low + high) / 2;
        if (noise.excess(middle * unit) <= 0) {
          low = middle;
        } else {
          high = middle;
        }
      }
      assertThat(within(sum, low)).as(noises.toString()).isGreaterThanOrEqualTo(LEVEL);
      double smoothed =
          2 * CombinedNoise.RATIO * Math.max(noise.deviation() / unit, 0.35 * Math.max(a, b));
      assertThat((double) low).as(noises.toString()).isLessThan(shortest(sum) + 1 + 1.2 * smoothed);
    }
  }

  /** The noise of two outputs in one row counts as Laplace noise. */
  @Test
  void shouldCoverRowsOfSeveralOutputs() {
    for (int i = 0; i < 4; i++) {
      for (double first : new double[] {0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1, 1.5, 2, 3, 5, 8}) {
        for (double factor : new double[] {1, 1.3, 2, 4}) {
          double[] pair = plus(chances(law(i % 2), first), chances(law(i / 2), first * factor), 1);
          double[] sum = {1};
          for (int number = 1; number <= 10; number++) {
            sum = plus(sum, pair, 1);
            StatedNoise stated = new StatedNoise(Math.hypot(first, first * factor), Law.LAPLACE, 1);
            double half =
                new CombinedNoise(List.of(stated.times(1, number)), CombinedNoise.SUM).halfWidth();
            if (number > 1) {
              assertThat(within(sum, half))
                  .as("%s %s %d", first, factor, number)
                  .isGreaterThanOrEqualTo(LEVEL);
            }
          }
        }
      }
    }
  }

  /** The largest deviation whose half width is m. */
  private static double largestOf(Law law, int m) {
    double low = 0.01;
    double high = 200;
    for (int i = 0; i < 40; i++) {
      double middle = (low + high) / 2;
      if (shortest(chances(law, middle)) <= m) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Rows that state half widths alone, at the largest noise that they can have. */
  @Test
  void shouldCoverSumsOfRowsWithoutDeviations() {
    List<List<Noise>> largest = List.of(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < 2; i++) {
      for (int m : new int[] {0, 1, 2, 3, 5, 8, 15}) {
        Noise noise = new Noise(law(i), largestOf(law(i), m), 1);
        largest.get(i).add(noise);
        double[] sum = {1};
        for (int number = 1; number <= 30; number++) {
          sum = plus(sum, noise.chances(), 1);
          List<NoisePart> parts = new ArrayList<>();
          for (int k = 0; k < number; k++) {
            parts.add(noise.rounded(1));
          }
          double inSql = inSql(Math.sqrt(number * ((2 * m + 1) * (2 * m + 1) / 15.3 + 0.1)));
          double byHand = Math.ceil(Math.sqrt(number) * (m + 0.8));
          double half = new CombinedNoise(parts, CombinedNoise.SUM).halfWidth();
          for (double width : new double[] {half, inSql, byHand}) {
            assertThat(within(sum, width))
                .as("%s %d %d", law(i), m, number)
                .isGreaterThanOrEqualTo(LEVEL);
          }
        }
      }
    }
    for (int times = 0; times < 600; times++) {
      List<Noise> noises = new ArrayList<>();
      List<NoisePart> parts = new ArrayList<>();
      boolean areSomeStated = random.nextBoolean();
      for (int k = 0; k < 2 + random.nextInt(2); k++) {
        List<Noise> some = largest.get(random.nextInt(2));
        Noise one = some.get(random.nextInt(some.size()));
        Noise weighted = new Noise(one.law(), one.deviation(), 1 + random.nextInt(100));
        noises.add(weighted);
        parts.add(areSomeStated && k % 2 == 0 ? weighted.part(0.01) : weighted.rounded(0.01));
      }
      double half = new CombinedNoise(parts, CombinedNoise.SUM).halfWidth() / 0.01;
      assertThat(within(sum(noises), half))
          .as("%s %s", areSomeStated, noises)
          .isGreaterThanOrEqualTo(areSomeStated ? LEVEL - 1e-5 : LEVEL);
    }
  }
}
