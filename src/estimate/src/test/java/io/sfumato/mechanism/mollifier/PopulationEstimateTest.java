// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.mollifier.PopulationEstimate;
import io.sfumato.mechanism.Histogram;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the items of many subjects tell of all of them. */
@Tag("deep")
class PopulationEstimateTest {
  /** Of subjects with one category each: within 7 standard errors (below 1e-9), fixed seed. */
  @ParameterizedTest
  @CsvSource({"true, 2", "false, 2", "true, 0.5"})
  void aPopulationIsFoundAgain(boolean clipped, String epsilon) {
    double[] truth = {0.5, 0.25, 0.15, 0.1, 0};
    FiniteSampler sampler = FiniteSamplerTest.sampler(clipped, 5, epsilon);
    KeyedRandom random = KeyedRandom.ofPublicSeed("population " + clipped + epsilon);
    FiniteItems mechanism = FiniteSamplerTest.items(sampler);
    long[] items = new long[5];
    int subjects = 40_000;
    for (int subject = 0; subject < subjects; subject++) {
      double place = (subject + 0.5) / subjects;
      int category = 0;
      while (category < 4 && place > truth[category]) {
        place -= truth[category++];
      }
      long[] counts = new long[5];
      counts[category] = 1 + subject % 3;
      items[FiniteSamplerTest.item(mechanism, new Histogram(counts), random)]++;
    }
    PopulationEstimate found = PopulationEstimate.of(items, sampler);
    assertThat(found.items()).isEqualTo(subjects);
    assertThat(Arrays.stream(found.shares()).sum()).isCloseTo(1, within(1e-9));
    for (int i = 0; i < 5; i++) {
      assertThat(found.errors()[i]).isBetween(0.0005, 0.05);
      assertThat(found.shares()[i]).isCloseTo(truth[i], within(7 * found.errors()[i]));
    }
    assertThat(found.isIllConditioned()).isFalse();
  }

  /**
   * Of 4,000 populations with a fixed seed the intervals of each category hold the truth in at
   * least 95 of 100; 2.5 points below are more than 7 standard deviations of that count, so below
   * 1e-9 by chance alone. Categories are worth the same with an equal reference, and not with
   * another.
   */
  @ParameterizedTest
  @CsvSource({
    "5, 1, true",
    "20, 1, true",
    "20, 4, true",
    "200, 1, true",
    "200, 4, true",
    "5, 1, false",
    "5, 4, false",
    "20, 1, false",
    "100, 0.5, false",
    "100, 4, false"
  })
  void intervalsHoldTheTruthWithFewItemsToo(int subjects, String epsilon, boolean equal) {
    double[] reference =
        equal ? new double[] {0.25, 0.25, 0.25, 0.25} : new double[] {0.6, 0.25, 0.1, 0.05};
    FiniteSampler sampler =
        new FiniteSampler("x", LikelihoodRatioBand.mollifier(Epsilon.of(epsilon)), reference);
    double[] truth = {0.5, 0.3, 0.2, 0};
    KeyedRandom random = KeyedRandom.ofPublicSeed("intervals " + subjects + epsilon + equal);
    FiniteItems mechanism = FiniteSamplerTest.items(sampler);
    int rounds = 4_000;
    int[] inside = new int[4];
    for (int round = 0; round < rounds; round++) {
      long[] items = new long[4];
      for (int who = 0; who < subjects; who++) {
        long[] one = new long[4];
        one[category(random.nextOpenDouble(), truth)] = 1;
        items[FiniteSamplerTest.item(mechanism, new Histogram(one), random)]++;
      }
      double[][] intervals = PopulationEstimate.of(items, sampler).intervals();
      for (int i = 0; i < 4; i++) {
        assertThat(intervals[i][0]).isBetween(0.0, intervals[i][1]);
        inside[i] += intervals[i][0] <= truth[i] && truth[i] <= intervals[i][1] ? 1 : 0;
      }
    }
    for (int i = 0; i < 4; i++) {
      assertThat(inside[i] / (double) rounds).as("category " + i).isGreaterThan(0.925);
    }
  }

  private static int category(double uniform, double[] shares) {
    int category = 0;
    double sum = shares[0];
    while (uniform >= sum && category < shares.length - 1) {
      sum += shares[++category];
    }
    return category;
  }

  @Test
  void anEstimateSaysWhenItSaysNothing() {
    PopulationEstimate weak =
        PopulationEstimate.of(new long[] {10, 10, 10}, FiniteSamplerTest.sampler(true, 3, "0.01"));
    assertThat(weak.isIllConditioned()).isTrue();
    assertThatThrownBy(
            () -> PopulationEstimate.of(new long[3], FiniteSamplerTest.sampler(true, 3, "1")))
        .hasMessageContaining("at least one item");
  }
}
