// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whole pipelines whose period is every span of a length, over neighbouring logs: what one span
 * holds is changed, from each of its windows on, and everything else that is published after it
 * must be the same.
 */
@Tag("deep")
class SpansAuditTest {
  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b], values: [x] }
      contributions: { per-window: 2, subjects: 2 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-01-05 }
      budget: { name: test, unit: user, epsilon: 4, delta: 2e-6, period: { any: %s } }
      releases:
        - count: { name: n, share: { epsilon: 2, delta: 1e-6 }%s }
        - mean: { name: means, value: x, bounds: %s, share: { epsilon: 1 } }
        %s
      """;

  private static final String RECORDS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 4, delta: 2e-6, period: { any: %s } }
      releases:
        - histogram: { name: mix, method: %s, share: { epsilon: 2, delta: 1e-6 }%s }
        %s
      """;

  private static final String DATASETS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-01-05 }
      subjects: roster
      budget: { name: test, unit: dataset, epsilon: 4, period: { any: %s } }
      releases:
        - mollifier: { name: item, items: 2, share: { epsilon: 4 }%s }
      """;

  private static final String BOUNDS = "- bounds: { name: range, value: x, share: { epsilon: 1 } }";

  private static final Pattern WINDOWS = Pattern.compile(", windows: (\\d+)");

  private static void assertKept(String yaml, double used) {
    ReplayAudit.Findings found = Audited.of(yaml, new ReplayAudit(9, 30, 2, 3));
    assertThat(found.violations()).as(yaml).isEmpty();
    assertThat(found.neighbours()).isPositive();
    assertThat(found.draws()).isPositive();
    assertThat(found.lossRatio()).as(yaml).isBetween(used, 1 + 1e-9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30s | | [0, 8] |",
        "30s | , running: 4 | [0, 8] |",
        "30s, pace: 2 | | [0, 8] |",
        "30s | | [0, 8], running: forever, over: 2 |",
        "20s | | auto | B",
        "30s, pace: 1 | | auto | B",
      })
  void spansOfUsersKeepThePromise(String span, String running, String bounds, String found) {
    assertKept(
        USERS.formatted(span, running == null ? "" : running, bounds, found == null ? "" : BOUNDS),
        0.8);
  }

  private static final String LOCAL =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 2 }
      subjects: [north, south]
      window: { size: %s, grace: 1h, clock: ticks, zone: Europe/Berlin, begin: %s }
      budget: { name: test, unit: user, epsilon: 4, delta: 2e-6, period: { any: %s } }
      releases:
        - count: { name: n, share: { epsilon: 2, delta: 1e-6 } }
      """;

  /** Ledgers are numbered by windows there, whatever lengths these have around a clock change. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1d | 2026-03-27 | 3d, pace: 2",
        "1d | 2026-10-24 | 3d",
        "12h | 2026-03-27 | 1d, pace: 1",
        "1mo | 2026-01-01 | 3mo, pace: 1"
      })
  void spansOfLocalWindowsKeepThePromise(String size, String begin, String span) {
    assertKept(LOCAL.formatted(size, begin, span), 0.8);
  }

  private static final String DISTINCT =
      """
      pipeline: test
      input: { topic: in, subject: %s, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 3, subjects: %s }
      %s
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-01-05 }
      budget: { name: test, unit: user, epsilon: 4, delta: 2e-6, period: %s }
      releases:
        - count: { name: day, of: users, %s, share: { epsilon: 2, delta: 1e-6 } }
        - count: { name: days, of: users, over: 3, %s, share: { epsilon: 2, delta: 1e-6 } }
      """;

  /** Of days alone, and of days together: whichever the user comes on, and wherever. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "window | by: total",
        "window | by: category",
        "{ any: 30s } | by: total",
        "{ any: 30s } | 'by: category, method: laplace'",
        "20s | by: total"
      })
  void distinctUsersKeepThePromise(String period, String by) {
    assertKept(DISTINCT.formatted("ward", 2, "subjects: [north, south]", period, by, by), 0.5);
    assertKept(DISTINCT.formatted("{ constant: all }", 1, "", period, by, by), 0.5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30s | laplace | |",
        "30s | dirichlet | |",
        "30s | gaussian | , windows: 2 |",
        "20s | laplace | , windows: 1 | A",
        "30s, pace: 2 | gaussian | |",
      })
  void spansOfRecordsKeepThePromise(String span, String method, String windows, String asked) {
    assertKept(
        RECORDS.formatted(
            span,
            method,
            windows == null ? "" : windows,
            asked == null
                ? ""
                : "- abc: { name: coin, threshold: 0.3, share: { epsilon: 1, delta: 1e-7 }, queries: 1,"
                    + " candidates: 4, keep: 2 }"),
        0.8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"30s |", "30s | , windows: 2", "30s, pace: 2 |"})
  void spansOfDatasetsKeepThePromise(String span, String windows) {
    assertKept(DATASETS.formatted(span, windows == null ? "" : windows), 0.49);
  }

  /**
   * Files of every unit and kind of release: shares of W windows cover spans of W - 1, or, of
   * records and datasets, some of the windows of longer ones.
   */
  @Test
  void randomPipelinesKeepTheirPromise() {
    int files = 0;
    for (int seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      String yaml = RandomFiles.of(random);
      Matcher windows = WINDOWS.matcher(yaml);
      if (windows.find()) {
        int longer = yaml.contains("unit: user") ? 0 : random.nextInt(3);
        String any = yaml.contains("clock: ticks") ? ", begin: 2026-01-05" : "";
        String spans =
            yaml.replace("clock: ticks", "clock: ticks" + any)
                .replaceFirst(
                    "period: (lifetime|\\d+s)",
                    "period: { any: %ds }"
                        .formatted(10 * (Integer.parseInt(windows.group(1)) - 1 + longer)));
        ReplayAudit.Findings found = Audited.of(spans, new ReplayAudit(5, 9, 2, seed));
        assertThat(found.violations()).as(spans).isEmpty();
        assertThat(found.lossRatio()).as(spans).isLessThanOrEqualTo(1 + 1e-9);
        files++;
      }
    }
    assertThat(files).isGreaterThan(10);
  }
}
