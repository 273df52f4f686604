package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.noise.Incarnation;
import io.sfumato.noise.ReleaseId;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Boundary;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.KeeperRun.Output;
import java.util.ArrayList;
import java.util.List;
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
    ReleaseId id = new ReleaseId("test", new Incarnation(7, 7), 1, "coin/" + query, who, NOW, 0);
    ReleaseFailedException failed =
        new Skips(deployment, new MetaStore(new StagedStore(state.store(Names.META_STORE))), 0)
            .failed(id, new ArithmeticException());
    deployment.holds().add(failed);
    return failed;
  }

  /** Ann and Zoe ask while the window is open; Zoe's answer waits behind Ann's. */
  private static List<JournalEntry> asked() {
    List<JournalEntry> journal = new ArrayList<>(List.of(new Genesis(0, new Incarnation(7, 7))));
    for (String who : List.of("ann", "zoe")) {
      journal.add(new Observation(who, NOW, 0, List.of(), 0));
    }
    journal.add(candidate("ann", "one"));
    journal.add(candidate("zoe", "two"));
    return journal;
  }

  private static Candidate candidate(String who, String query) {
    return new Candidate("coin", query, 0, 5, who, NOW, List.of(1.0), List.of(0.5, 0.5, 0.0));
  }

  private static Boundary close(int window) {
    return new Boundary(0, NOW + (window + 1) * 10_000L);
  }

  @Test
  void whoIsForgottenIsForgottenBehindAHeldAnswerToo() {
    ReleaseFailedException failed = hold("ann", "one");
    List<JournalEntry> journal = asked();
    for (int window = 0; window < 5; window++) {
      journal.add(close(window));
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
      run(List.of(close(window)), NOW + 1_000 * window);
    }
    assertThat(run(List.of(new Skip(failed.tag())), NOW + 6_000))
        .filteredOn(output -> output.child().equals("coin"))
        .extracting(Output::timestamp)
        .as("of the boundary that closed the window")
        .containsExactly(NOW + 50);
  }
}
