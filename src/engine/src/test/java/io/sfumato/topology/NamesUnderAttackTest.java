// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.Draw;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.pipeline.NamedDraw;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.Plan;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.Slices;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks on names that nobody listed. */
@Tag("deep")
class NamesUnderAttackTest {
  /** Continues until all is done. */
  private static final Slices UNHURRIED = Fixture.slicesWhile(() -> true);

  private final List<Draw<?>> draws = new ArrayList<>();

  private Deployment watched() {
    return Fixture.deployment(1, PipelineMeters.none())
        .watchedBy((draw, input) -> draws.add(draw), () -> UNHURRIED);
  }

  private static Contribution record(
      String user, int window, String subject, int rank, String name) {
    return new Contribution(user, NOW + window * 10_000L, subject, 0, rank, List.of(), name);
  }

  private static String discovering(int leftOut) {
    return """
        pipeline: test
        input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 1, subjects: 1, left-out: %d }
        subjects: { discover: { name: places, share: { epsilon: 1, delta: 1e-6 } } }
        window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
        budget: { name: test, unit: user, epsilon: 2, delta: 2e-6, period: window }
        releases:
          - count: { name: lost, by: left-out, share: { epsilon: 1, delta: 1e-6 } }
        """
        .formatted(leftOut);
  }

  /** Theorem M: over all names of one user alone, at most d. */
  @Test
  void subjectsOfOneUserAlonePassWithTheThresholdsChanceAtMost() {
    Plan plan = Fixture.plan(discovering(1000));
    List<Contribution> records =
        IntStream.range(0, 1001).mapToObj(i -> record("loner", 0, "s" + i, i, "")).toList();
    List<JournalEntry> journal = new ArrayList<>(PopulationRun.beginning());
    journal.add(new Contributions(records));
    journal.add(end(0));
    new PopulationRun().outputs(plan, watched(), journal);
    double none = 0;
    for (Draw<?> draw : draws) {
      if (draw instanceof NamedDraw<?> named
          && !named.listed()
          && draw.mechanism() instanceof DiscoveryMechanism names) {
        long users = ((NameCount) draw.exact()).users();
        long steps = names.threshold().least() - users << names.noise().digits();
        none += Math.log1p(-names.noise().tail(steps - 1, 1) / 2);
      }
    }
    assertThat(-Math.expm1(none)).isLessThanOrEqualTo(1e-6);
  }

  private static final String RUNNING =
      """
      pipeline: test
      input:
        topic: in
        subject: land
        user: who
        time: at
        category: what
        categories: { discover: { name: terms, share: { epsilon: 1, delta: 1e-6 }, running: 8, test-every: 1 } }
      contributions: { per-window: 4, per-period: 8 }
      subjects: roster
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 1, delta: 1e-6, period: 80s }
      """;

  /** Draw.id: no two draws of a run share it. */
  @Test
  void noTwoDrawsOfARunShareAnIdAlsoWhereASubjectComesBackWithinABlock() {
    Plan plan = Fixture.plan(RUNNING);
    List<JournalEntry> journal = new ArrayList<>(PopulationRun.beginning());
    journal.add(new Enrolment("west", NOW));
    for (int window = 0; window < 8; window++) {
      int w = window;
      if (window == 3) {
        journal.add(new Departure("west", NOW + 3 * 10_000L));
      }
      if (window == 4) {
        journal.add(new Enrolment("west", NOW + 4 * 10_000L));
      }
      if (window == 2 || window == 5) {
        journal.add(
            new Contributions(
                IntStream.range(0, 500)
                    .mapToObj(i -> record("u" + w + " " + i, w, "west", i, "x"))
                    .toList()));
      }
      journal.add(end(window));
    }
    new PopulationRun().outputs(plan, watched(), journal);
    Map<String, Long> ids =
        draws.stream().collect(Collectors.groupingBy(d -> d.id().text(), Collectors.counting()));
    assertThat(ids.values()).allMatch(times -> times == 1);
  }

  private static final String FULL =
      """
      pipeline: test
      input:
        topic: in
        subject: land
        user: who
        time: at
        category: what
        categories: { discover: { name: terms, share: { epsilon: 400000, delta: 5e-7 } } }
      contributions: { per-window: 4, subjects: 1 }
      subjects: { discover: { name: places, share: { epsilon: 400000, delta: 5e-7 }, most: 1 } }
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 800000, delta: 1e-6, period: window }
      """;

  /** docs/guides/top-products.md: no row stays in the state once the window is decided. */
  @Test
  void nothingIsLeftOfNamesOfSubjectsThatAreNotPublicAlsoWhereTheListIsFull() {
    Plan plan = Fixture.plan(FULL);
    List<JournalEntry> journal = new ArrayList<>(PopulationRun.beginning());
    for (int window = 0; window < 5; window++) {
      List<Contribution> records = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        records.add(record("u" + i, window, "a", i, "x"));
      }
      records.add(record("loner", window, "my flat", 1, "my secret " + window));
      journal.add(new Contributions(records));
      journal.add(end(window));
    }
    PopulationRun run = new PopulationRun();
    run.outputs(plan, watched(), journal);
    List<String> kept =
        run.lines().stream()
            .filter(line -> line.startsWith(Names.NAME_STORE))
            .map(
                line ->
                    new String(HexFormat.of().parseHex(line.split(" ")[1]), StandardCharsets.UTF_8))
            .toList();
    assertThat(kept).noneMatch(key -> key.contains("secret"));
  }

  /** docs/guides/forget-a-person.md: what counted of a forgotten user is kept "without a name". */
  @Test
  void nothingIsKeptUnderTheNameOfAForgottenUserThatAGuessCanBeTestedAgainst() {
    List<JournalEntry> journal = new ArrayList<>(PopulationRun.beginning());
    journal.add(new Enrolment("west", NOW));
    journal.add(new Contributions(List.of(record("ann", 0, "west", 1, "an illness"))));
    journal.add(end(0));
    journal.add(new Forgetting("ann"));
    journal.add(end(1));
    PopulationRun run = new PopulationRun();
    run.outputs(Fixture.plan(RUNNING), watched(), journal);
    byte[] hash =
        Arrays.copyOf(new CanonicalEncoder().text("west").text("an illness").digest(), Long.BYTES);
    assertThat(run.lines())
        .filteredOn(line -> line.startsWith(Names.PERIOD_STORE))
        .noneMatch(line -> line.contains(HexFormat.of().formatHex(hash)));
  }

  private static final String BOTH =
      """
      pipeline: test
      input:
        topic: in
        subject: land
        user: who
        time: at
        category: what
        categories: { discover: { name: terms, share: { epsilon: 4, delta: 5e-7 }, most: 3, forget-names: 2, other: counted } }
      contributions: { per-window: 4, subjects: 2 }
      subjects: { discover: { name: places, share: { epsilon: 4, delta: 5e-7 }, most: 2, forget-names: 2 } }
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 8, delta: 1e-6, period: window }
      releases:
        - top: { name: best, k: 3, of: terms }
      """;

  @TempDir Path states;

  /** All that others may read of two logs that differ in one user's names alone. */
  private List<String> told(String secretLand, String secretName) {
    List<String> told = new ArrayList<>();
    try (Fixture pipeline = new Fixture(BOTH, states.resolve(secretLand + secretName))) {
      for (int window = 0; window < 6; window++) {
        for (int i = 0; i < 60; i++) {
          for (String name : List.of("a", "z")) {
            event(pipeline, "u" + i, i % 2 == 0 ? "east" : "west", window, name + window / 3);
          }
        }
        event(pipeline, "loner", secretLand, window, secretName);
        event(pipeline, "loner", secretLand, window, secretName + " again");
        pipeline.tick(window * 10L + 12);
      }
      for (String topic :
          List.of("places", "best", "test-dead-letters", "test-refusals", "terms")) {
        for (var record : pipeline.records(topic)) {
          told.add(
              topic
                  + record.timestamp()
                  + record.headers()
                  + (record.key() == null ? "" : HexFormat.of().formatHex(record.key()))
                  + HexFormat.of().formatHex(record.value()));
        }
      }
      told.add(pipeline.counts.seen.toString());
    }
    return told;
  }

  private static void event(Fixture pipeline, String who, String land, int window, String what) {
    pipeline.sendJson(window * 10 + 1, "'who':'%s','land':'%s','what':'%s'", who, land, what);
  }

  /** Fixed key: which names a lone user has changes no byte that anybody reads. */
  @Test
  void whichNamesALoneUserHasChangesNothingThatIsTold() {
    List<String> one = told("my flat", "mine");
    assertThat(one).hasSizeGreaterThan(20);
    assertThat(told("aaa", "z9")).isEqualTo(one);
    assertThat(told("zzz", "other")).isEqualTo(one);
    assertThat(told("eas", "LIST_FULL")).isEqualTo(one);
    assertThat(told("east", "mine")).isEqualTo(told("east", "a0 mine")).isNotEqualTo(one);
  }
}
