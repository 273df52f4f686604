// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.pipeline.SpanShare.Rule;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code period: {any: 30d}}: what files say, what is refused, and what plans say of it. */
class SpanFileTest {
  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b], values: [x] }
      contributions: { per-window: 2, subjects: 2 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-01-05 }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: %s }
      releases:
        - count: { name: n, share: { epsilon: 2, delta: 1e-6 }%s }
        - mean: { name: means, value: x, bounds: [0, 1], share: { epsilon: 1 }%s }
        - bounds: { name: range, value: x, share: { epsilon: 1 } }
      """;

  private static final String RECORDS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b], values: [x] }
      window: { size: %s }
      budget: { name: test, unit: record, epsilon: 4, delta: 2e-6, period: %s }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 2, delta: 1e-6 }%s }
        - bounds: { name: range, value: x, share: { epsilon: 1 } }
      """;

  private static final String ASKED =
      "  - abc: { name: coin, threshold: 0.3, share: { epsilon: 1, delta: 1e-7 }, queries: 1,"
          + " distance: categories }\n";

  private static void assertRefused(String yaml, String... words) {
    assertThatThrownBy(() -> plan(yaml))
        .isInstanceOf(PipelineFileException.class)
        .message()
        .contains(words);
  }

  private static Rule rule(Plan plan, int place) {
    return SpanShare.of(plan.pipeline(), plan.releases().get(place).spec()).orElseThrow().rule();
  }

  @Test
  void shouldCoverOneWindowMoreThanASpanHas() throws PipelineFileException {
    Plan plan = plan(USERS.formatted("{ any: 30d }", "", ""));
    assertThat(plan.pipeline().budget().period())
        .isEqualTo(new Period.Any(Duration.ofDays(30), OptionalInt.empty()));
    assertThat(plan.releases().get(0).spec().horizon()).isEqualTo(31);
    assertThat(rule(plan, 0)).isEqualTo(Rule.EVERY_DUE);
    assertThat(rule(plan, 1)).isEqualTo(Rule.EVERY_DUE);
    assertThat(rule(plan, 2)).isEqualTo(Rule.FIRST);
    assertThat(PlanReport.text(plan))
        .contains("any 30 days touch at most 31 windows, and the shares cover them all")
        .contains("drawn in one window of those that any 30 days touch, by the calendar")
        .contains("all that any ONE user did, whatever 30 days you take");
  }

  @Test
  void shouldCoverOneWindowMoreThanThePace() throws PipelineFileException {
    Plan plan = plan(USERS.formatted("{ any: 30d, pace: 5 }", "", ""));
    assertThat(plan.releases().get(0).spec().horizon()).isEqualTo(6);
    assertThat(rule(plan, 0)).isEqualTo(Rule.EVERY_DUE);
    assertThat(PlanReport.text(plan))
        .contains("of which at most 6 are due, the same for all")
        .contains("2026-01-05, 2026-01-11, 2026-01-17, 2026-01-23, ...");
  }

  @Test
  void shouldKeepALedgerWhereSubjectsAffordFewer() throws Exception {
    Plan plan = plan(RECORDS.formatted("1d", "{ any: 30d }", ", windows: 5") + ASKED);
    assertThat(rule(plan, 0)).isEqualTo(Rule.LEDGER);
    assertThat(rule(plan, 1)).isEqualTo(Rule.LEDGER);
    assertThat(rule(plan, 2)).isEqualTo(Rule.LEDGER);
    JsonNode spans = new ObjectMapper().readTree(PlanReport.json(plan)).path("spans");
    assertThat(spans.path("bounded").asBoolean()).isTrue();
    assertThat(spans.path("windows_touched").asLong()).isEqualTo(31);
    assertThat(spans.path("ledgers")).extracting(JsonNode::asText).contains("mix", "range", "coin");
  }

  @Test
  void shouldRefuseUsersALedgerOfASpan() {
    assertRefused(
        USERS.formatted("{ any: 30d }", ", windows: 5", ""),
        "release 'n'",
        "planned for 5 of the 31 windows that any 30d touch",
        "under 'user' no ledger may say which",
        "{any: 30d, pace: 4}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ any: 31h } | found 31h with windows of 1d, allowed is a multiple of 'window.size', such as 1d",
        "{ any: 12h } | found 12h with windows of 1d, allowed is a multiple of 'window.size', such as 1d",
        "{ any: 30d, pace: 31 } | found '31', allowed is a whole number from 1 to 30",
        "{ any: 30d, pace: 0 } | 'budget.period.pace': found '0'",
        "{ pace: 3 } | field 'budget.period.any': is missing",
        "{ any: soon } | field 'budget.period.any': found 'soon'",
        "{ any: 4000d } | at most 3650d",
        "{ any: 30d, every: 3 } | field 'budget.period.every': unknown, allowed are any, pace",
        "[30d] | allowed is lifetime, window, a length such as 30d, or {any: 30d}",
      })
  void shouldSayWhatIsWrong(String period, String words) {
    assertRefused(USERS.formatted(period, "", ""), words);
  }

  @Test
  void shouldRefuseWhatDoesNotGoByACalendar() {
    assertRefused(
        RECORDS.formatted("1d", "{ any: 30d, pace: 5 }", "") + ASKED,
        "release 'coin': queries ask about any window");
    assertRefused(
        USERS.formatted("{ any: 30d, pace: 5 }", ", running: 8", ""),
        "release 'n': it is about several windows, and 'budget.period.pace' passes most");
    assertRefused(
        USERS.formatted("{ any: 30d, pace: 30 }", ", running: 8", ""),
        "counts single ones, even where it has all 30 of a span; leave 'pace' out");
    assertRefused(
        USERS.formatted("{ any: 30d }", "", "").replace(", begin: 2026-01-05", ""),
        "field 'window.begin': is missing; the calendar");
    assertRefused(
        RECORDS.formatted("1s", "{ any: 1h }", ", windows: 5"),
        "affords some of the 3,601 windows that a span touches, and a ledger adds up 1,000 at most");
  }

  /** Periods that follow each other: what they bound beyond themselves, and what they do not. */
  @Test
  void shouldSayWhatPeriodsDoToSpansAcrossTheirEnds() throws Exception {
    String whole =
        USERS.replace("  - bounds: { name: range, value: x, share: { epsilon: 1 } }\n", "");
    assertThat(PlanReport.text(plan(whole.formatted("30d", "", ""))))
        .contains(
            "the shares cover all 30 windows of a period, hence of every 30d that starts with")
        .contains("period: {any: 30d} bounds those with any start");
    assertThat(PlanReport.text(plan(whole.formatted("30d", ", windows: 5", ", windows: 5"))))
        .contains("30d across the end of a period can lose twice as much (n: 10 windows, means: 10")
        .contains("period: {any: 30d, pace: 4} bounds every span of that length");
    assertThat(PlanReport.text(plan(RECORDS.formatted("1d", "30d", ", windows: 5"))))
        .contains("(mix: 10 windows, range: two periods' worth); period: {any: 30d} bounds");
    assertThat(PlanReport.text(plan(RECORDS.formatted("1d", "window", ""))))
        .contains("every window has the whole budget: one record in each of the 366 windows of 1d");
    assertThat(PlanReport.text(plan(RECORDS.formatted("1d", "lifetime", ", windows: 5"))))
        .doesNotContain("spans  ");
    JsonNode spans =
        new ObjectMapper()
            .readTree(PlanReport.json(plan(whole.formatted("30d", "", ""))))
            .path("spans");
    assertThat(spans.path("bounded").asBoolean()).isFalse();
  }
}
