// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.candidate;
import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.version.StateIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Candidates that an earlier version was asked and has not answered when it stops: the next one may
 * have no such output, other categories, or less noise.
 */
class CandidatesAtTakeoverTest {
  private static final String MIX =
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
      "  - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries: 2 }\n";

  private static final String FIRST = MIX + COIN;

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final KeeperRun state = new KeeperRun();

  private static Observation record(int window) {
    return new Observation("ann", NOW + window * 10_000L, 0, List.of(), 0);
  }

  /** Version 1 has released three windows, a whole period, and waits for the next version. */
  private void wait(String next) {
    Plan plan = Fixture.plan(next);
    List<JournalEntry> journal = new ArrayList<>(List.of(new Genesis(0, new StateEpoch(7, 7))));
    for (int window = 0; window < 3; window++) {
      journal.add(record(window));
      journal.add(end(window));
    }
    journal.add(new Activation(2, NOW + 30_000L, plan.digestText(), deployment.noiseKey().tag()));
    run(FIRST, journal);
    assertThat(run(FIRST, List.of())).isEmpty();
  }

  private static String second(String file) {
    return file.replace("version: 1", "version: 2");
  }

  private List<Output> run(String file, List<? extends JournalEntry> journal) {
    return state.run(Fixture.plan(file), deployment, journal);
  }

  private static RefusalCode code(Output refusal) {
    return Outputs.decodeRefusal(refusal.value()).getCode();
  }

  private List<LedgerImage.Line> charged(String share) {
    List<LedgerImage.Line> lines = new ArrayList<>();
    try (var rows = state.store(Names.LEDGER_STORE).all()) {
      rows.forEachRemaining(row -> lines.add(LedgerImage.Line.of(row.key.get(), row.value)));
    }
    lines.removeIf(line -> !line.share().equals(share));
    return lines;
  }

  /** Intake has written it, and the keeper was stopped in front of it. */
  @ParameterizedTest
  @CsvSource({
    "none, 2, true",
    "none, 3, false",
    "dice, 2, true",
    "dice, 3, true",
    "coin, 2, true",
    "coin, 3, true",
    "categories, 3, true"
  })
  void whatTheOldVersionDidNotComeToIsRefused(String next, int window, boolean stamped) {
    String file =
        second(
            switch (next) {
              case "none" -> MIX;
              case "dice" -> FIRST.replace("name: coin", "name: dice");
              case "categories" -> FIRST.replace("[a, b, c]", "[a, b, c, d]");
              default -> FIRST;
            });
    wait(file);
    Stamp first = StateIdentity.Maker.of(Fixture.plan(FIRST), deployment).stamp();
    Function<JournalEntry, byte[]> author =
        stamped ? entry -> JournalCodec.encode(first, entry) : JournalCodec::encode;
    List<JournalEntry> left = List.of(record(3), candidate("late", window), end(3));
    List<Output> outputs = state.run(Fixture.plan(file), deployment, left, NOW, author);
    assertThat(outputs).extracting(Output::child).containsExactly("refusals", "mix");
    assertThat(code(outputs.get(0))).isEqualTo(RefusalCode.VERSION_CHANGED);
    assertThat(charged("coin")).isEmpty();
  }

  /** Version 1 charged it; version 2 would draw it with a fifth of the noise, or has no coin. */
  @ParameterizedTest
  @CsvSource({"coin", "dice"})
  void noVersionDrawsWhatAnotherOneCharged(String next) {
    String file = second(MIX + COIN.replace("epsilon: 0.5", "epsilon: 2.5").replace("coin", next));
    wait(file);
    ReleaseFailedException failed =
        Fixture.failed(
            deployment, state.store(Names.META_STORE), "coin/held", "ann", NOW + 20_000L, 0);
    deployment.holds().add(failed);
    assertThat(run(FIRST, List.of(candidate("held", 2)))).as("it failed before").isEmpty();
    deployment.holds().release(failed.tag());
    List<Output> outputs = run(file, List.of());
    assertThat(outputs).extracting(Output::child).containsExactly("refusals");
    assertThat(code(outputs.get(0))).isEqualTo(RefusalCode.VERSION_CHANGED);
    assertThat(charged("coin"))
        .as("that it failed may depend on the data")
        .singleElement()
        .satisfies(line -> assertThat(line.charges().values()).containsExactly(1L));
    assertThat(run(file, List.of())).as("once").isEmpty();
  }

  @Test
  void theNextVersionAnswersWhatItIsAskedItself() {
    String file = second(FIRST);
    wait(file);
    assertThat(run(file, List.of(record(3), candidate("own", 3), end(3))))
        .extracting(Output::child)
        .containsExactly("mix", "coin");
  }
}
