// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.release.count.PlannedCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts of distinct users in a file: what they cost, and what is refused. */
class DistinctUsersFileTest {
  private static final String YAML =
      """
      pipeline: visits
      input: { topic: in, subject: shop, user: who, time: at, category: what, categories: [a, b, c] }
      contributions: { per-window: 20, subjects: 2 }
      subjects: [north, south]
      window: { size: 1d, grace: 2h, clock: ticks, begin: 2026-11-02 }
      budget: { name: visits, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: n, of: users, by: total, method: gaussian, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static PlannedCount count(String yaml) throws Exception {
    return (PlannedCount) plan(yaml).releases().get(0);
  }

  private static double deviation(String yaml) throws Exception {
    return count(yaml).plan().mechanism().noise().deviation();
  }

  /** The noise of 20 records would be 20 times that of one cell. */
  @Test
  void shouldFollowCellsAndNotRecords() throws Exception {
    double two = deviation(YAML);
    assertThat(deviation(YAML.replace("per-window: 20", "per-window: 1000"))).isEqualTo(two);
    double four = deviation(YAML.replace("subjects: 2", "subjects: 4"));
    assertThat(four / two).isBetween(1.40, 1.42);
    double records = deviation(YAML.replace("of: users", "of: records"));
    assertThat(records / two).isBetween(20 / Math.sqrt(2) * 0.99, 20 / Math.sqrt(2) * 1.01);
  }

  @Test
  void shouldCountAUserInAsManyCategoriesAsTheFileSays() throws Exception {
    String byCategory = YAML.replace("by: total", "by: category");
    double six = deviation(byCategory);
    double three = deviation(byCategory.replace("subjects: 2 }", "subjects: 2, cells: 3 }"));
    assertThat(six / three).isBetween(1.40, 1.42);
    assertThat(count(byCategory).charge().mechanism()).contains("add-or-remove-user-in-6-cells");
  }

  /** A week's users of one shop, against a day's, where a span touches 31 windows. */
  @Test
  void shouldCostAWeekOfOneSubjectLittleMoreThanADay() throws Exception {
    String month =
        YAML.replace("subject: shop", "subject: {constant: all}")
            .replace("subjects: [north, south]\n", "")
            .replace("subjects: 2", "subjects: 1")
            .replace("period: window", "period: {any: 30d}");
    double day = deviation(month);
    double week = deviation(month.replace("by: total", "by: total, over: 7"));
    assertThat(week / day).isBetween(0.99 * Math.sqrt(37 / 31.0), 1.01 * Math.sqrt(37 / 31.0));
    assertThat(count(month.replace("by: total", "by: total, over: 7")).charge().mechanism())
        .contains("37-counts-of-31-windows");
  }

  /** With a ledger a window may be the only one that counts, and costs all that it moves. */
  @Test
  void shouldCostEachWindowInFullWhereUsersHaveALedger() throws Exception {
    String ledger = YAML.replace("subjects: 2", "subjects: 1");
    double day = deviation(ledger);
    double week = deviation(ledger.replace("by: total", "by: total, over: 7"));
    assertThat(week / day).isBetween(0.99 * Math.sqrt(7), 1.01 * Math.sqrt(7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "by: total|by: total, running: 30|found 'users' with 'running'",
        "by: total|by: left-out|found 'users' with 'by: left-out'",
        "subjects: 2 }|subjects: 2, cells: 2 }|field 'contributions.cells': found without a count",
      })
  void shouldRefuseWhatCannotBeMeant(String old, String other, String message) {
    assertThatThrownBy(() -> plan(YAML.replace(old, other))).hasMessageContaining(message);
  }

  @Test
  void shouldRefuseLastWindowsUnderAPace() {
    assertThatThrownBy(
            () ->
                plan(
                    YAML.replace("by: total", "by: total, over: 7")
                        .replace("period: window", "period: {any: 30d, pace: 5}")))
        .hasMessageContaining("found with 'of: users' and 'period.pace'");
  }
}
