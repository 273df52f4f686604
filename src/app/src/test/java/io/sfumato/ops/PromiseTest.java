// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.PlanReport;
import io.sfumato.release.Plans;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page promises, in words. */
class PromiseTest {
  private static Promise promise(String file, String period, String... changes) throws Exception {
    String yaml =
        Files.readString(Path.of(file)).replaceFirst("\\n  period: .*", "\n  period: " + period);
    for (int i = 0; i < changes.length; i += 2) {
      assertThat(yaml).contains(changes[i]);
      yaml = yaml.replace(changes[i], changes[i + 1]);
    }
    return new Promise(Plans.plan(yaml));
  }

  private static Promise wards(String period) throws Exception {
    return period.equals("lifetime")
        ? promise("topology/wards.yaml", period, "share: {", "windows: 9\n      share: {")
        : promise("topology/wards.yaml", period);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "window|in a window|in a window",
        "30d|in a period|in a period of 30 days",
        "{any: 30d}|, whatever 30 days you take|in 30 days, whichever you take,",
        "lifetime|at any time|at any time"
      })
  void shouldSayOfWhatTimeItIs(String period, String headline, String odds) throws Exception {
    Promise promise = wards(period);
    assertThat(promise.headline())
        .isEqualTo(
            "Protected: all that any one user did%s%s."
                .formatted(headline.startsWith(",") ? "" : " ", headline));
    assertThat(promise.odds())
        .isEqualTo(
            "The outputs together change anyone's odds about what a user did %s by a factor of at most 20.1, except with probability 0.000001."
                .formatted(odds));
  }

  @Test
  void shouldSayOneAndManyOfWhatCountsAndNoNumberThatIsTooLarge() throws Exception {
    assertThat(PlanReport.protects(wards("window").plan().pipeline()))
        .contains("per user and window at most 4 records count, for at most 2 subjects; the list");
    Promise one =
        promise(
            "topology/wards.yaml",
            "lifetime",
            "per-window: 4, subjects: 2",
            "per-window: 1",
            "epsilon: 3",
            "epsilon: 900",
            "share: {",
            "windows: 9\n      share: {");
    assertThat(PlanReport.protects(one.plan().pipeline()))
        .startsWith("all that any ONE user did at any time, including whether there was anything;")
        .contains("per user and window at most 1 record counts, for at most 1 subject; the list");
    assertThat(one.odds()).contains("by a factor of at most e^900, except");
  }

  /** The record's content is protected window by window, whatever the period is. */
  @Test
  void shouldSayItOfRecords() throws Exception {
    String diary = "topology/diary.yaml";
    assertThat(promise(diary, "window").odds()).contains("about the content of a record by");
    assertThat(promise(diary, "{any: 70d}").odds())
        .contains(
            "about the content of one record of every window in 70 days, whichever you take,");
  }

  @Test
  void shouldSayWhatSumsOverWindowsHold() throws Exception {
    assertThat(wards("window").sums().orElseThrow())
        .startsWith(
            "ward-total holds earlier windows too: the guarantee covers all sums that contain a "
                + "window. Over longer times such sums reveal more");
    assertThat(wards("{any: 30d}").sums().orElseThrow()).contains("Over longer times");
    assertThat(wards("lifetime").sums().orElseThrow()).doesNotContain("Over longer times");
    assertThat(promise("topology/wards.yaml", "window", "      running: 365\n", "").sums())
        .isEmpty();
  }
}
