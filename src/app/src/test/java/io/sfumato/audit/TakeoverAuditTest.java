// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static io.sfumato.audit.AuditedFiles.A_OR_B;
import static io.sfumato.audit.AuditedFiles.WARD;
import static io.sfumato.audit.AuditedFiles.ofUsers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whole pipelines over neighbouring logs in the middle of which a version takes over
 * (docs/theory/versions.md). No assertion can fail by chance: runs are compared byte by byte, and
 * losses are computed from laws in closed form.
 */
@Tag("deep")
class TakeoverAuditTest {
  private static final ReplayAudit AUDIT = new ReplayAudit(24, 12, 2, 3);

  private static final String FIXED = "40s";
  private static final String SPAN = "{ any: 30s }";
  private static final String SHARE = "share: { epsilon: 2, delta: 1e-6 }";

  /** Windows of ten seconds, four of them a period; five of them touch a span. */
  private static String file(String period, String... releases) {
    return ofUsers(
            WARD + ", " + A_OR_B + ", values: [x]",
            "per-window: 2, subjects: 2",
            "[north, south]",
            "epsilon: 9, delta: 9e-6, period: " + period,
            releases)
        .replace("clock: ticks", "clock: ticks, begin: 2026-01-05");
  }

  static String next(String file) {
    return "version: 2\n" + file;
  }

  private static ReplayAudit.Findings kept(String former, String next) {
    ReplayAudit.Findings found = Audited.across(former, next, AUDIT);
    assertThat(found.violations()).as(next).isEmpty();
    assertThat(found.draws()).as(next).isPositive();
    assertThat(found.lossRatio()).as(next).isLessThanOrEqualTo(1 + 1e-9);
    assertThat(found.sharedRatio()).as(next).isLessThanOrEqualTo(1 + 1e-9);
    return found;
  }

  /** The same, where periods have draws of both versions. */
  private static ReplayAudit.Findings keptTogether(String former, String next) {
    ReplayAudit.Findings found = kept(former, next);
    assertThat(found.sharedRatio()).as(next).isPositive();
    return found;
  }

  /**
   * One share across the change: another bound, noise, number of windows or epsilon. In the last
   * column is what the worst period, or span, with windows of both versions loses of what there is:
   * all of it where windows of both cost the same, and otherwise three quarters of one and a
   * quarter of the other, or 1/2 + 1/3. The true loss of Laplace noise is a little below what it is
   * charged. There is no such period where one window of the former version leaves nothing for the
   * next one (3 windows, then 1), or where both together cost more than the budget (Gaussian noise
   * in the currency of Laplace noise).
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "40s            | ''         | per-window: 2 | per-window: 4 | 1",
        "40s            | ''         | 'per-window: 2, subjects: 2' | per-window: 1 | 1",
        "{ any: 30s }   | ''         | per-window: 2 | per-window: 3 | 1",
        "40s            | ''         | subjects: 2   | subjects: 1   | 1",
        "40s            | ''         | epsilon: 2,   | epsilon: 3,   | 0.8690",
        "{ any: 30s }   | ''         | epsilon: 2,   | epsilon: 1,   | 0.8191",
        "40s            | ', windows: 2' | windows: 2 | windows: 3   | 0.8333",
        "40s            | ', windows: 3' | windows: 3 | windows: 1   | 0",
        "40s            | ', method: laplace' | laplace | gaussian   | 0",
        "40s            | ', method: gaussian' | gaussian | laplace  | 0.8798",
        "{ any: 30s }   | ', method: gaussian' | gaussian | laplace  | 0.8798",
        "40s            | ''         | 'categories: [a, b]' | 'categories: [a, b, c]' | 1"
      })
  void sharesThatChangeKeepThePromise(
      String period, String more, String old, String changed, double ratio) {
    String file = file(period, "count: { name: n" + more + ", " + SHARE + " }");
    assertThat(kept(file, next(file.replace(old, changed))).sharedRatio())
        .isCloseTo(ratio, within(1e-4));
  }

  /**
   * A period of users' records has one bound in each version. Charges by the record go on where
   * both shares have the same cap: 1/3 and 1/2 of it, of which a single record of a window loses
   * half. Elsewhere the next version begins with a period.
   */
  @ParameterizedTest
  @CsvSource({"3, 5, 0", "3, 2, 0.4167"})
  void periodsWithAnotherBoundKeepThePromise(int before, int after, double ratio) {
    String file =
        file(FIXED, "count: { name: n, by: total, " + SHARE + " }")
            .replace("per-window: 2,", "per-window: 2, per-period: " + before + ",");
    assertThat(
            kept(file, next(file.replace("per-period: " + before, "per-period: " + after)))
                .sharedRatio())
        .isCloseTo(ratio, within(1e-4));
  }

  /** Outputs that come, go, or take another name. */
  @ParameterizedTest
  @CsvSource({"40s", "{ any: 30s }"})
  void otherOutputsKeepThePromise(String period) {
    String one = "count: { name: n, " + SHARE + " }";
    String two = "mean: { name: means, value: x, bounds: [0, 8], share: { epsilon: 3 } }";
    String renamed = "count: { name: m, share: { epsilon: 2, delta: 1e-6, ledger: n } }";
    keptTogether(file(period, one), next(file(period, one, two)));
    keptTogether(file(period, one, two), next(file(period, one)));
    keptTogether(file(period, one, two), next(file(period, two, renamed)));
    keptTogether(file(period, two), next(file(period, two.replace("[0, 8]", "[0, 2]"))));
    keptTogether(
        file(period, one, two),
        next(
            file(
                period,
                one.replace("epsilon: 2", "epsilon: 3"),
                two.replace("epsilon: 3", "epsilon: 2"))));
  }

  /** Sums over windows go on where nothing changes, and begin anew under a ledger of their own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "40s          | by: total, running: 4",
        "40s          | by: total, running: forever, over: 2",
        "40s          | of: users, by: total, over: 3",
        "{ any: 30s } | by: total, running: 4",
        "{ any: 30s } | of: users, by: total, over: 3"
      })
  void sumsOverWindowsKeepThePromise(String period, String sum) {
    String file = file(period, "count: { name: n, %s, %s }".formatted(sum, SHARE));
    keptTogether(file, next(file));
    keptTogether(
        file,
        next(
            file.replace("delta: 1e-6 }", "delta: 1e-6, ledger: again }")
                .replace("per-window: 2, subjects: 2", "per-window: 1, subjects: 1")));
  }

  /** Outputs with bounds of their own, of which one is added and another one changes. */
  @ParameterizedTest
  @CsvSource({"40s", "{ any: 30s }"})
  void outputsWithTheirOwnBoundsKeepThePromise(String period) {
    String own = "count: { name: own, contributions: { per-window: %d }, " + SHARE + " }";
    String all = "count: { name: n, " + SHARE + " }";
    keptTogether(file(period, all), next(file(period, all, own.formatted(1))));
    keptTogether(file(period, all, own.formatted(1)), next(file(period, all, own.formatted(2))));
    keptTogether(file(period, all, own.formatted(2)), next(file(period, all)));
  }

  /** Two calendars have shares of their own: any four windows may have four due ones. */
  @Test
  void anotherPaceKeepsThePromise() {
    String file = file("{ any: 30s, pace: 2 }", "count: { name: n, " + SHARE + " }");
    String other =
        file.replace("pace: 2", "pace: 1").replace("delta: 1e-6 }", "delta: 1e-6, ledger: again }");
    keptTogether(file, next(other));
  }

  /** A share that is dropped counts in full: what users left of it is nobody's to hand on. */
  @Test
  void shouldTakeOverWhereADroppedShareIsOver() {
    String one = file(FIXED, "count: { name: n, share: { epsilon: 6, delta: 1e-6 } }");
    String other = file(FIXED, "count: { name: m, share: { epsilon: 6, delta: 1e-6 } }");
    assertThat(kept(one, next(other)).sharedRatio()).isZero();
    String span = file(SPAN, "count: { name: n, share: { epsilon: 6, delta: 1e-6 } }");
    assertThatThrownBy(() -> kept(span, next(span.replace("name: n", "name: m"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no longer has [n]");
  }

  /** Rows of two bounds have no currency in common. */
  @Test
  void shouldSayWhyAVersionCannotTakeOver() {
    String file =
        file("lifetime", "count: { name: n, by: total, running: 4, windows: 4, " + SHARE + " }");
    assertThatThrownBy(() -> kept(file, next(file.replace("per-window: 2", "per-window: 4"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("share 'n' was granted");
    assertThatThrownBy(() -> kept(file, file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("raise 'version'");
    assertThatThrownBy(() -> kept(file, next(file.replace("name: test, unit", "name: rest, unit"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("goes on with the budget");
  }
}
