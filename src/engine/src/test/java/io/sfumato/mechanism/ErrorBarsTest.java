// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.estimate.HistogramAccuracy;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.Plans;
import io.sfumato.release.histogram.PlannedHistogram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorBarsTest {
  private static final int DRAWS = 4_000;

  /**
   * Of 4,000 draws with a fixed seed, 95% lie as near to the truth as the bar around them says,
   * give or take 2.5 points: more than 7 standard deviations of that count, so below 1e-9 by chance
   * alone; what is left of it is room for the normal approximation. The Dirichlet draw's pull
   * towards uniform, and that of counts which are raised above 0, are added in full, so that bars
   * may hold more.
   */
  @ParameterizedTest
  @CsvSource({"dirichlet, 1", "gaussian, 1", "laplace, 1"})
  void shouldHoldTheTruthInNinetyFiveOfAHundredDraws(String method, double most) throws Exception {
    HistogramMechanism mechanism = mechanism(method);
    Histogram histogram = new Histogram(220, 120, 60);
    KeyedRandom random = KeyedRandom.ofPublicSeed("error bars " + method);
    for (int category = 0; category < 3; category++) {
      double truth = histogram.count(category) / (double) histogram.size();
      int inside = 0;
      for (int i = 0; i < DRAWS; i++) {
        double share =
            ((Distribution) mechanism.distribution(histogram).draw(random)).share(category);
        double half = HistogramAccuracy.of(mechanism).halfWidth(share, histogram.size(), 3);
        inside += Math.abs(share - truth) <= half ? 1 : 0;
      }
      assertThat((double) inside / DRAWS).as("category " + category).isBetween(0.925, most);
    }
  }

  /**
   * Of users' records nobody knows the number: a bar holds what its noise may be, also where next
   * to nobody came. Laplace's products are not Gaussian, and clipped counts not centred: bars may
   * hold more.
   */
  @ParameterizedTest
  @CsvSource({
    "gaussian, 960 480 320 240",
    "gaussian, 180 20 0 0",
    "gaussian, 36 4 0 0",
    "gaussian, 1 0 0 0",
    "laplace, 960 480 320 240",
    "laplace, 180 20 0 0",
    "laplace, 36 4 0 0",
    "laplace, 1 0 0 0"
  })
  void shouldHoldTheTruthHoweverFewRecordsThereAre(String method, String data) throws Exception {
    HistogramMechanism mechanism = mechanismOfUsers(method);
    long[] counts = Arrays.stream(data.split(" ")).mapToLong(Long::parseLong).toArray();
    Histogram histogram = new Histogram(counts);
    KeyedRandom random = KeyedRandom.ofPublicSeed("few " + method + data);
    int[] inside = new int[counts.length];
    for (int i = 0; i < DRAWS; i++) {
      Distribution drawn = (Distribution) mechanism.distribution(histogram).draw(random);
      for (int category = 0; category < counts.length; category++) {
        double share = drawn.share(category);
        double half =
            HistogramAccuracy.of(mechanism)
                .halfWidth(share, drawn.size().orElseThrow(), counts.length);
        double truth = counts[category] / (double) histogram.size();
        inside[category] += Math.abs(share - truth) <= half + 1e-12 ? 1 : 0;
      }
    }
    assertThat(Arrays.stream(inside).min().orElseThrow())
        .as(Arrays.toString(inside))
        .isGreaterThan(925 * DRAWS / 1000);
  }

  private static HistogramMechanism mechanismOfUsers(String method) throws Exception {
    String yaml =
        Files.readString(Path.of("topology/wards.yaml"))
            .replaceFirst("method: best", "method: " + method);
    return Plans.plan(yaml).all(PlannedHistogram.class).get(0).plan().mechanism();
  }

  private static HistogramMechanism mechanism(String method) throws Exception {
    String yaml =
        """
        pipeline: bars
        input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
        window: { size: 10s }
        budget: { name: bars, unit: record, epsilon: 4, delta: 1e-6 }
        releases:
          - histogram: { name: mix, method: %s, share: { epsilon: 4, delta: 1e-6 }, windows: 4, plan-size: 400 }
        """
            .formatted(method);
    return Plans.plan(yaml).all(PlannedHistogram.class).get(0).plan().mechanism();
  }
}
