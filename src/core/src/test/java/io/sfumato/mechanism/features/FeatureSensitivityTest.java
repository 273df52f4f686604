// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is claimed of neighbours, against neighbours: random ones, and the worst there are. */
class FeatureSensitivityTest {
  /** Steps of a feature in one of the released sums. */
  private static final long FINER = 1L << 16;

  private static FeatureSum sum(RandomFeatures features, List<double[]> records) {
    FeatureSum sum = FeatureSum.empty(features);
    for (double[] record : records) {
      sum = sum.plus(features.quantised(record));
    }
    return sum;
  }

  /** By how much what one draw noises of two datasets differs, number by number. */
  private static long[] moves(FeatureSum one, FeatureSum other, FeatureQuery query) {
    long[] first = query.vector(FeatureQuery.rounded(one));
    long[] second = query.vector(FeatureQuery.rounded(other));
    Arrays.setAll(first, i -> first[i] - second[i]);
    return first;
  }

  private static double squared(long[] moves) {
    return Arrays.stream(moves).mapToDouble(move -> (double) move * move).sum();
  }

  private static long absolute(long[] moves) {
    return Arrays.stream(moves).map(Math::abs).sum();
  }

  private static double distance(FeatureSum one, FeatureSum other, FeatureQuery query) {
    return Math.sqrt(squared(moves(one, other, query)));
  }

  private static RandomFeatures features(Random random, int dimensions) {
    int count = 2 * (1 + random.nextInt(30));
    return new RandomFeatures(dimensions, count, 0.1 + random.nextDouble(), "any" + count);
  }

  private static double[] record(Random random, int dimensions) {
    return random.doubles(dimensions, -3, 3).toArray();
  }

  private static List<double[]> records(Random random, int most, int dimensions) {
    List<double[]> records = new ArrayList<>();
    for (int left = random.nextInt(most + 1); left > 0; left--) {
      records.add(record(random, dimensions));
    }
    return records;
  }

  @Test
  void shouldBoundOneReplacedRecord() {
    Random random = new Random(1);
    double largest = 0;
    for (int i = 0; i < 3_000; i++) {
      int dimensions = 1 + random.nextInt(3);
      RandomFeatures features = features(random, dimensions);
      GridSensitivity claimed = FeatureSensitivity.replaceOne(features.features());
      FeatureQuery query = FeatureQuery.ofPublicSize(features.features());
      List<double[]> records = records(random, 20, dimensions);
      records.add(record(random, dimensions));
      FeatureSum before = sum(features, records);
      records.set(random.nextInt(records.size()), record(random, dimensions));
      FeatureSum after = sum(features, records);
      double moved = distance(before, after, query);
      assertThat(moved).isLessThanOrEqualTo(claimed.l2());
      assertThat(absolute(moves(before, after, query))).isLessThanOrEqualTo(claimed.l1());
      largest = Math.max(largest, moved / claimed.l2());
    }
    assertThat(largest).isGreaterThan(0.9);
  }

  /** Half a period apart the features of one frequency point the other way. */
  @Test
  void shouldBeReachedByOneReplacedRecord() {
    RandomFeatures features = new RandomFeatures(1, 2, 1, "one");
    double frequency = Math.acos(features.phi(new double[] {1e-3})[0]) / 1e-3;
    FeatureSum before = sum(features, List.of(new double[] {0.4}));
    FeatureSum after = sum(features, List.of(new double[] {0.4 + Math.PI / frequency}));
    GridSensitivity claimed = FeatureSensitivity.replaceOne(2);
    assertThat(distance(before, after, FeatureQuery.ofPublicSize(2)))
        .isBetween(0.9999 * claimed.l2(), claimed.l2());
  }

  /** All subjects of a window together: what one user adds to each of them. */
  @Test
  void shouldBoundAUsersRecordsOverAllSubjects() {
    Random random = new Random(2);
    for (int i = 0; i < 3_000; i++) {
      int dimensions = 1 + random.nextInt(3);
      RandomFeatures features = features(random, dimensions);
      int most = 1 + random.nextInt(6);
      int subjects = 1 + random.nextInt(most);
      GridSensitivity claimed = FeatureSensitivity.addOrRemove(features.features(), most, subjects);
      FeatureQuery query = FeatureQuery.ofPrivateSize(features.features());
      int[] added = new int[subjects];
      for (int left = 1 + random.nextInt(most); left > 0; left--) {
        added[random.nextInt(subjects)]++;
      }
      double[] hers = record(random, dimensions);
      boolean alike = random.nextBoolean();
      double squared = 0;
      long absolute = 0;
      for (int number : added) {
        List<double[]> records = records(random, 20, dimensions);
        FeatureSum without = sum(features, records);
        for (int j = 0; j < number; j++) {
          records.add(alike ? hers : record(random, dimensions));
        }
        long[] moves = moves(without, sum(features, records), query);
        squared += squared(moves);
        absolute += absolute(moves);
      }
      assertThat(Math.sqrt(squared)).isLessThanOrEqualTo(claimed.l2());
      assertThat(absolute).isLessThanOrEqualTo(claimed.l1());
    }
  }

  /** Records that are all alike, in one subject: their features add up in full. */
  @ParameterizedTest
  @CsvSource({"2, 1, 1", "50, 2, 1", "50, 2, 2", "100, 7, 3", "1000, 40, 40", "10000, 3, 1"})
  void shouldBeReachedByAUserWhoRepeatsOneRecord(int count, int most, int subjects) {
    RandomFeatures features = new RandomFeatures(2, count, 0.7, "any");
    GridSensitivity claimed = FeatureSensitivity.addOrRemove(count, most, subjects);
    List<double[]> records = new ArrayList<>(records(new Random(3), 9, 2));
    FeatureSum without = sum(features, records);
    for (int i = 0; i < most; i++) {
      records.add(new double[] {0.3, -1.2});
    }
    assertThat(distance(without, sum(features, records), FeatureQuery.ofPrivateSize(count)))
        .isBetween(0.95 * claimed.l2(), claimed.l2());
  }

  /**
   * Sums that lie just below the middle of a step are rounded up when anything is added: rounded
   * sums then move further than exact ones, by more than a bound without the roundings has room
   * for.
   */
  @ParameterizedTest
  @ValueSource(ints = {100, 2_500, 10_000})
  void shouldContainTheWorstRounding(int count) {
    GridSensitivity claimed = FeatureSensitivity.addOrRemove(count, 1, 1);
    FeatureQuery query = FeatureQuery.ofPrivateSize(count);
    long[] below = new long[count];
    Arrays.fill(below, FINER / 2 - 1);
    long[] record = new long[count];
    Arrays.fill(record, (long) (RandomFeatures.STEPS / Math.sqrt(count)));
    FeatureSum without = new FeatureSum(5, below);
    double moved = distance(without, without.plus(record), query);
    double exact = Math.hypot(FeatureQuery.STEPS, query.recordSteps());
    assertThat(moved).isGreaterThan(exact).isLessThanOrEqualTo(claimed.l2());
  }

  /** No other weight of the number of records makes the noise less that a mean ends up with. */
  @ParameterizedTest
  @ValueSource(ints = {2, 50, 100, 10_000})
  void shouldWeighTheNumberOfRecordsForTheLeastError(int count) {
    double chosen = FeatureQuery.ofPrivateSize(count).recordSteps() / (double) FeatureQuery.STEPS;
    for (double k = 0.01; k < 3; k *= 1.05) {
      assertThat(errorOfMean(count, chosen))
          .isLessThanOrEqualTo(errorOfMean(count, k) * (1 + 1e-6));
    }
  }

  /** Of m sums, and of N times a mean of norm 1, where a record moves all by sqrt(1 + k^2). */
  private static double errorOfMean(int count, double k) {
    return (1 + k * k) * (count + 1 / (k * k));
  }

  @Test
  void shouldSayWhatIsProtected() {
    assertThat(FeatureSensitivity.replaceOne(4).unit()).isEqualTo(PrivacyUnit.RECORD);
    GridSensitivity users = FeatureSensitivity.addOrRemove(4, 3, 2);
    assertThat(users.unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(users.word()).isEqualTo("features add-or-remove-3-of-2 m=4");
    assertThat(users.l2()).isGreaterThan(FeatureSensitivity.addOrRemove(4, 3, 1).l2());
    assertThatThrownBy(() -> FeatureSensitivity.addOrRemove(4, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FeatureSensitivity.replaceOne(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
