package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.noise.Incarnation;
import io.sfumato.pipeline.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Boundary;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.KeeperRun.Output;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Candidates that the old version's intake has written and its keeper has not taken in when it
 * stops: the new version's keeper finds them in the journal, and may have no such output, or other
 * categories.
 */
class BreakerTakeoverTest {
  private static final String FIRST =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 4, delta: 1e-5, period: PT30S }
      releases:
        - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 }, windows: 3 }
      """;
  private static final String COIN =
      "  - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries: 2, candidates: 4 }\n";
  private static final String OTHER =
      "  - abc: { name: dice, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries: 2, candidates: 4 }\n";

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final KeeperRun state = new KeeperRun();

  private static Candidate candidate(String query, int window) {
    return new Candidate(
        "coin", query, 0, 1, "ann", NOW + window * 10_000L, List.of(), List.of(0.4, 0.3, 0.3));
  }

  private static Boundary close(int window) {
    return new Boundary(0, NOW + (window + 1) * 10_000L);
  }

  private List<Output> takeOver(String first, String next, int from, List<JournalEntry> left) {
    Plan one = Fixture.plan(first);
    Plan two = Fixture.plan(next);
    Stamp author = Identity.Maker.of(one, deployment).stamp();
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new Incarnation(7, 7)));
    for (int window = 0; window < from; window++) {
      journal.add(new Observation("ann", NOW + window * 10_000L, 0, List.of(), 0));
      journal.add(close(window));
    }
    journal.add(
        new Activation(2, NOW + from * 10_000L, two.digestText(), deployment.noiseKey().tag()));
    state.run(one, deployment, journal);
    state.run(one, deployment, List.of());
    return state.run(two, deployment, left, NOW, entry -> JournalCodec.encode(author, entry));
  }

  private static List<JournalEntry> left(int window) {
    List<JournalEntry> left = new ArrayList<>();
    left.add(new Observation("ann", NOW + 30_000, 0, List.of(), 0));
    left.add(candidate("q", window));
    left.add(close(3));
    return left;
  }

  @Test
  void noQueriesLeft() {
    assertThat(takeOver(FIRST + COIN, FIRST.replace("version: 1", "version: 2"), 3, left(3)))
        .isNotEmpty();
  }

  @Test
  void anotherOutput() {
    assertThat(
            takeOver(FIRST + COIN, FIRST.replace("version: 1", "version: 2") + OTHER, 3, left(3)))
        .isNotEmpty();
  }

  @Test
  void anotherOutputClosedWindow() {
    assertThat(
            takeOver(FIRST + COIN, FIRST.replace("version: 1", "version: 2") + OTHER, 3, left(2)))
        .isNotEmpty();
  }

  @Test
  void moreCategories() {
    assertThat(
            takeOver(
                FIRST + COIN,
                FIRST.replace("version: 1", "version: 2").replace("[a, b, c]", "[a, b, c, d]")
                    + COIN,
                3,
                left(3)))
        .isNotEmpty();
  }
}
