// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Entries.record;
import static io.sfumato.topology.Entries.windows;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Ledger;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.Histogram;
import io.sfumato.release.Plan;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.budget.LedgerTotals;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.ImportedLedger;
import io.sfumato.topology.version.MetaStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ledgers of periods that are over go, those that anything may still charge stay, and whoever
 * charges one that has gone is stopped. Windows of ten seconds, the first is 0.
 */
class ExpiredLedgersTest {
  private static final String WINDOWS =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 5e-7 } }
      """;

  private static final String HALF_MINUTES = WINDOWS.replace("period: window", "period: PT30S");

  private static final String ASKED =
      WINDOWS
          + "  - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries:"
          + " 2, candidates: 5, keep: 2, waiting: { entries: 4, time: 40s } }\n";

  @TempDir private Path folder;

  private final KeeperRun state = new KeeperRun();
  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());

  private static JournalEntry candidate(String query, int window) {
    return new Candidate(
        "coin", query, 0, 1, "ann", NOW + window * 10_000L, List.of(), List.of(0.4, 0.3, 0.3));
  }

  private List<Output> run(String yaml, List<? extends JournalEntry> journal) {
    return state.run(Fixture.plan(yaml), deployment, journal);
  }

  private KeyValueStore<Bytes, byte[]> ledgers() {
    return state.store(Names.LEDGER_STORE);
  }

  /** "share@window" of each ledger, where each window has its own. */
  private List<String> left() {
    return LedgerLines.of(ledgers()).stream()
        .map(line -> line.share() + "@" + (line.period() - NOW) / 10_000)
        .toList();
  }

  /** A start of the program deletes what the one before has found to be over. */
  private void restart(String yaml) {
    assertThat(run(yaml, List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"window, 0", "PT30S, 1", "PT10S, 0", "1d, 1", "lifetime, 1"})
  void shouldKeepLedgersOfLivePeriodsAlone(String period, int kept) {
    String yaml =
        WINDOWS
            .replace("period: window", "period: " + period)
            .replace(
                "5e-7 } }", "5e-7 }, windows: %d }".formatted(period.equals("lifetime") ? 4 : 1));
    try (Fixture pipeline = new Fixture(yaml, folder)) {
      for (int window = 0; window < 5; window++) {
        pipeline.event("ann", window * 10 + 5, "a");
        pipeline.event("bob", window * 10 + 5, "a");
      }
      assertThat(pipeline.releases()).as("windows 0 to 3").isNotEmpty();
      KeyValueStore<Bytes, byte[]> ledgers = pipeline.driver.getKeyValueStore(Names.LEDGER_STORE);
      assertThat(LedgerLines.of(ledgers)).hasSize(2 * kept);
      long half = Math.floorDiv(NOW, 30_000L);
      if (period.equals("PT30S")) {
        assertThat(LedgerLines.of(ledgers))
            .as("window 3 is decided, 4 and 5 are not")
            .allSatisfy(line -> assertThat(line.period()).isEqualTo(half + 1));
      }
    }
  }

  /** A backup, or an audit, finds the charge in the changelog, and then that it went. */
  @Test
  void shouldDeleteOnlyWhatIsCommitted() {
    try (Fixture pipeline = new Fixture(WINDOWS, folder)) {
      pipeline.event("ann", 1, "a");
      pipeline.event("ann", 13, "a");
      assertThat(pipeline.releases()).hasSize(1);
      List<Boolean> values =
          pipeline
              .driver
              .createOutputTopic(
                  Names.changelogTopic("test", Names.LEDGER_STORE),
                  new ByteArrayDeserializer(),
                  new ByteArrayDeserializer())
              .readKeyValuesToList()
              .stream()
              .map(change -> change.value != null)
              .toList();
      assertThat(values).containsExactly(true, false);
    }
  }

  @Test
  void shouldStopWhoeverChargesAPeriodThatIsOver() {
    run(WINDOWS, windows(0, 3));
    restart(WINDOWS);
    assertThat(ledgers().all().hasNext()).isFalse();
    // As if boundaries and cursor were lost: the windows come again.
    KeyValueStore<Bytes, byte[]> meta = state.store(Names.META_STORE);
    List<Bytes> lost = new ArrayList<>();
    try (var all = meta.all()) {
      all.forEachRemaining(
          e -> {
            if (e.key.get()[0] == 'b' || e.key.get()[0] == 'c') {
              lost.add(e.key);
            }
          });
    }
    assertThat(lost).isNotEmpty();
    lost.forEach(meta::delete);
    List<JournalEntry> again = windows(0, 3).subList(1, 5);
    assertThatThrownBy(() -> run(WINDOWS, again))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("belongs to a past budget period")
        .hasMessageContaining("2026-06-01T00:00:00Z")
        .hasMessageNotContaining("ann");
  }

  @Test
  void shouldStopWhoeverChargesBelowTheFloorOfAnImportedLedger() {
    BudgetTerms terms = BudgetTerms.of(Fixture.plan(WINDOWS));
    state
        .store(Names.META_STORE)
        .put(MetaStore.IMPORTED, new ImportedLedger("00", "old", NOW + 20_000, terms).encode());
    ledger(NOW, "mix", "eve");
    ledger(NOW + 20_000, "mix", "eve");
    assertThatThrownBy(() -> run(WINDOWS, windows(0, 1)))
        .hasMessageContaining("belongs to a past budget period");
  }

  @Test
  void shouldDeleteWhatAnImportBroughtOfPeriodsBelowItsFloor() {
    BudgetTerms terms = BudgetTerms.of(Fixture.plan(WINDOWS));
    state
        .store(Names.META_STORE)
        .put(MetaStore.IMPORTED, new ImportedLedger("00", "old", NOW + 20_000, terms).encode());
    ledger(NOW, "mix", "eve");
    ledger(NOW + 20_000, "mix", "eve");
    restart(WINDOWS);
    assertThat(left()).containsExactly("mix@2");
  }

  private void ledger(long period, String share, String subject) {
    ledgers()
        .put(
            new LedgerStore.Key(period, share, subject).encode(),
            new LedgerStore.Entry(Ledger.EMPTY.plus(0), LedgerStore.Status.OPEN).encode());
  }

  /** Whatever nobody has cleared yet. */
  @Test
  void shouldClearAnOldStateInSlicesThroughRestarts() {
    run(WINDOWS, windows(0, 1));
    state.store(Names.META_STORE).delete(Bytes.wrap(new byte[] {'n'}));
    state.store(Names.META_STORE).delete(LedgerTotals.KEY);
    for (int old = 0; old < 2_499; old++) {
      ledger(NOW - (1 + old % 100) * 10_000L, "mix", "subject-" + old / 100);
    }
    List<Integer> left = new ArrayList<>();
    for (int start = 0; start < 5; start++) {
      restart(WINDOWS);
      left.add(LedgerLines.of(ledgers()).size());
    }
    assertThat(left)
        .as("the first start finds what is over")
        .containsExactly(2_500, 1_500, 500, 0, 0);
    assertThat(run(WINDOWS, windows(1, 2))).hasSize(1);
  }

  @Test
  void shouldKeepPeriodsThatQueriesMayCharge() {
    run(ASKED, windows(0, 4));
    restart(ASKED);
    assertThat(left()).as("windows 2 and 3 answer").containsExactly("mix@2", "mix@3");
    List<JournalEntry> asks = new ArrayList<>();
    asks.add(candidate("late", 1));
    asks.add(candidate("one", 2));
    asks.add(candidate("two", 2));
    asks.add(candidate("three", 2));
    assertThat(codes(run(ASKED, asks)))
        .containsExactly("DATASET_GONE", "coin", "coin", "QUERY_BUDGET");
    assertThat(left()).containsExactly("mix@2", "coin@2", "mix@3");
    run(ASKED, windows(4, 5));
    restart(ASKED);
    assertThat(left()).containsExactly("mix@3", "mix@4");
    assertThat(codes(run(ASKED, List.of(candidate("four", 2))))).containsExactly("DATASET_GONE");
  }

  private static List<String> codes(List<Output> outputs) {
    return outputs.stream()
        .map(
            output ->
                output.child().equals(Names.REFUSALS)
                    ? code(Outputs.decodeRefusal(output.value()).getCode())
                    : output.child())
        .toList();
  }

  /** What a spent budget is called is not this test's concern. */
  private static String code(RefusalCode code) {
    return code == RefusalCode.DATASET_GONE || code == RefusalCode.OPERATOR_SKIPPED
        ? code.name()
        : code == RefusalCode.EXPIRED ? "EXPIRED" : "QUERY_BUDGET";
  }

  /** What waits for an open window and expires is handed back to a ledger that is there. */
  @Test
  void shouldHandBackToLivePeriods() {
    run(ASKED, windows(0, 2));
    run(ASKED, List.of(candidate("waits", 3)));
    restart(ASKED);
    assertThat(left()).contains("coin@3");
    assertThat(
            state.run(
                Fixture.plan(ASKED),
                deployment,
                List.of(new Watermark(0, NOW + 30_000)),
                NOW + 100_000))
        .extracting(Output::child)
        .containsExactly(Names.REFUSALS);
    assertThat(LedgerLines.of(ledgers()))
        .filteredOn(line -> line.share().equals("coin"))
        .singleElement()
        .satisfies(line -> assertThat(line.charges()).as("handed back").isEmpty());
  }

  /** An answer that failed holds the period of its window, whatever passes meanwhile. */
  @Test
  void shouldKeepThePeriodOfAnAnswerThatIsHeld() {
    ReleaseFailedException failed =
        Fixture.failed(deployment, state.store(Names.META_STORE), "coin/one", "ann", NOW, 0);
    deployment.holds().add(failed);
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(candidate("one", 0));
    journal.add(candidate("two", 0));
    journal.addAll(windows(1, 5));
    run(ASKED, journal);
    restart(ASKED);
    assertThat(left()).contains("coin@0", "mix@0", "mix@4");
    assertThat(codes(run(ASKED, List.of(new Skip(failed.tag())))))
        .as("the dataset answers, though windows have passed")
        .containsExactly("OPERATOR_SKIPPED", "coin");
    restart(ASKED);
    assertThat(left()).containsExactly("mix@3", "mix@4");
  }

  @Test
  void shouldDeleteNothingInFrontOfAReleaseThatIsHeld() {
    Plan broken =
        BrokenPlan.failingOn(Fixture.plan(HALF_MINUTES), new Histogram(new long[] {2, 0, 0}));
    ReleaseId id = new ReleaseId("test", new StateEpoch(7, 7), 1, "mix", "ann", NOW + 10_000, 0);
    List<JournalEntry> journal = new ArrayList<>(windows(0, 1));
    journal.add(record("ann", 1));
    journal.addAll(windows(1, 5));
    assertThatThrownBy(() -> new KeeperRun().run(broken, deployment, journal))
        .isInstanceOf(ReleaseFailedException.class)
        .satisfies(e -> deployment.holds().add((ReleaseFailedException) e));
    state.run(broken, deployment, journal);
    state.run(broken, deployment, List.of());
    assertThat(LedgerLines.of(ledgers()))
        .as("window 1 is held")
        .extracting(LedgerImage.Line::period)
        .containsExactly(NOW / 30_000);
    String tag = deployment.noiseKey().logTag(id);
    assertThat(codes(state.run(broken, deployment, List.of(new Skip(tag)))))
        .containsExactly("OPERATOR_SKIPPED", "mix", "mix", "mix");
    state.run(broken, deployment, List.of());
    assertThat(LedgerLines.of(ledgers()))
        .as("windows 3 and 4")
        .extracting(LedgerImage.Line::period)
        .containsExactly(NOW / 30_000 + 1);
  }

  @Test
  void shouldLeavePeriodsOfTheNextVersionToIt() {
    String next = HALF_MINUTES.replace("version: 1", "version: 2");
    List<JournalEntry> journal = new ArrayList<>(windows(0, 3));
    Plan plan = Fixture.plan(next);
    journal.add(new Activation(2, NOW + 40_000, plan.digestText(), deployment.noiseKey().tag()));
    journal.addAll(windows(3, 7));
    assertThat(run(HALF_MINUTES, journal)).as("windows 0 to 3").hasSize(4);
    restart(HALF_MINUTES);
    assertThat(LedgerLines.of(ledgers()))
        .as("window 3's period goes on in the next version, though window 6 is closed")
        .singleElement()
        .satisfies(line -> assertThat(line.period()).isEqualTo(NOW / 30_000 + 1))
        .satisfies(line -> assertThat(line.charges().values()).containsExactly(1L));
    assertThat(run(next, List.of())).as("windows 4 to 6").hasSize(3);
    restart(next);
    assertThat(LedgerLines.of(ledgers()))
        .singleElement()
        .satisfies(line -> assertThat(line.period()).isEqualTo(NOW / 30_000 + 2));
  }

  /** Everybody on the roster is charged for every window, records or none. */
  @Test
  void shouldDeletePastPeriodsOfRosters() {
    String roster = WINDOWS.replace("window: {", "subjects: roster\nwindow: {");
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(7, 7)));
    journal.add(new Enrolment("ann", NOW));
    journal.add(new Enrolment("bob", NOW));
    journal.add(new Watermark(0, NOW));
    journal.add(end(0));
    journal.add(end(1));
    assertThat(run(roster, journal)).hasSize(4);
    assertThat(left()).hasSize(4);
    restart(roster);
    assertThat(left()).isEmpty();
    assertThat(run(roster, List.of(end(2)))).hasSize(2);
  }

  @Test
  void shouldDeletePastPeriodsOfUsers() {
    String file =
        """
        pipeline: test
        input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b, c] }
        contributions: { per-window: 3, subjects: 2 }
        subjects: [north, south, west]
        window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
        budget: { name: test, unit: user, epsilon: 2, delta: 1e-6, period: %s }
        releases:
          - count: { name: n, share: { epsilon: 2, delta: 1e-6 } }
        """;
    PopulationRun run = new PopulationRun();
    Plan plan = Fixture.plan(file.formatted("PT30S"));
    run.run(plan, PopulationRun.beginning());
    run.run(
        plan,
        IntStream.range(0, 4)
            .mapToObj(window -> PopulationRun.window(window, "ann", "bob"))
            .flatMap(List::stream)
            .toList());
    run.run(plan, List.of());
    assertThat(LedgerLines.of(run.store(Names.LEDGER_STORE)))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line.period()).isEqualTo(NOW / 30_000 + 1))
        .allSatisfy(line -> assertThat(line.charges().values()).containsExactly(1L));
    run.run(
        plan,
        Stream.of(4, 5)
            .map(window -> PopulationRun.window(window, "ann"))
            .flatMap(List::stream)
            .toList());
    run.run(plan, List.of());
    assertThat(LedgerLines.of(run.store(Names.LEDGER_STORE))).isEmpty();
  }

  /** Whatever goes on with a sealed ledger: who has spent stays spent, on another grid too. */
  @Test
  void shouldGiveNobodyBudgetBackThroughAnExportWhilePeriodsGo() {
    String tight = HALF_MINUTES.replace("5e-7 } }", "5e-7 }, windows: 2 }");
    run(tight, windows(0, 5));
    restart(tight);
    StateReader reader = new StateReader();
    try (var meta = state.store(Names.META_STORE).all()) {
      meta.forEachRemaining(e -> reader.meta(0, e.key.get(), e.value));
    }
    LedgerImage image = reader.image().orElseThrow();
    List<LedgerImage.Line> lines = LedgerLines.of(ledgers());
    assertThat(lines).as("windows 3 and 4").hasSize(1);
    assertThat(lines).allMatch(line -> image.livePeriods().test(line.period()));
    assertThat(image.livePeriods().test(NOW / 30_000)).as("windows 0 to 2 are over").isFalse();
    KeeperRun next = new KeeperRun();
    for (LedgerImage.Change change : image.origins(1, "00", "test")) {
      next.store(Names.META_STORE).put(Bytes.wrap(change.key()), change.value());
    }
    lines.forEach(line -> LedgerLines.put(next.store(Names.LEDGER_STORE), line));
    String other =
        tight.replace("budget: { name: test", "budget: { name: test-2").replace("10s", "5s");
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(8, 8)));
    journal.add(new Watermark(0, NOW + 50_000));
    for (long start = NOW + 50_000; start < NOW + 70_000; start += 5_000) {
      journal.add(new Observation("ann", start, 0, List.of(), 0));
      journal.add(new Watermark(0, start + 5_000));
    }
    assertThat(next.run(Fixture.plan(other), deployment, journal))
        .extracting(Output::child)
        .as("the second half minute was spent before; the third has its own")
        .containsExactly(Names.REFUSALS, Names.REFUSALS, "mix", "mix");
  }

  @Test
  void shouldStopInFrontOfAHalfImportedLedger() {
    for (LedgerImage.Change change : LedgerImage.beginnings(1, "c0ffee", "old")) {
      state.store(Names.META_STORE).put(Bytes.wrap(change.key()), change.value());
    }
    assertThatThrownBy(() -> run(WINDOWS, windows(0, 1)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("the import of the ledger of budget 'old' was interrupted")
        .hasMessageContaining("c0ffee");
  }
}
