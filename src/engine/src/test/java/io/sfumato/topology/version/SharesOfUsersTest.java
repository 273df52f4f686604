// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Ledger;
import io.sfumato.accounting.PrivacyFilter.RenyiFilter;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.SpanCalendar;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares of users across a change of the file. Windows of a day, periods and spans of ten. */
class SharesOfUsersTest {
  private static final String FILE =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 1 }
      subjects: [west]
      window: { size: 1d, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 3, delta: 3e-6, period: 10d }
      releases:
        - count: { name: visits, by: total, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static final String SPANS = FILE.replace("period: 10d", "period: { any: 10d }");

  private static final long BEGIN = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();
  private static final long DAY = Duration.ofDays(1).toMillis();

  /** In the middle of a period. */
  private static final long FROM = BEGIN + 18 * DAY;

  private static Plan plan(String yaml) {
    try {
      return Plan.of("test", PipelineFile.parse("test", yaml));
    } catch (PipelineFileException e) {
      throw new AssertionError(e);
    }
  }

  private static BudgetTerms across(String before, String after) {
    return BudgetTerms.of(plan(before)).extended(plan(after), FROM);
  }

  private static Ledger ledger(int id, long charges) {
    TreeMap<Integer, Long> counts = new TreeMap<>();
    if (charges > 0) {
      counts.put(id, charges);
    }
    return new Ledger(counts);
  }

  /** How often a ledger with so many charges of the former terms admits one more. */
  private static long admitted(BudgetTerms terms, PlannedRelease now, long before) {
    Ledger ledger = ledger(0, before);
    long after = 0;
    while (terms.rule(now).admits(ledger)) {
      ledger = terms.rule(now).plus(ledger);
      after++;
    }
    return after;
  }

  /** Another C, noise, or number of windows: whatever was spent before, a period has one cap. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "per-window: 2|per-window: 4",
        "per-window: 2|per-window: 1",
        "delta: 1e-6 } }|delta: 1e-6 }, windows: 5 }",
        "delta: 1e-6 } }|delta: 1e-6 }, windows: 7 }",
        "by: total,|by: total, method: gaussian,",
      })
  void shouldSpendOneShareInAPeriodWhateverChanges(String old, String changed) {
    for (boolean back : new boolean[] {false, true}) {
      String other = FILE.replace(old, changed);
      Plan before = plan(back ? other : FILE);
      Plan after = plan(back ? FILE : other);
      PlannedRelease first = before.releases().get(0);
      PlannedRelease then = after.releases().get(0);
      BudgetTerms terms = BudgetTerms.of(before).extended(after, FROM);
      double order = ((RenyiFilter) first.share().filter()).order();
      double cap =
          RenyiUnits.toNats(
              RenyiFilter.of(first.share().epsilon(), first.share().delta(), order).cap());
      long most = first.share().affords(first.charge());
      for (long spent = 0; spent <= most; spent++) {
        long more = admitted(terms, then, spent);
        assertThat(
                spent * first.charge().curve().at(order) + more * then.charge().curve().at(order))
            .as("%d windows before, %d after", spent, more)
            .isLessThanOrEqualTo(cap);
        if (!first.charge().mechanism().equals(then.charge().mechanism())) {
          assertThat(spent < most || more == 0).as("nothing is left of a spent share").isTrue();
        }
      }
      assertThat(admitted(terms, then, 0)).isEqualTo(then.share().affords(then.charge()));
    }
  }

  /** So much epsilon that both draw the least noise: ledgers cannot tell their charges apart. */
  @Test
  void shouldCountTheSameChargeAlikeUnderOtherTerms() {
    String much =
        FILE.replace("epsilon: 3,", "epsilon: 900000,").replace("epsilon: 1,", "epsilon: 900000,");
    for (int first = 1; first <= 4; first++) {
      for (int then = 1; then <= 4; then++) {
        Plan before = plan(much.replace("1e-6 } }", "1e-6 }, windows: " + first + " }"));
        Plan after = plan(much.replace("1e-6 } }", "1e-6 }, windows: " + then + " }"));
        PlannedRelease release = after.releases().get(0);
        assertThat(release.charge().mechanism())
            .isEqualTo(before.releases().get(0).charge().mechanism());
        BudgetTerms terms = BudgetTerms.of(before).extended(after, FROM);
        for (int spent = 0; spent <= first; spent++) {
          assertThat(admitted(terms, release, spent))
              .as("%d of %d before, then what %d have left", spent, first, then)
              .isEqualTo(Math.max(0, then - spent));
        }
      }
    }
  }

  /**
   * A share that is granted as a whole: users of n windows in a row lose no sum of windows' parts.
   * 30 windows of days alone and one of 31 days together would be 30/31 and 31/61 of the budget.
   */
  @Test
  void shouldNotAddUpSharesThatAreGrantedAsAWhole() {
    String days =
        FILE.replace("subject: ward", "subject: { constant: all }")
            .replace("subjects: 1 }\nsubjects: [west]", "subjects: 1 }")
            .replace("period: 10d", "period: { any: 30d }")
            .replace("by: total,", "of: users, by: total,");
    for (String over : List.of("over: 31,", "over: 2,")) {
      String together = days.replace("by: total,", "by: total, " + over);
      assertThatThrownBy(() -> across(days, together))
          .as("the new share is one")
          .hasMessageContaining("share 'visits' was granted");
      assertThatThrownBy(() -> across(together, days))
          .as("the former share was one")
          .hasMessageContaining("share 'visits' was granted");
      assertThatThrownBy(() -> across(together, together.replace("over: ", "over: 1")))
          .as("another n")
          .hasMessageContaining("share 'visits' was granted");
      assertThat(across(together, together).shares()).isNotEmpty();
    }
  }

  /**
   * Three versions, of which the last has the second one's terms and another mechanism: what the
   * second one's charges may lose in the first one's currency still counts.
   */
  @Test
  void shouldBoundEveryVersionThatStillCounts() {
    String head =
        FILE.replace("categories: [a, b]", "categories: [a, b], values: [v]")
            .replace("period: 10d", "period: 40d")
            .replaceFirst(
                "  - count: .*\n",
                "  - mean: { name: m, values: [v], bounds: { v: [0, 100] }, share: { epsilon: 0.01 } }\n");
    String counts =
        "  - count: { name: u, by: total, windows: 20, share: { epsilon: 1, delta: 1e-6 } }\n";
    String means =
        "  - mean: { name: u, values: [v], bounds: { v: [0, 100] }, windows: %d, share: { epsilon: 1 } }\n";
    BudgetTerms two =
        BudgetTerms.of(plan(head + counts)).extended(plan(head + means.formatted(2)), FROM);
    assertThatThrownBy(() -> two.extended(plan(head + means.formatted(32)), FROM + DAY))
        .hasMessageContaining("share 'u' was granted");
  }

  /** Of a span each window costs what its version charges, and nobody has a ledger. */
  @Test
  void shouldHoldInEverySpanAcrossTheChange() {
    Plan before = plan(SPANS);
    Plan after = plan(SPANS.replace("per-window: 2", "per-window: 4"));
    BudgetTerms.of(before).extended(after, FROM);
    PlannedRelease first = before.releases().get(0);
    PlannedRelease then = after.releases().get(0);
    double order = ((RenyiFilter) first.share().filter()).order();
    RenyiFilter cap = RenyiFilter.of(first.share().epsilon(), first.share().delta(), order);
    for (int former = 0; former <= 11; former++) {
      assertThat(
              former * first.charge().curve().at(order)
                  + (11 - former) * then.charge().curve().at(order))
          .isLessThanOrEqualTo(RenyiUnits.toNats(cap.cap()));
    }
  }

  /** The larger epsilon counts until the last former window has left, and its conversion fits. */
  @ParameterizedTest
  @CsvSource({"1, 2", "2, 1", "1, 1.5"})
  void shouldCountAnotherEpsilonOnce(String former, String next) {
    for (String file : new String[] {FILE, SPANS}) {
      String before = file.replace("epsilon: 1,", "epsilon: " + former + ",");
      String after = file.replace("epsilon: 1,", "epsilon: " + next + ",");
      assertThat(across(before, after).shares()).hasSize(2);
    }
  }

  /** What is left beside the larger epsilon is free at once, and no more. */
  @Test
  void shouldReserveTheLargerEpsilon() {
    for (String file : new String[] {FILE, SPANS}) {
      String before = file.replace("epsilon: 1,", "epsilon: 2,");
      assertThat(across(before, file + beside("1")).shares()).hasSize(3);
      assertThatThrownBy(() -> across(before, file + beside("1.6")))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("add up to epsilon 3.6")
          .hasMessageContaining("both together count as epsilon 2 of 'visits'")
          .hasMessageContaining("Windows that start before");
    }
  }

  private static String beside(String epsilon) {
    return "  - count: { name: more, by: total, share: { epsilon: %s, delta: 1e-6 } }\n"
        .formatted(epsilon);
  }

  /** A dropped share is not handed on, however much of it users left. */
  @Test
  void shouldCountADroppedShareInFull() {
    String other =
        FILE.replace("name: visits", "name: other").replace("epsilon: 1,", "epsilon: 2.5,");
    assertThatThrownBy(() -> across(FILE, other))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("no longer has [visits]")
        .hasMessageContaining("Windows that start before 2026-06-26");
    assertThat(BudgetTerms.of(plan(FILE)).extended(plan(other), FROM + 7 * DAY).shares())
        .as("another period")
        .hasSize(2);
  }

  /** Two calendars of one pace: four windows in a row are due, where three may be. */
  @Test
  void shouldNotContinueByAnotherCalendar() {
    String paced = SPANS.replace("any: 10d", "any: 3d, pace: 2");
    SpanCalendar calendar = plan(paced).pipeline().calendar().orElseThrow();
    SpanCalendar later = new SpanCalendar(3, 2, BEGIN + 2 * DAY, Duration.ofDays(1));
    int worst = 0;
    for (int change = 0; change < 6; change++) {
      for (int start = 0; start < 6; start++) {
        int due = 0;
        for (int window = start; window < start + 4; window++) {
          SpanCalendar mine = window < change ? calendar : later;
          due += mine.isDue(BEGIN + window * DAY) ? 1 : 0;
        }
        worst = Math.max(worst, due);
      }
    }
    assertThat(worst).as("of 4 windows in a row").isEqualTo(4);
    assertThat(calendar.mostDue()).isEqualTo(3);
    for (String other :
        new String[] {
          paced.replace("pace: 2", "pace: 1"), paced.replace("2026-06-01", "2026-06-03")
        }) {
      assertThatThrownBy(() -> across(paced, other))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("share 'visits' was granted")
          .hasMessageContaining("ledger: NEW");
    }
  }

  /** Sums over windows count their exact profile: nothing adds half of one and half of another. */
  @Test
  void shouldRefuseToAddTwoProfiles() {
    String running = FILE.replace("by: total,", "by: total, running: 5,");
    String more = running.replace("per-window: 2", "per-window: 4");
    assertThatThrownBy(() -> across(running, more))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("at most 10 releases")
        .hasMessageContaining("Windows that start before 2026-06-26");
    String beside = more.replace("delta: 1e-6 } }", "delta: 1e-6, ledger: again } }");
    assertThat(across(running, beside).shares()).as("both in full").hasSize(2);
    assertThat(across(running, running).shares()).as("the same").hasSize(1);
  }

  /** A third version that changes nothing of a share finds the first one's charges, too. */
  @Test
  void shouldGoOnWithAShareThatWasChangedBefore() {
    String next = FILE.replace("per-window: 2", "per-window: 4");
    BudgetTerms terms = across(FILE, next);
    BudgetTerms third = terms.extended(plan(next), FROM + DAY);
    PlannedRelease release = plan(next).releases().get(0);
    assertThat(third.share("visits").costs()).isEqualTo(terms.share("visits").costs());
    long most = plan(FILE).releases().get(0).share().affords(plan(FILE).releases().get(0).charge());
    assertThat(admitted(third, release, most)).as("spent before the first change").isZero();
    BudgetTerms later = terms.extended(plan(next), FROM + 20 * DAY);
    assertThat(later.shares()).as("the first terms are over").hasSize(1);
  }

  private static final String DISCOVER =
      "{ discover: { %s share: { epsilon: 1, delta: 1e-6, ledger: visits } } }";

  /** Thresholds spent a part of the former delta, which no cost of a charge contains. */
  @Test
  void shouldNotGoOnWithAShareThatPaidForDiscovery() {
    String names =
        FILE.replace("[a, b]", DISCOVER.formatted("name: found,"))
            .replaceFirst("releases:\n  - count: .*\n", "");
    String subjects =
        FILE.replace("subjects: [west]", "subjects: " + DISCOVER.formatted(""))
            .replace("name: visits,", "name: more,");
    for (String discovering : List.of(names, subjects)) {
      BudgetTerms former = BudgetTerms.of(plan(discovering));
      assertThat(former.share("visits").discovers(former.charges())).isTrue();
      assertThatThrownBy(() -> former.extended(plan(FILE), FROM))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("share 'visits' was granted");
    }
    BudgetTerms listed = BudgetTerms.of(plan(FILE));
    assertThat(listed.share("visits").discovers(listed.charges())).isFalse();
  }

  @Test
  void shouldReadTheTermsThatItWrote() {
    BudgetTerms terms = across(FILE, FILE.replace("per-window: 2", "per-window: 4"));
    ByteWriter out = new ByteWriter();
    terms.write(out);
    assertThat(BudgetTerms.read(new ByteReader(out.toBytes()))).isEqualTo(terms);
  }
}
