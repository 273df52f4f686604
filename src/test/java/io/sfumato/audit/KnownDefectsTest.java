package io.sfumato.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.audit.Violation.Kind;
import org.junit.jupiter.api.Test;

/** What the referee says of each of the {@link KnownDefects}, and what it must say of a mend. */
class KnownDefectsTest {
  private static final String POPULATION =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b, c] }
      contributions: { per-window: 2, subjects: 2 }
      subjects: [north, south, west]
      window: { size: 10s, grace: 2s, clock: ticks }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: lifetime }
      releases:
      """;

  private static final String COUNTS =
      POPULATION + "  - count: { name: n, windows: 2, share: { epsilon: 4, delta: 1e-6 } }\n";

  /**
   * A charge of a window covers a user's L1 distance, but losses of one noise add up as squares.
   */
  @Test
  void runningLaplaceCountsOfAUserInManyWindowsLoseNoMoreThanIsCharged() {
    String running =
        POPULATION
                .replace("per-window: 2, subjects: 2", "per-window: 1")
                .replace("epsilon: 4, delta: 1e-6", "epsilon: 1, delta: 1e-2")
            + "  - count: { name: n, by: total, running: 64, method: laplace, windows: 64,"
            + " share: { epsilon: 1, delta: 1e-2 } }\n";
    ReplayAudit.Findings found = Audited.of(running, new ReplayAudit(24, 66, 0, 1));
    if (KnownDefects.RUNNING_LAPLACE_COUNTS_ARE_UNDERCHARGED.stands()) {
      assertThat(found.lossRatio()).isGreaterThan(1.2);
      assertThat(found.count(Kind.LOSS)).isPositive();
    } else {
      assertThat(found.lossRatio()).isLessThanOrEqualTo(1 + 1e-9);
      assertThat(found.count(Kind.LOSS)).isZero();
    }
  }

  /** One log stops for good, its neighbour without one user's record does not. */
  @Test
  void aRecordOfAWindowBeforeTheFirstTickStopsNobody() {
    ReplayAudit.Findings found = Audited.of(COUNTS, new ReplayAudit(24, 5, 0, 1));
    if (KnownDefects.A_RECORD_BEFORE_THE_FIRST_TICK_STOPS_A_POPULATION.stands()) {
      assertThat(found.violations())
          .anyMatch(
              v ->
                  v.kind() == Kind.REPLAY
                      && v.what().contains("first run stops")
                      && v.what().contains("a record of a window that is closed")
                      && v.what().contains("second run comes to its end"));
    } else {
      assertThat(found.violations()).isEmpty();
    }
  }

  /** The users' keeper hands enrolments on at once, and what counts in slices of time. */
  @Test
  void rostersOfPopulationsDoNotDependOnSlices() {
    String roster = COUNTS.replace("subjects: [north, south, west]", "subjects: roster");
    ReplayAudit.Findings found = Audited.of(roster, new ReplayAudit(8, 5, 6, 1));
    if (KnownDefects.ROSTERS_OF_POPULATIONS_DEPEND_ON_SLICES.stands()) {
      assertThat(found.count(Kind.SLICING)).isPositive();
    } else {
      assertThat(found.count(Kind.SLICING)).isZero();
    }
  }
}
