// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static io.sfumato.audit.AuditedFiles.A_OR_B;
import static io.sfumato.audit.AuditedFiles.WARD;
import static io.sfumato.audit.AuditedFiles.ofUsers;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.audit.Mutant.Edit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Mistakes in a change of version that the audit finds; without one it finds nothing. */
@Tag("deep")
class TakeoverMutantTest {
  private static final ReplayAudit AUDIT = new ReplayAudit(24, 12, 0, 1);

  private static String file(String release) {
    return ofUsers(
        WARD + ", " + A_OR_B,
        "per-window: 4, subjects: 2",
        "[north, south]",
        "epsilon: 9, delta: 9e-6, period: 60s",
        release);
  }

  private static final String COUNT =
      file("count: { name: n, windows: 2, share: { epsilon: 2, delta: 1e-6 } }");

  /** Its windows share noise: each is in the rows of all that follow. */
  private static final String RUN =
      file("count: { name: n, by: total, running: forever, share: { epsilon: 2, delta: 1e-6 } }");

  /** Nothing else bounds the subjects of a user. Of records the count is cut at C once more. */
  private static final String USERS =
      file("count: { name: n, of: users, by: total, share: { epsilon: 2, delta: 1e-6 } }");

  private static final String DROPPED =
      file("count: { name: n, windows: 2, share: { epsilon: 6, delta: 1e-6 } }");

  /**
   * A mistake.
   *
   * @param promise that is broken, in words
   * @param former file of the version that runs
   * @param next file of the version that takes over
   * @param kind of the violation that is found
   */
  private record Mistake(String promise, String former, String next, String kind, Edit edit) {
    List<String> files() {
      return List.of(former, TakeoverAuditTest.next(next));
    }

    @Override
    public String toString() {
      return promise;
    }
  }

  static Stream<Mistake> mistakes() {
    return Stream.of(
        new Mistake(
            "charges of the former version go on as fractions of the share",
            COUNT,
            COUNT.replace("windows: 2", "windows: 3"),
            "loss",
            new Edit(
                "topology/version/GrantRollover.java",
                "return ContinuedShare.cost(cost, old.terms().orElseThrow().filter(), share.filter());",
                "return 1;")),
        new Mistake(
            "sums begin anew where their noise is another one",
            RUN,
            RUN.replace("per-window: 4, subjects: 2", "per-window: 1")
                .replace("delta: 1e-6 }", "delta: 1e-6, ledger: again }"),
            "distance",
            new Edit(
                "gate/RunningMemory.java",
                "return in.text().equals(terms())",
                "return !in.text().isEmpty()")),
        new Mistake(
            "a dropped share counts until its period ends",
            DROPPED,
            DROPPED.replace("name: n", "name: m"),
            "loss",
            new Edit(
                "topology/version/GrantRollover.java",
                "share.isInUse() ? share.until(last) : share",
                "share.isInUse() ? share.until(Long.MIN_VALUE) : share")),
        new Mistake(
            "what the former version kept of a window is bounded once more",
            USERS,
            USERS.replace("subjects: 2", "subjects: 1"),
            "distance",
            new Edit(
                "topology/contributions/Contributions.java",
                "if (!other && found.isWithinBounds()) {",
                "if (!other) {")));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void shouldFindTheMistake(Mistake mistake) {
    assertThat(
            Mutant.of(List.of(mistake.edit())).violations(mistake.files(), AUDIT, mistake.kind()))
        .as(mistake.promise())
        .containsKey(mistake.kind());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void shouldFindNothingInTheProgramAsItIs(Mistake mistake) {
    ReplayAudit.Findings found =
        Audited.across(mistake.files().get(0), mistake.files().get(1), AUDIT);
    assertThat(found.violations()).isEmpty();
    assertThat(found.draws()).isPositive();
    assertThat(found.sharedRatio()).isBetween(0.0, 1 + 1e-9);
  }
}
