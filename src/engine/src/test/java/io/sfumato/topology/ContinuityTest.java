// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.candidate;
import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Entries.record;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.Histogram;
import io.sfumato.release.Plan;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.store.StagedWrites;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A ledger outlives files, versions, keys and topics: nobody regains budget, no count changes its
 * name, and whatever cannot go on says which command helps.
 */
class ContinuityTest {
  private static final String KEY_2 =
      "ffeeddccbbaa99887766554433221100f0e1d2c3b4a5968778695a4b3c2d1e0f";

  /** Three windows of budget, of which one share of a quarter is free. */
  private static final String V1 =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 1.5, delta: 5e-7 }, windows: 3 }
      """;

  private static final String V2 = V1.replace("version: 1", "version: 2");

  private final KeeperRun state = new KeeperRun();
  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());

  /** Genesis, then one record of ann in each window, each closed. */
  private static List<JournalEntry> windows(int from, int to) {
    List<JournalEntry> journal = new ArrayList<>();
    if (from == 0) {
      journal.add(new Genesis(0, new StateEpoch(7, 7)));
    }
    for (int window = from; window < to; window++) {
      journal.add(record("ann", window, window % 3));
      journal.add(end(window));
    }
    return journal;
  }

  private static Activation activation(String yaml, int window, Deployment next) {
    Plan plan = Fixture.plan(yaml);
    return new Activation(
        plan.pipeline().version(),
        NOW + window * 10_000L,
        plan.digestText(),
        next.noiseKey().tag());
  }

  private List<Output> run(String yaml, List<? extends JournalEntry> journal) {
    return state.run(Fixture.plan(yaml), deployment, journal);
  }

  /** "child@window/version" of releases, "child@window:CODE" of refusals. */
  private static List<String> shown(List<Output> outputs) {
    return outputs.stream().map(ContinuityTest::shown).toList();
  }

  private static String shown(Output output) {
    if (output.child().equals(Names.REFUSALS)) {
      var refusal = Outputs.decodeRefusal(output.value());
      return refusal.getOutput()
          + "@"
          + (refusal.getWindowStart().toEpochMilli() - NOW) / 10_000
          + ":"
          + refusal.getCode();
    }
    DirichletRelease release = Outputs.decodeRelease(output.value());
    return output.child()
        + "@"
        + (release.getWindowStart().toEpochMilli() - NOW) / 10_000
        + "/v"
        + release.getGuarantee().getPipelineVersion();
  }

  @Test
  void shouldHandOverToANewVersionAtAWindowBoundaryAndKeepTheLedger() {
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(activation(V2, 2, deployment));
    journal.addAll(windows(1, 3));
    assertThat(shown(run(V1, journal)))
        .as("window 2 is the next version's, though it is closed")
        .containsExactly("mix@0/v1", "mix@1/v1");
    assertThat(shown(run(V2, windows(3, 5))))
        .as("three windows were affordable in all")
        .containsExactly("mix@2/v2", "mix@3:EXHAUSTED");
  }

  @Test
  void shouldKeepOldIdsReplayableUntilTheNewKeyTakesOver() {
    Deployment rotated =
        Fixture.deployment(1, PipelineMeters.none(), NoiseSecret.parse(KEY_2).derive());
    List<String> undisturbed = new ArrayList<>();
    new KeeperRun()
        .run(Fixture.plan(V1), deployment, windows(0, 2))
        .forEach(output -> undisturbed.add(output.toString()));
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(activation(V2, 2, rotated));
    List<String> released = new ArrayList<>();
    run(V1, journal).forEach(output -> released.add(output.toString()));
    assertThatThrownBy(() -> state.run(Fixture.plan(V2), rotated, List.of()))
        .as("window 1 may still be drawn with the old key")
        .hasMessageContaining("has windows left to release");
    assertThatThrownBy(() -> state.run(Fixture.plan(V1), rotated, List.of()))
        .hasMessageContaining("noise key")
        .hasMessageContaining("sfumato activate FILE --secret-file NEW --former-secret-file OLD");
    run(V1, windows(1, 2)).forEach(output -> released.add(output.toString()));
    assertThat(released).as("ids before the rotation keep their bytes").isEqualTo(undisturbed);
    List<Output> after = state.run(Fixture.plan(V2), rotated, windows(2, 3));
    assertThat(Outputs.decodeRelease(after.get(0).value()).getGuarantee().getNoiseKey())
        .isEqualTo(rotated.noiseKey().tag())
        .isNotEqualTo(deployment.noiseKey().tag());
    assertThatThrownBy(() -> run(V2, List.of()))
        .as("the old key is of no use any more")
        .hasMessageContaining("noise key");
  }

  @Test
  void shouldRefuseRecordsOfAnotherTopic() {
    String changedFile = V2.replace("topic: in", "topic: other");
    Deployment others =
        Fixture.deployment(
            SourceTopics.of("other", "topic", 1), PipelineMeters.none(), deployment.noiseKey());
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(activation(changedFile, 1, others));
    run(V1, journal);
    for (String version : List.of("version: 2", "version: 1")) {
      Plan plan = Fixture.plan(changedFile.replace("version: 2", version));
      assertThatThrownBy(() -> state.run(plan, others, List.of()))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("input.topic")
          .hasMessageContaining("ledger export");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "categories: [a, b, c]|categories: [b, a, c]|categories|ledger export",
        "categories: [a, b, c]|categories: [a, b]|categories|ledger export",
        "size: 10s|size: 20s|window.size|ledger export",
        "size: 10s,|size: 10s, origin: 2026-01-06,|window.origin|ledger export",
        "category: what|category: kind|input.category|ledger export",
        "pipeline: test|pipeline: other|pipeline|ledger export",
        "delta: 1e-6 }|delta: 1e-6, period: 30d }|period|restore the former values. A budget",
        "epsilon: 2,|epsilon: 3,|epsilon|restore the former values, or carry the ledger over",
        "windows: 3|windows: 2|share 'mix' was granted|ledger: NEW",
        "epsilon: 1.5|epsilon: 1.6|share 'mix' was granted|ledger: NEW",
        "name: mix,|name: mixture,|no longer has [mix]|ledger: OLD",
      })
  void shouldRefuseWhatCannotBeCarriedOver(String old, String changed, String what, String advice) {
    String changedFile = V2.replace(old, changed);
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(activation(changedFile, 1, deployment));
    run(V1, journal);
    assertThatThrownBy(() -> run(changedFile, List.of()))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining(what)
        .hasMessageContaining(advice);
    String samVersion = changedFile.replace("version: 2", "version: 1");
    assertThatThrownBy(() -> run(samVersion, List.of()))
        .as("nor without a new version")
        .isInstanceOf(PipelineStopException.class);
    // A version that fits can still be announced.
    run(V1, List.of(activation(V2.replace("version: 2", "version: 3"), 1, deployment)));
    assertThat(shown(run(V2.replace("version: 2", "version: 3"), windows(1, 2))))
        .containsExactly("mix@1/v3");
  }

  /** The category for unknown values has a place too, which the appended one must not take. */
  @Test
  void shouldSayHowToAppendACategoryWhenUnknownOnesAreCounted() {
    String other = "categories: [a, b, c], other: rest";
    String first = V1.replace("categories: [a, b, c]", other).replace("windows: 3", "windows: 6");
    String second = first.replace("version: 1", "version: 2");
    String misplaced = second.replace(other, "categories: [a, b, c, d], other: rest");
    String appended = second.replace(other, "categories: [a, b, c, rest, d], other: rest");
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(activation(misplaced, 1, deployment));
    run(first, journal);
    assertThatThrownBy(() -> run(misplaced, List.of()))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("Write categories: [a, b, c, rest, d], with input.other as it was");
    run(first, List.of(activation(appended, 1, deployment)));
    assertThat(shown(run(appended, windows(1, 2)))).containsExactly("mix@1/v2");
  }

  @Test
  void shouldLetARenamedOutputGoOnWithItsLedger() {
    String renamed =
        V2.replace("name: mix", "name: mixture").replace("share: {", "share: { ledger: mix,");
    List<JournalEntry> journal = new ArrayList<>(windows(0, 2));
    journal.add(activation(renamed, 2, deployment));
    run(V1, journal);
    assertThat(shown(run(renamed, windows(2, 5))))
        .as("two of three windows were spent under the old name")
        .containsExactly("mixture@2/v2", "mixture@3:EXHAUSTED");
  }

  @Test
  void shouldGrantANewOutputOnlyWhatWasNeverGranted() {
    String more =
        "  - histogram: { name: more, share: { epsilon: %s, delta: 1e-7 }, windows: 1 }\n";
    run(V1, windows(0, 1));
    run(V1, List.of(activation(V2 + more.formatted("0.5"), 1, deployment)));
    assertThat(shown(run(V2 + more.formatted("0.5"), windows(1, 3))))
        .containsExactly("mix@1/v2", "more@1/v2", "mix@2/v2", "more@2:EXHAUSTED");
    // It is dropped again; its half stays granted.
    String third = V2.replace("version: 2", "version: 3") + more.replace("more", "other");
    run(V2 + more.formatted("0.5"), List.of(activation(third.formatted("0.4"), 3, deployment)));
    assertThatThrownBy(() -> run(third.formatted("0.4"), List.of()))
        .hasMessageContaining("add up to epsilon 2.4")
        .hasMessageContaining("no longer has [more]");
  }

  @Test
  void shouldGrantSharesAnewWithANewPeriod() {
    String periods = V1.replace("delta: 1e-6 }", "delta: 1e-6, period: 20s }");
    String first = periods.replace("windows: 3", "windows: 2");
    String second = first.replace("version: 1", "version: 2").replace("name: mix", "name: other");
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(activation(second, 1, deployment));
    KeeperRun middle = new KeeperRun();
    middle.run(Fixture.plan(first), deployment, journal);
    // NOW is a multiple of 20 s: window 1 lies in the period of window 0.
    assertThatThrownBy(() -> middle.run(Fixture.plan(second), deployment, List.of()))
        .hasMessageContaining("no longer has [mix]");
    journal = new ArrayList<>(windows(0, 2));
    journal.add(activation(second, 2, deployment));
    run(first, journal);
    assertThat(shown(run(second, windows(2, 4)))).containsExactly("other@2/v2", "other@3/v2");
  }

  /** Windows of the old period still answer queries, so that its ledgers are still there. */
  @Test
  void shouldChangeWhatAShareChargesWithANewPeriodWhileQueriesKeepTheOneBefore() {
    String first =
        V1.replace("delta: 1e-6 }", "delta: 1e-6, period: 20s }")
                .replace("windows: 3", "windows: 2")
                .replace("epsilon: 1.5", "epsilon: 1")
            + "  - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 },"
            + " queries: 2 }\n";
    String second = first.replace("version: 1", "version: 2").replace("epsilon: 0.5", "epsilon: 1");
    List<JournalEntry> journal = new ArrayList<>(windows(0, 2));
    journal.add(candidate("old", 1));
    journal.add(activation(second, 2, deployment));
    assertThat(run(first, journal)).extracting(Output::child).containsExactly("mix", "mix", "coin");
    run(first, List.of());
    assertThat(run(second, List.of())).isEmpty();
    journal = new ArrayList<>(windows(2, 3));
    journal.add(candidate("new", 2));
    assertThat(run(second, journal)).extracting(Output::child).containsExactly("mix", "coin");
  }

  @Test
  void shouldAppendCategoriesWithANewPeriod() {
    String window =
        V1.replace("delta: 1e-6 }", "delta: 1e-6, period: window }")
            .replace("windows: 3", "windows: 1");
    String longer = window.replace("version: 1", "version: 2").replace("[a, b, c]", "[a, b, c, d]");
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(activation(longer, 1, deployment));
    journal.add(record("ann", 1, 2)); // collected by version 1
    run(window, journal);
    List<Output> outputs = run(longer, List.of(record("ann", 1, 3), record("ann", 1, 3), end(1)));
    DirichletRelease release = Outputs.decodeRelease(outputs.get(0).value());
    assertThat(release.getCategories()).containsExactly("a", "b", "c", "d");
    assertThat(release.getRecords()).isEqualTo(3);
  }

  @Test
  void shouldRefuseAVersionThatNobodyAnnouncedAndOneThatIsOver() {
    run(V1, windows(0, 1));
    assertThatThrownBy(() -> run(V2, List.of())).hasMessageContaining("sfumato activate FILE");
    run(V1, List.of(activation(V2, 1, deployment)));
    String other = V2.replace("grace: 2s", "grace: 3s");
    assertThatThrownBy(() -> run(other, List.of()))
        .hasMessageContaining("another file was announced as version 2");
    run(V2, List.of());
    run(V2, windows(1, 2));
    assertThatThrownBy(() -> run(V1, List.of()))
        .hasMessageContaining("the state is already at version 2, but the file is version 1");
  }

  @Test
  void shouldHandOverARosterWithNobodyLeftOut() {
    String roster = V1 + "subjects: roster\n";
    String next = V2 + "subjects: roster\n";
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(7, 7)));
    journal.add(new Watermark(0, NOW));
    journal.add(new Enrolment("ann", NOW));
    journal.add(new Enrolment("bob", NOW));
    journal.add(end(0));
    journal.add(activation(next, 1, deployment));
    journal.add(end(1));
    assertThat(shown(run(roster, journal))).containsExactly("mix@0/v1", "mix@0/v1");
    assertThat(shown(run(next, List.of(end(2)))))
        .containsExactly("mix@1/v2", "mix@1/v2", "mix@2/v2", "mix@2/v2");
  }

  @Test
  void shouldRefuseCandidatesAboutWindowsOfAnotherVersion() {
    String asks =
        V1
            + "  - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 },"
            + " queries: 2 }\n";
    String next = asks.replace("version: 1", "version: 2");
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(candidate("before", 1));
    journal.add(activation(next, 1, deployment));
    journal.add(candidate("after", 1));
    assertThat(shown(run(asks, journal).subList(1, 3)))
        .containsExactly("coin@1:VERSION_CHANGED", "coin@1:VERSION_CHANGED");
    List<JournalEntry> later = new ArrayList<>(windows(1, 2));
    later.add(candidate("before", 0));
    later.add(candidate("first", 1));
    later.add(candidate("second", 1));
    List<Output> outputs = run(next, later);
    assertThat(outputs)
        .extracting(Output::child)
        .containsExactly("mix", "refusals", "coin", "coin");
    assertThat(shown(outputs.get(1))).isEqualTo("coin@0:VERSION_CHANGED");
  }

  @Test
  void shouldStopWhenTheJournalIsReadTwice() {
    run(V1, windows(0, 1));
    state.seek(1);
    assertThatThrownBy(() -> run(V1, windows(1, 2)))
        .hasMessageContaining("was read up to offset 2 before, but now offset 1 arrives");
  }

  @Test
  void shouldStopWhenTheRecordsTopicWasMadeAnew() {
    run(V1, windows(0, 1));
    Deployment anew =
        Deployment.of(
            SourceTopics.of("in", "other id", 1), deployment.noiseKey(), PipelineMeters.none());
    assertThatThrownBy(() -> state.run(Fixture.plan(V1), anew, List.of()))
        .hasMessageContaining("was re-created under the same name")
        .hasMessageContaining("sfumato ledger export");
  }

  @Test
  void shouldReleaseWhatIsClosedAndNothingMoreWhenSealed() {
    List<JournalEntry> journal = new ArrayList<>(windows(0, 2));
    journal.add(new Seal());
    journal.addAll(windows(2, 3));
    assertThat(shown(run(V1, journal))).containsExactly("mix@0/v1", "mix@1/v1");
    assertThatThrownBy(() -> run(V1, List.of(new Seal())))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("is sealed");
    StateReader reader = new StateReader();
    read(state, reader);
    assertThat(reader.isDrained(1)).isTrue();
    assertThat(reader.image().orElseThrow().floor()).isEqualTo(NOW + 20_000);
  }

  /** Nobody will answer what waits for a window that never closes here: nobody pays for it. */
  @Test
  void shouldHandBackWhatWaitsForOpenWindowsWhenSealed() {
    String asks =
        V1
            + "  - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 },"
            + " queries: 2, keep: 1 }\n";
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(candidate("closed", 0));
    journal.add(record("ann", 1, 0));
    journal.add(candidate("open", 1));
    journal.add(new JournalEntry.Seal());
    List<Output> outputs = run(asks, journal);
    assertThat(outputs).extracting(Output::child).containsExactly("mix", "coin", "refusals");
    assertThat(shown(outputs.get(2))).isEqualTo("coin@1:VERSION_CHANGED");
    LedgerStore.Entry coin =
        new LedgerStore(new StagedWrites(state.store(Names.LEDGER_STORE)))
            .entry(new LedgerStore.Key(0, "coin", "ann"));
    assertThat(coin.ledger().counts().values()).as("one was answered").containsExactly(1L);
    assertThatThrownBy(() -> run(asks, List.of(new Seal()))).hasMessageContaining("sealed");
  }

  private static void read(KeeperRun state, StateReader reader) {
    try (var meta = state.store(Names.META_STORE).all()) {
      meta.forEachRemaining(e -> reader.meta(0, e.key.get(), e.value));
    }
  }

  @Test
  void shouldGoOnWithAnImportedLedgerAndReleaseNothingBelowItsFloor() {
    KeeperRun old = new KeeperRun();
    old.run(Fixture.plan(V1), deployment, windows(0, 2));
    StateReader reader = new StateReader();
    read(old, reader);
    LedgerImage image = reader.image().orElseThrow();
    List<LedgerImage.Line> lines = LedgerLines.of(old.store(Names.LEDGER_STORE));
    assertThat(lines).hasSize(1);
    for (LedgerImage.Change change : image.origins(1, "00", "test")) {
      state.store(Names.META_STORE).put(Bytes.wrap(change.key()), change.value());
    }
    lines.forEach(line -> LedgerLines.put(state.store(Names.LEDGER_STORE), line));
    String continued = V1.replace("budget: { name: test", "budget: { name: test-2");
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(8, 8)));
    journal.add(new Watermark(0, NOW + 20_000));
    journal.addAll(windows(2, 5));
    assertThat(shown(run(continued, journal)))
        .as("two of three windows were spent before the export")
        .containsExactly("mix@2/v1", "mix@3:EXHAUSTED");
    Plan greedy = Fixture.plan(continued.replace("name: mix,", "name: again,"));
    assertThatThrownBy(() -> image.requireFor(greedy)).hasMessageContaining("no longer has [mix]");
  }

  @Test
  void shouldForgetOpenDataAndKeepTheLedger() {
    List<JournalEntry> journal = new ArrayList<>(windows(0, 2));
    journal.add(record("ann", 2, 0));
    journal.add(record("bob", 2, 0));
    journal.add(record("ann", 3, 0));
    journal.add(new Forgetting("ann"));
    journal.add(record("ann", 3, 1));
    journal.add(end(3));
    List<Output> outputs = run(V1, journal);
    assertThat(shown(outputs))
        .as("ann's window 2 is gone, bob's is not; what came later counts")
        .containsExactly("mix@0/v1", "mix@1/v1", "mix@2/v1", "mix@3/v1");
    DirichletRelease last = Outputs.decodeRelease(outputs.get(3).value());
    assertThat(last.getSubject()).isEqualTo("ann");
    assertThat(last.getRecords()).isEqualTo(1);
    assertThat(shown(run(V1, windows(4, 5)))).containsExactly("mix@4:EXHAUSTED");
  }

  /** A release that throws holds its partition until an operator skips it: charged, refused. */
  @Test
  void shouldStopInFrontOfAReleaseThatFailsAndGoOnWhenItIsSkipped() {
    Plan broken = BrokenPlan.failingOn(Fixture.plan(V1), new Histogram(new long[] {0, 1, 0}));
    ReleaseId id = new ReleaseId("test", new StateEpoch(7, 7), 1, "mix", "ann", NOW + 10_000, 0);
    String tag = deployment.noiseKey().logTag(id);
    // Every attempt is a transaction: what a failed one did is undone.
    List<JournalEntry> journal = windows(0, 3);
    assertThatThrownBy(() -> new KeeperRun().run(broken, deployment, journal))
        .isInstanceOf(ReleaseFailedException.class)
        .hasMessageContaining(tag)
        .hasMessageContaining("sfumato skip FILE " + tag)
        .hasMessageNotContaining("ann")
        .satisfies(e -> deployment.holds().add((ReleaseFailedException) e));
    assertThat(shown(state.run(broken, deployment, journal)))
        .as("the partition waits; its journal is read on")
        .containsExactly("mix@0/v1");
    assertThat(shown(state.run(broken, deployment, List.of(new Skip(tag)))))
        .containsExactly("mix@1:OPERATOR_SKIPPED", "mix@2/v1");
    assertThat(shown(state.run(broken, deployment, windows(3, 4))))
        .as("what was skipped was charged")
        .containsExactly("mix@3:EXHAUSTED");
  }

  @Test
  void shouldHoldCandidatesBehindAnAnswerThatFails() {
    String asks =
        V1
            + "  - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 },"
            + " queries: 2, candidates: 5 }\n";
    ReleaseFailedException failed =
        Fixture.failed(deployment, state.store(Names.META_STORE), "coin/one", "ann", NOW, 0);
    deployment.holds().add(failed);
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(candidate("one", 0));
    journal.add(candidate("two", 0));
    assertThat(shown(run(asks, journal).subList(0, 1))).containsExactly("mix@0/v1");
    assertThat(run(asks, List.of())).isEmpty();
    List<Output> outputs = run(asks, List.of(new Skip(failed.tag())));
    assertThat(outputs).extracting(Output::child).containsExactly("refusals", "coin");
    assertThat(Outputs.decodeRefusal(outputs.get(0).value()).getCode())
        .isEqualTo(RefusalCode.OPERATOR_SKIPPED);
    assertThat(shown(run(asks, List.of(candidate("three", 0)))))
        .as("both queries were charged")
        .containsExactly("coin@0:EXHAUSTED");
  }

  /** What is held keeps its dataset and its query, however many windows pass. */
  @Test
  void shouldRememberAQueryForAsLongAsOneOfItsAnswersIsHeld() {
    String asks =
        V1.replace("delta: 1e-6 }", "delta: 1e-6, period: window }")
                .replace("windows: 3", "windows: 1")
            + "  - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 },"
            + " queries: 2, candidates: 5, keep: 1 }\n";
    ReleaseFailedException failed =
        Fixture.failed(deployment, state.store(Names.META_STORE), "coin/one", "ann", NOW, 0);
    deployment.holds().add(failed);
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(candidate("one", 0));
    journal.addAll(windows(1, 5));
    assertThat(shown(run(asks, journal))).hasSize(5).noneMatch(output -> output.startsWith("coin"));
    assertThat(shown(run(asks, List.of(new Skip(failed.tag())))))
        .containsExactly("coin@0:OPERATOR_SKIPPED");
  }
}
