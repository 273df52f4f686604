// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.release.Plan;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import io.sfumato.topology.version.BudgetTerms;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Means that run over windows, and of the last ones. There is so much budget that the standard
 * deviation of noise is 0.01 of a record, or less: what is compared has room for ten of them and
 * more, which each leaves by a chance below 1e-20.
 */
class MeansOverWindowsTest {
  private static final double NEAR = 0.1;

  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b], values: [x] }
      contributions: { per-window: 3 }
      subjects: [north]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-5, period: window }
      releases:
        - mean: { name: run, value: x, bounds: [-10, 10], by: total, moments: 2, running: 3, over: 2, method: METHOD, share: { epsilon: 300000, delta: 1e-6 } }
        - mean: { name: ever, value: x, bounds: [-10, 10], running: forever, method: METHOD, share: { epsilon: 300000, delta: 1e-6 } }
        - mean: { name: last, value: x, bounds: [-10, 10], by: total, over: 2, method: METHOD, share: { epsilon: 300000, delta: 1e-6 } }
      """;

  private static final String RECORDS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, values: [x] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 900000, delta: 1e-6, period: lifetime }
      releases:
        - mean: { name: run, value: x, bounds: [0, 8], running: forever, over: 2, method: METHOD, share: { epsilon: 900000, delta: 1e-6 }, windows: 9 }
      """;

  @TempDir Path state;

  private static void send(Fixture pipeline, long window, String what, double... numbers) {
    for (int i = 0; i < numbers.length; i++) {
      pipeline.sendJson(
          window * 10 + 1,
          "'who':'%s','ward':'north','what':'%s','x':%s",
          "user" + i,
          what,
          numbers[i]);
    }
  }

  private static List<MeanRelease> means(Fixture pipeline, String topic) {
    return pipeline.releases(topic, MeanRelease.class);
  }

  private static Instant window(long window) {
    return Instant.ofEpochMilli(NOW + window * 10_000);
  }

  private static void assertRow(MeanRow row, double count, double mean) {
    assertNear(row.getCount(), count, NEAR);
    assertNear(row.getMean(), mean, 10 * NEAR);
    assertNear(row.getSum(), count * mean, 20 * NEAR);
  }

  private static void assertNear(Estimate found, double truth, double near) {
    assertThat(found.getValue()).isCloseTo(truth, within(near));
    assertThat(found.getLow()).isBetween(truth - 2 * near, found.getValue());
    assertThat(found.getHigh()).isBetween(found.getValue(), truth + 2 * near);
  }

  /** Four windows: 2 and 4, nobody, 9, and -1 with 1. */
  private static void fourWindows(Fixture pipeline) {
    send(pipeline, 0, "a", 2, 4);
    pipeline.tick(12);
    pipeline.tick(22);
    send(pipeline, 2, "b", 9);
    pipeline.tick(32);
    send(pipeline, 3, "a", -1, 1);
    pipeline.tick(42);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "laplace"})
  void shouldRunOverWindowsAndBeginAnew(String method) {
    try (Fixture pipeline = new Fixture(USERS.replace("METHOD", method), state)) {
      fourWindows(pipeline);
      List<MeanRelease> run = means(pipeline, "run");
      assertThat(run).extracting(MeanRelease::getWindows).containsExactly(1L, 2L, 3L, 1L);
      assertThat(run)
          .extracting(MeanRelease::getSince)
          .containsExactly(window(0), window(0), window(0), window(3));
      assertRow(run.get(0).getRows().get(0), 2, 3);
      assertRow(run.get(1).getRows().get(0), 2, 3);
      assertRow(run.get(2).getRows().get(0), 3, 5);
      assertThat(run.get(2).getRows().get(0).getVariance().getValue())
          .as("of 2, 4 and 9")
          .isCloseTo(26 / 3.0, within(10 * NEAR));
      assertRow(run.get(3).getRows().get(0), 2, 0);
      assertThat(run).extracting(MeanRelease::getRecords).containsOnlyNulls();
      assertThat(run).extracting(MeanRelease::getLastWindows).containsExactly(1L, 2L, 2L, 1L);
      assertThat(run)
          .extracting(MeanRelease::getLastSince)
          .containsExactly(window(0), window(0), window(1), window(3));
      assertRow(run.get(2).getLastRows().get(0), 1, 9);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "laplace"})
  void shouldRunWithoutAnEndByCategory(String method) {
    try (Fixture pipeline = new Fixture(USERS.replace("METHOD", method), state)) {
      fourWindows(pipeline);
      List<MeanRelease> ever = means(pipeline, "ever");
      assertThat(ever).extracting(MeanRelease::getWindows).containsExactly(1L, 2L, 3L, 4L);
      MeanRelease all = ever.get(3);
      assertRow(all.getRows().get(0), 4, 1.5);
      assertRow(all.getRows().get(1), 1, 9);
      assertThat(all.getRows()).extracting(MeanRow::getCategory).containsExactly("a", "b");
      assertThat(all.getLastRows()).isNull();
      assertThat(all.getDeviation()).isGreaterThan(ever.get(0).getDeviation());
    }
  }

  /** What is told of nobody is noise, and its mean may be anything. */
  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "laplace"})
  void shouldTellTheLastWindowsBesideEachWindowsOwn(String method) {
    try (Fixture pipeline = new Fixture(USERS.replace("METHOD", method), state)) {
      fourWindows(pipeline);
      List<MeanRelease> last = means(pipeline, "last");
      assertThat(last).extracting(MeanRelease::getWindows).containsOnlyNulls();
      assertThat(last).extracting(MeanRelease::getSince).containsOnlyNulls();
      MeanRow nobody = last.get(1).getRows().get(0);
      assertNear(nobody.getCount(), 0, NEAR);
      assertThat(nobody.getMean().getLow()).isEqualTo(-10);
      assertThat(nobody.getMean().getHigh()).isEqualTo(10);
      assertRow(last.get(1).getLastRows().get(0), 2, 3);
      assertRow(last.get(2).getLastRows().get(0), 1, 9);
      assertRow(last.get(3).getRows().get(0), 2, 0);
      assertRow(last.get(3).getLastRows().get(0), 3, 3);
      assertThat(last).extracting(MeanRelease::getLastWindows).containsExactly(1L, 2L, 2L, 2L);
      assertThat(last.get(3).getLastDeviation()).isGreaterThan(last.get(3).getDeviation());
    }
  }

  private static void person(Fixture pipeline, long window, double... numbers) {
    for (double x : numbers) {
      pipeline.sendJson(window * 10 + 1, "'who':'ann','x':%s", x);
    }
  }

  /** Numbers of records are public; where there is a window without any, sums begin anew. */
  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "laplace"})
  void shouldSayHowManyRecordsOfAPersonThereWere(String method) {
    try (Fixture pipeline = new Fixture(RECORDS.replace("METHOD", method), state)) {
      person(pipeline, 0, 1, 3);
      person(pipeline, 1, 5);
      person(pipeline, 2, 2, 2, 2);
      person(pipeline, 4, 7);
      person(pipeline, 6, 0);
      List<MeanRelease> run = means(pipeline, "run");
      assertThat(run).extracting(MeanRelease::getRecords).containsExactly(2L, 3L, 6L, 1L);
      assertThat(run).extracting(MeanRelease::getLastRecords).containsExactly(2L, 3L, 4L, 1L);
      assertThat(run)
          .extracting(MeanRelease::getSince)
          .containsExactly(window(0), window(0), window(0), window(4));
      assertThat(run.get(2).getRows().get(0).getCount())
          .isEqualTo(new Estimate(6.0, 6.0, 6.0, false, false));
      assertRow(run.get(2).getRows().get(0), 6, 2.5);
      assertThat(run.get(2).getLastRows().get(0).getCount())
          .isEqualTo(new Estimate(4.0, 4.0, 4.0, false, false));
      assertRow(run.get(2).getLastRows().get(0), 4, 2.75);
      assertRow(run.get(3).getRows().get(0), 1, 7);
      assertThat(run.get(0).getGuarantee().getMechanism())
          .contains(
              method.equals("laplace")
                  ? "moments replace-one-of-one-group m=1 fields=1 own in-9"
                  : "moments replace-one m=1 fields=1",
              "in-9");
    }
  }

  /** Another method needs a share, or a budget, of its own. */
  @Test
  void aShareKeepsTheNoiseThatItWasGrantedFor() {
    String file =
        RECORDS
            .replace("running: forever, over: 2", "running: 5")
            .replace("900000", "4")
            .replace("test\n", "test\nversion: 2\n");
    Plan gaussian = Fixture.plan(file.replace("METHOD", "gaussian"));
    Plan laplace = Fixture.plan(file.replace("METHOD", "laplace"));
    Plan best = Fixture.plan(file.replace("METHOD", "best"));
    assertThat(best.digestText()).isEqualTo(laplace.digestText());
    BudgetTerms began = BudgetTerms.of(gaussian);
    assertThatThrownBy(() -> began.extended(laplace, Long.MIN_VALUE))
        .hasMessageContaining(
            "Restore the release's share, windows, method, categories and contributions");
    assertThatThrownBy(() -> BudgetTerms.of(best).extended(gaussian, Long.MIN_VALUE))
        .hasMessageContaining("share 'run' was granted");
  }

  /** Parts are steps of 2^-20, and their noise what is said of it. */
  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "laplace"})
  void shouldPublishTheUnbiasedParts(String method) {
    try (Fixture pipeline = new Fixture(USERS.replace("METHOD", method), state)) {
      fourWindows(pipeline);
      for (MeanRelease run : means(pipeline, "run")) {
        for (MeanRow row :
            Stream.of(run.getRows(), run.getLastRows()).flatMap(List::stream).toList()) {
          assertThat(row.getParts()).hasSize(3);
          for (double part : row.getParts()) {
            assertThat(Math.scalb(part, 20)).isEqualTo(Math.rint(Math.scalb(part, 20)));
          }
        }
      }
    }
  }
}
