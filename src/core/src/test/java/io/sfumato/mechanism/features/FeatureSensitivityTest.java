// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
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

  /** Between what one draw noises of two datasets. */
  private static double distance(FeatureSum one, FeatureSum other, long recordSteps) {
    long[] first = RoundedSums.of(one).coordinates(recordSteps);
    long[] second = RoundedSums.of(other).coordinates(recordSteps);
    double squared = 0;
    for (int i = 0; i < first.length; i++) {
      squared += Math.pow(first[i] - second[i], 2);
    }
    return Math.sqrt(squared);
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
      FeatureSensitivity claimed = FeatureSensitivity.replaceOne(features.features());
      assertThat(claimed.sizeIsPublic()).isTrue();
      List<double[]> records = records(random, 20, dimensions);
      records.add(record(random, dimensions));
      FeatureSum before = sum(features, records);
      records.set(random.nextInt(records.size()), record(random, dimensions));
      double moved = distance(before, sum(features, records), 0);
      assertThat(moved).isLessThanOrEqualTo(claimed.steps());
      largest = Math.max(largest, moved / claimed.steps());
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
    FeatureSensitivity claimed = FeatureSensitivity.replaceOne(2);
    assertThat(distance(before, after, 0)).isBetween(0.9999 * claimed.steps(), claimed.steps());
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
      FeatureSensitivity claimed =
          FeatureSensitivity.addOrRemove(features.features(), most, subjects);
      assertThat(claimed.sizeIsPublic()).isFalse();
      int[] added = new int[subjects];
      for (int left = 1 + random.nextInt(most); left > 0; left--) {
        added[random.nextInt(subjects)]++;
      }
      double[] hers = record(random, dimensions);
      boolean alike = random.nextBoolean();
      double squared = 0;
      for (int number : added) {
        List<double[]> records = records(random, 20, dimensions);
        FeatureSum without = sum(features, records);
        for (int j = 0; j < number; j++) {
          records.add(alike ? hers : record(random, dimensions));
        }
        squared += Math.pow(distance(without, sum(features, records), claimed.recordSteps()), 2);
      }
      assertThat(Math.sqrt(squared)).isLessThanOrEqualTo(claimed.steps());
    }
  }

  /** Records that are all alike, in one subject: their features add up in full. */
  @ParameterizedTest
  @CsvSource({"2, 1, 1", "50, 2, 1", "50, 2, 2", "100, 7, 3", "1000, 40, 40", "10000, 3, 1"})
  void shouldBeReachedByAUserWhoRepeatsOneRecord(int count, int most, int subjects) {
    RandomFeatures features = new RandomFeatures(2, count, 0.7, "any");
    FeatureSensitivity claimed = FeatureSensitivity.addOrRemove(count, most, subjects);
    List<double[]> records = new ArrayList<>(records(new Random(3), 9, 2));
    FeatureSum without = sum(features, records);
    for (int i = 0; i < most; i++) {
      records.add(new double[] {0.3, -1.2});
    }
    assertThat(distance(without, sum(features, records), claimed.recordSteps()))
        .isBetween(0.95 * claimed.steps(), claimed.steps());
  }

  /**
   * Sums that lie just below the middle of a step are rounded up when anything is added: rounded
   * sums then move further than exact ones, by more than a bound without the roundings has room
   * for.
   */
  @ParameterizedTest
  @ValueSource(ints = {100, 2_500, 10_000})
  void shouldContainTheWorstRounding(int count) {
    FeatureSensitivity claimed = FeatureSensitivity.addOrRemove(count, 1, 1);
    long[] below = new long[count];
    Arrays.fill(below, FINER / 2 - 1);
    long[] record = new long[count];
    Arrays.fill(record, (long) (RandomFeatures.STEPS / Math.sqrt(count)));
    FeatureSum without = new FeatureSum(5, below);
    double moved = distance(without, without.plus(record), claimed.recordSteps());
    double exact = Math.hypot(RoundedSums.STEPS, claimed.recordSteps());
    assertThat(moved).isGreaterThan(exact).isLessThanOrEqualTo(claimed.steps());
  }

  /** No other weight of the number of records makes the noise less that a mean ends up with. */
  @ParameterizedTest
  @ValueSource(ints = {2, 50, 100, 10_000})
  void shouldWeighTheNumberOfRecordsForTheLeastError(int count) {
    double chosen =
        FeatureSensitivity.addOrRemove(count, 1, 1).recordSteps() / (double) RoundedSums.STEPS;
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
    FeatureSensitivity users = FeatureSensitivity.addOrRemove(4, 3, 2);
    assertThat(users.unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(users.word()).isEqualTo("add-or-remove-3-of-2");
    assertThat(users.steps()).isGreaterThan(FeatureSensitivity.addOrRemove(4, 3, 1).steps());
    assertThatThrownBy(() -> FeatureSensitivity.addOrRemove(4, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FeatureSensitivity.replaceOne(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
