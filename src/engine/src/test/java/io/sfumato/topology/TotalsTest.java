// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.estimate.additive.NoiseSum;
import io.sfumato.release.Plan;
import io.sfumato.release.count.PlannedCount;
import io.sfumato.schema.CountRelease;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Totals of users' first C + D records: what two outputs publish, added up with one interval. */
class TotalsTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, left-out: 3 }
      subjects: [east, west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: %s, delta: 1e-6, period: window }
      releases:
        - count: { name: n, by: total, method: laplace, share: { epsilon: %s, delta: 5e-7 } }
        - total: { name: all, of: n, left-out: lost }
        - count: { name: lost, by: left-out, method: gaussian, share: { epsilon: %s, delta: 5e-7 } }
      """;

  /** So much budget that the noise is 0 but for a chance below 1e-200. */
  private static final String NO_NOISE = FILE.formatted("900000", "450000", "450000");

  private static final String NOISE = FILE.formatted("1", "0.75", "0.25");

  @TempDir Path state;

  private static void records(Fixture pipeline, String who, String ward, int records) {
    for (int i = 0; i < records; i++) {
      pipeline.sendJson(1, "'who':'%s','ward':'%s','what':'a'", who, ward);
    }
  }

  private static Map<String, Long> told(Fixture pipeline, String output) {
    return told(pipeline.releases(output, CountRelease.class));
  }

  private static Map<String, Long> told(List<CountRelease> releases) {
    Map<String, Long> told = new TreeMap<>();
    for (CountRelease release : releases) {
      assertThat(release.getCounts()).hasSize(1);
      assertThat(
              told.put(release.getSubject() + release.getWindowStart(), release.getCounts().get(0)))
          .as("published once")
          .isNull();
    }
    return told;
  }

  /** Of 1, 2, 4, 5, 6 and 100 records at most five. */
  @Test
  void shouldCountTheFirstRecordsOfEachUser() {
    try (Fixture pipeline = new Fixture(NO_NOISE, state)) {
      int number = 0;
      for (int records : new int[] {1, 2, 4, 5, 6, 100}) {
        records(pipeline, "u" + number++, "west", records);
      }
      pipeline.tick(12);
      assertThat(told(pipeline, "n").values()).containsExactly(0L, 11L);
      assertThat(told(pipeline, "lost").values()).containsExactly(0L, 2 + 3 + 3 + 3L);
      List<CountRelease> totals = pipeline.releases("all", CountRelease.class);
      assertThat(told(totals).values()).containsExactly(0L, 1 + 2 + 4 + 5 + 5 + 5L);
      assertThat(totals).extracting(CountRelease::getError95).containsOnly(0L);
    }
  }

  /** It sees nothing but what is published, and promises what both sources do together. */
  @Test
  void shouldBeTheSumOfWhatIsPublished() {
    try (Fixture pipeline = new Fixture(NOISE, state)) {
      records(pipeline, "ann", "west", 7);
      pipeline.tick(12);
      records(pipeline, "bob", "east", 1);
      pipeline.tick(22);
      Map<String, Long> counted = told(pipeline, "n");
      Map<String, Long> lost = told(pipeline, "lost");
      List<CountRelease> totals = pipeline.releases("all", CountRelease.class);
      Map<String, Long> all = told(totals);
      assertThat(all).hasSize(4).containsOnlyKeys(counted.keySet());
      all.forEach((key, total) -> assertThat(total).isEqualTo(counted.get(key) + lost.get(key)));
      Plan plan = Fixture.plan(NOISE);
      List<PlannedCount> counts = plan.all(PlannedCount.class);
      long halfWidth =
          new NoiseSum(
                  counts.get(0).plan().mechanism().noise(),
                  counts.get(1).plan().mechanism().noise())
              .halfWidth();
      CountRelease release = totals.get(0);
      assertThat(release.getError95()).isEqualTo(halfWidth);
      assertThat(release.getGuarantee().getEpsilon()).isEqualTo(1);
      assertThat(release.getGuarantee().getDelta()).isEqualTo(1e-6);
      assertThat(release.getGuarantee().getMechanism())
          .contains("discrete-laplace add-or-remove-2")
          .contains(" + discrete-gaussian add-or-remove-3");
      double order = release.getGuarantee().getRenyiOrder();
      assertThat(release.getGuarantee().getRenyiEpsilon())
          .isEqualTo(
              counts.get(0).charge().curve().at(order) + counts.get(1).charge().curve().at(order));
    }
  }

  /** The sources' bytes are those that they have alone. */
  @Test
  void shouldChangeNothingOfItsSources() {
    String alone = NOISE.replaceFirst("(?m)^  - total: .*\n", "");
    assertThat(Fixture.plan(alone).releases()).hasSize(2);
    Map<String, Long> beside;
    try (Fixture pipeline = new Fixture(NOISE, state.resolve("beside"))) {
      records(pipeline, "ann", "west", 7);
      pipeline.tick(12);
      beside = told(pipeline, "lost");
    }
    try (Fixture pipeline = new Fixture(alone, state.resolve("alone"))) {
      records(pipeline, "ann", "west", 7);
      pipeline.tick(12);
      assertThat(told(pipeline, "lost")).isEqualTo(beside);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "of: n,|of: none,|field 'of': no output is named 'none'",
        "of: n,|of: lost,|field 'of': 'lost' is no such count",
        "left-out: lost }|left-out: n }|field 'left-out': 'n' is no such count",
        "by: total, method: laplace|by: total, running: 3|field 'of': 'n' is no such count",
        "left-out: 3 }|left-out: 3, per-period: 4 }|'contributions.per-period'",
        "by: total, method: laplace|by: category|field 'of': 'n' is no such count",
        "name: all, of|name: all, share: { epsilon: 1 }, of|for free",
      })
  void shouldRefuseOtherSources(String old, String other, String message) {
    assertThatThrownBy(() -> Fixture.plan(NOISE.replace(old, other)))
        .hasStackTraceContaining(message);
  }
}
