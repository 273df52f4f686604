// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.store.StagedWrites;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An answer that failed waits for an operator, however many windows pass: nothing else changes. */
class HeldAnswersTest {
  private static final String YAML =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - histogram: { name: mix, share: { epsilon: 1, delta: 1e-7 }, windows: 30 }
        - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries: 2, candidates: 5, keep: 1 }
      """;

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final KeeperRun state = new KeeperRun();

  private List<Output> run(List<? extends JournalEntry> journal, long time) {
    return state.run(Fixture.plan(YAML), deployment, journal, time);
  }

  private ReleaseFailedException hold(String who, String query) {
    return hold(who, query, 0);
  }

  private ReleaseFailedException hold(String who, String query, int index) {
    ReleaseFailedException failed =
        Fixture.failed(deployment, state.store(Names.META_STORE), "coin/" + query, who, NOW, index);
    deployment.holds().add(failed);
    return failed;
  }

  /** Ann and Zoe ask while the window is open; Zoe's answer waits behind Ann's. */
  private static List<JournalEntry> asked() {
    List<JournalEntry> journal = new ArrayList<>(List.of(new Genesis(0, new StateEpoch(7, 7))));
    for (String who : List.of("ann", "zoe")) {
      journal.add(new Observation(who, NOW, 0, List.of(), 0));
    }
    journal.add(candidate("ann", "one"));
    journal.add(candidate("zoe", "two"));
    return journal;
  }

  private static Candidate candidate(String who, String query) {
    return candidate(who, query, 0);
  }

  private static Candidate candidate(String who, String query, int index) {
    return new Candidate("coin", query, index, 5, who, NOW, List.of(1.0), List.of(0.5, 0.5, 0.0));
  }

  /** How many queries about somebody are charged. */
  private long charged(String who) {
    return new LedgerStore(new StagedWrites(state.store(Names.LEDGER_STORE)))
        .get(new LedgerStore.Key(0, "coin", who)).counts().values().stream()
            .mapToLong(Long::longValue)
            .sum();
  }

  private static String code(Output output) {
    return output.child().equals("refusals")
        ? Outputs.decodeRefusal(output.value()).getCode().name()
        : output.child();
  }

  @Test
  void whoIsForgottenIsForgottenBehindAHeldAnswerToo() {
    ReleaseFailedException failed = hold("ann", "one");
    List<JournalEntry> journal = asked();
    for (int window = 0; window < 5; window++) {
      journal.add(end(window));
    }
    journal.add(new Forgetting("ann"));
    run(journal, NOW);
    assertThat(state.store(Names.DATASET_STORE).get(new DatasetStore.Key(NOW, "ann").encode()))
        .isNull();
    deployment.holds().release(failed.tag());
    List<Output> after = run(List.of(), NOW + 2_000);
    assertThat(after).extracting(Output::child).containsExactly("refusals", "coin");
    assertThat(Outputs.decodeRefusal(after.get(0).value()).getCode())
        .isEqualTo(RefusalCode.UNKNOWN_SUBJECT);
  }

  @Test
  void whatWaitsBehindAHeldAnswerHasTheTimestampThatItWouldHaveHad() {
    ReleaseFailedException failed = hold("ann", "one");
    run(asked(), NOW);
    for (int window = 0; window < 5; window++) {
      run(List.of(end(window)), NOW + 1_000 * window);
    }
    assertThat(run(List.of(new Skip(failed.tag())), NOW + 6_000))
        .filteredOn(output -> output.child().equals("coin"))
        .extracting(Output::timestamp)
        .as("of the boundary that closed the window")
        .containsExactly(NOW + 50);
  }

  /** That a draw failed may depend on the data, and the refusal tells it: it is paid for. */
  @Test
  void aQueryOfWhichOneAnswerWasSkippedStaysChargedWhenTheOthersAreGivenUp() {
    ReleaseFailedException first = hold("ann", "one", 0);
    ReleaseFailedException second = hold("ann", "one", 1);
    run(
        List.of(
            new Genesis(0, new StateEpoch(7, 7)),
            new Observation("ann", NOW, 0, List.of(), 0),
            candidate("ann", "one", 0),
            candidate("ann", "one", 1),
            end(0)),
        NOW);
    assertThat(run(List.of(new Skip(first.tag())), NOW))
        .extracting(HeldAnswersTest::code)
        .containsExactly("OPERATOR_SKIPPED");
    run(List.of(new Forgetting("ann")), NOW);
    // The next process tries again, and finds nobody.
    deployment.holds().release(second.tag());
    assertThat(run(List.of(), NOW))
        .extracting(HeldAnswersTest::code)
        .containsExactly("UNKNOWN_SUBJECT");
    assertThat(charged("ann")).isEqualTo(1);
  }

  @Test
  void aQueryOfWhichAllAnswersAreGivenUpIsHandedBack() {
    ReleaseFailedException failed = hold("ann", "one");
    run(asked(), NOW);
    run(List.of(end(0), new Forgetting("ann")), NOW);
    assertThat(charged("ann")).as("it may still be answered").isEqualTo(1);
    deployment.holds().release(failed.tag());
    run(List.of(), NOW);
    assertThat(charged("ann")).isZero();
    assertThat(charged("zoe")).isEqualTo(1);
  }

  /** Whatever fails, is skipped, forgotten or tried again, in any order. */
  @Tag("deep")
  @Test
  void exactlyThoseQueriesAreChargedOfWhichSomethingIsPublished() {
    Map<String, Integer> seen = new TreeMap<>();
    for (int seed = 0; seed < 200; seed++) {
      HeldAnswersTest story = new HeldAnswersTest();
      Map<String, Set<String>> published = new TreeMap<>();
      for (Output output : story.tell(new Random(seed))) {
        seen.merge(code(output), 1, Integer::sum);
        if (output.child().equals("coin")) {
          AbcDecision decision = (AbcDecision) Outputs.decodeAny(output.value());
          published
              .computeIfAbsent(decision.getSubject(), who -> new TreeSet<>())
              .add(decision.getQueryId());
        } else if (code(output).equals("OPERATOR_SKIPPED")) {
          Refusal refusal = Outputs.decodeRefusal(output.value());
          published
              .computeIfAbsent(refusal.getSubject(), who -> new TreeSet<>())
              .add(refusal.getQueryId());
        }
      }
      for (String who : List.of("ann", "zoe")) {
        assertThat(story.charged(who))
            .as("%s in story %d", who, seed)
            .isEqualTo(published.getOrDefault(who, Set.of()).size());
      }
    }
    assertThat(seen)
        .containsKeys("coin", "OPERATOR_SKIPPED", "UNKNOWN_SUBJECT", "EXPIRED", "EXHAUSTED");
  }

  /** Candidates before and after their window closes, of which some fail, until none waits. */
  private List<Output> tell(Random random) {
    List<String> tags = new ArrayList<>();
    List<JournalEntry> rest = new ArrayList<>();
    for (String who : List.of("ann", "zoe")) {
      for (String query : List.of("one", "two", "three")) {
        for (int index = 0; index < 3; index++) {
          rest.add(candidate(who, query, index));
          if (random.nextInt(3) == 0) {
            tags.add(hold(who, query, index).tag());
          }
        }
      }
    }
    tags.forEach(tag -> rest.add(new Skip(tag)));
    rest.add(new Forgetting(random.nextBoolean() ? "ann" : "zoe"));
    Collections.shuffle(rest, random);
    List<JournalEntry> journal = new ArrayList<>(List.of(new Genesis(0, new StateEpoch(7, 7))));
    for (String who : List.of("ann", "zoe")) {
      journal.add(new Observation(who, NOW, 0, List.of(), 0));
    }
    int closing = random.nextInt(rest.size());
    // Behind the deadline of all that wait.
    long late = random.nextInt(4) == 0 ? Duration.ofDays(365).toMillis() : 0;
    long time = NOW;
    List<Output> outputs = new ArrayList<>(run(journal, time));
    for (int i = 0; i < rest.size(); i++) {
      if (i == closing) {
        time += late;
        outputs.addAll(run(List.of(new Watermark(0, NOW)), time));
        outputs.addAll(run(List.of(end(0)), time));
      }
      outputs.addAll(run(List.of(rest.get(i)), time));
      if (random.nextInt(6) == 0 && !tags.isEmpty()) {
        // As in a new process.
        deployment.holds().release(tags.get(random.nextInt(tags.size())));
      }
    }
    tags.forEach(deployment.holds()::release);
    outputs.addAll(run(List.of(), time));
    return outputs;
  }
}
