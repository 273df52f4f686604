// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.beginning;
import static io.sfumato.topology.Entries.start;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.gate.Witness;
import io.sfumato.release.Plan;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.version.BudgetTerms;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Guarantees of any span under {@code record}, through the keeper: whole shares and ledgers of
 * windows, over restarts, ledgers that are carried over, and versions. Windows of ten seconds,
 * spans of thirty: they touch four.
 */
class SpansTest {
  private static final int TOUCHED = 4;

  private static final String EVERY =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: { any: 30s } }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 5e-7 } }
      """;

  /** Two windows of the four that a span touches. */
  private static final String SOME = EVERY.replace("5e-7 } }", "5e-7 }, windows: 2 }");

  /** All that is closed is decided at once, however slow the machine is. */
  private final Deployment deployment = deployment(() -> true);

  private final KeeperRun state = new KeeperRun();

  private static Deployment deployment(BooleanSupplier goesOn) {
    return Fixture.deployment(1, PipelineMeters.none())
        .watchedBy(Witness.NONE, () -> Fixture.slicesWhile(goesOn));
  }

  /** A record of each subject whose pattern has the window, and its end. */
  private static List<JournalEntry> window(int window, int... patterns) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int i = 0; i < patterns.length; i++) {
      if ((patterns[i] >> window & 1) == 1) {
        journal.add(new Observation("s" + i, start(window), 0, List.of(), 0));
      }
    }
    journal.add(new Watermark(0, start(window + 1)));
    return journal;
  }

  private static List<JournalEntry> windows(int from, int to, int... patterns) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int window = from; window < to; window++) {
      journal.addAll(window(window, patterns));
    }
    return journal;
  }

  private List<Output> run(KeeperRun run, String yaml, List<? extends JournalEntry> journal) {
    return run.run(Fixture.plan(yaml), deployment, journal);
  }

  /** "subject@window" of each release. */
  private static List<String> released(List<Output> outputs) {
    return outputs.stream()
        .filter(output -> output.child().equals("mix"))
        .map(output -> (DirichletRelease) Outputs.decodeAny(output.value()))
        .map(
            release ->
                release.getSubject()
                    + "@"
                    + (release.getWindowStart().toEpochMilli() - NOW) / 10_000)
        .toList();
  }

  private static void assertWithinEverySpan(List<String> released, int subjects, int most) {
    TreeSet<String> windows = new TreeSet<>(released);
    assertThat(windows).as("nothing twice").hasSize(released.size());
    for (int subject = 0; subject < subjects; subject++) {
      String name = "s" + subject + "@";
      for (int first = -TOUCHED; first < 24; first++) {
        assertThat(
                IntStream.range(first, first + TOUCHED)
                    .filter(window -> windows.contains(name + window)))
            .hasSizeLessThanOrEqualTo(most);
      }
    }
  }

  @Test
  void shouldReleaseEveryWindowWithoutAnyLedgerWhereTheShareAffordsAll() {
    run(state, EVERY, beginning());
    List<Output> outputs = run(state, EVERY, windows(0, 9, -1, 0b101010101));
    assertThat(outputs).extracting(Output::child).containsOnly("mix");
    assertThat(outputs).hasSize(9 + 5);
    assertThat(LedgerLines.of(state.store(Names.LEDGER_STORE))).isEmpty();
    DirichletRelease first = (DirichletRelease) Outputs.decodeAny(outputs.get(0).value());
    assertThat(first.getGuarantee().getPeriod()).isEqualTo("any PT30S");
    assertThat(first.getGuarantee().getAdjacency())
        .isEqualTo(
            "one record's category is replaced, whatever 30 seconds you take, in every window that"
                + " these touch; its key, time and existence are public");
    assertThat(first.getGuarantee().getAdmission()).contains("4 releases");
  }

  /** What is decided is never released again, though no ledger knows of it. */
  @ParameterizedTest
  @CsvSource({"4", "2"})
  void shouldStopWhoeverReleasesADecidedWindowAgain(int windows) {
    String yaml = windows == 2 ? SOME : EVERY;
    run(state, yaml, beginning());
    run(state, yaml, windows(0, 3, -1));
    run(state, yaml, List.of());
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
    lost.forEach(meta::delete);
    assertThatThrownBy(() -> run(state, yaml, windows(2, 4, -1)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("the window that starts 2026-06-01T00:00:20Z was already decided")
        .hasMessageContaining("would not be charged to any budget");
  }

  @Test
  void shouldReleaseWhatEverySpanHasRoomForAndRefuseTheRest() {
    run(state, SOME, beginning());
    List<Output> outputs = run(state, SOME, windows(0, 10, -1));
    assertThat(released(outputs)).containsExactly("s0@0", "s0@1", "s0@4", "s0@5", "s0@8", "s0@9");
    assertThat(outputs)
        .filteredOn(output -> output.child().equals("refusals"))
        .extracting(output -> Outputs.decodeRefusal(output.value()).getCode())
        .containsExactly(
            RefusalCode.PERIOD_SPENT,
            RefusalCode.PERIOD_SPENT,
            RefusalCode.PERIOD_SPENT,
            RefusalCode.PERIOD_SPENT);
    run(state, SOME, List.of());
    assertThat(LedgerLines.of(state.store(Names.LEDGER_STORE)))
        .as("what a span of the next window can hold")
        .extracting(line -> (line.period() - NOW) / 10_000)
        .containsExactly(8L, 9L);
  }

  /** All patterns of twelve windows are subjects; programs end anywhere, and go on. */
  @Test
  void shouldGoOnAfterRestartsByteForByte() {
    int[] patterns = IntStream.range(0, 200).map(i -> new Random(i).nextInt(1 << 12)).toArray();
    patterns[0] = -1;
    KeeperRun whole = new KeeperRun();
    List<JournalEntry> journal = new ArrayList<>(beginning());
    journal.addAll(windows(0, 12, patterns));
    List<Output> once = run(whole, SOME, journal);
    assertWithinEverySpan(released(once), patterns.length, 2);
    List<Output> often = new ArrayList<>();
    Random random = new Random(12);
    for (int from = 0; from < journal.size(); ) {
      int to = Math.min(journal.size(), from + 1 + random.nextInt(150));
      // Some windows are left half decided.
      often.addAll(
          state.run(
              Fixture.plan(SOME), deployment(random::nextBoolean), journal.subList(from, to)));
      from = to;
    }
    // A program that ends leaves closed windows to the next one.
    often.addAll(run(state, SOME, List.of()));
    assertSame(once, often);
    assertSame(once, run(new KeeperRun(), SOME, journal));
  }

  private static void assertSame(List<Output> once, List<Output> other) {
    List<String> bytes = other.stream().map(Output::toString).toList();
    assertThat(bytes.equals(once.stream().map(Output::toString).toList())).isTrue();
  }

  private StateReader reader(KeeperRun run) {
    StateReader reader = new StateReader();
    try (var meta = run.store(Names.META_STORE).all()) {
      meta.forEachRemaining(e -> reader.meta(0, e.key.get(), e.value));
    }
    return reader;
  }

  private KeeperRun carriedOver(KeeperRun old, String next) {
    LedgerImage image = reader(old).image().orElseThrow();
    image.requireFor(Fixture.plan(next));
    KeeperRun carried = new KeeperRun();
    for (LedgerImage.Change change : image.origins(1, "00", "test")) {
      carried.store(Names.META_STORE).put(Bytes.wrap(change.key()), change.value());
    }
    LedgerLines.of(old.store(Names.LEDGER_STORE)).stream()
        .filter(line -> image.livePeriods().test(line.period()))
        .forEach(line -> LedgerLines.put(carried.store(Names.LEDGER_STORE), line));
    return carried;
  }

  /** Whenever a ledger is carried over: spans that hold windows of both are bounded too. */
  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4", "5", "6", "9"})
  void shouldBoundSpansAcrossALedgerThatIsCarriedOver(int cut) {
    int[] patterns = IntStream.range(0, 100).map(i -> new Random(i).nextInt(1 << 12)).toArray();
    patterns[0] = -1;
    run(state, SOME, beginning());
    List<String> released = new ArrayList<>(released(run(state, SOME, windows(0, cut, patterns))));
    String next = SOME.replace("budget: { name: test", "budget: { name: test-2");
    KeeperRun carried = carriedOver(state, next);
    run(carried, next, List.of(new Genesis(0, new StateEpoch(8, 8)), new Watermark(0, start(cut))));
    released.addAll(released(run(carried, next, windows(cut, 12, patterns))));
    assertWithinEverySpan(released, patterns.length, 2);
    KeeperRun whole = new KeeperRun();
    run(whole, SOME, beginning());
    assertThat(released)
        .as("as if nothing had been carried over")
        .containsExactlyElementsOf(released(run(whole, SOME, windows(0, 12, patterns))));
  }

  /** Nobody releases windows from before the ledger was sealed: they are lost, not free. */
  @Test
  void shouldStopWhoeverReleasesBelowTheFloorOfACarriedLedger() {
    run(state, EVERY, beginning());
    run(state, EVERY, windows(0, 5, -1));
    String next = EVERY.replace("budget: { name: test", "budget: { name: test-2");
    KeeperRun carried = carriedOver(state, next);
    assertThatThrownBy(
            () -> {
              run(carried, next, beginning());
              run(carried, next, windows(0, 5, -1));
            })
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("was already decided");
  }

  @Test
  void shouldRefuseAVersionThatPlansTheShareAnew() {
    String next = SOME.replace("version: 1", "version: 2").replace("windows: 2", "windows: 3");
    Plan second = Fixture.plan(next);
    run(state, SOME, beginning());
    run(state, SOME, windows(0, 6, -1));
    run(
        state,
        SOME,
        List.of(new Activation(2, start(7), second.digestText(), deployment.noiseKey().tag())));
    run(state, SOME, windows(6, 7, -1));
    run(state, SOME, List.of());
    assertThatThrownBy(() -> run(state, next, windows(7, 12, -1)))
        .as("another charge")
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("Windows that start before " + Instant.ofEpochMilli(start(10)));
  }

  /** The same share goes on in the next version, and so does what it has spent. */
  @Test
  void shouldBoundSpansAcrossAChangeOfVersion() {
    String next =
        SOME.replace("version: 1", "version: 2").replace("name: mix", "name: mix, topic: x");
    Plan second = Fixture.plan(next);
    run(state, SOME, beginning());
    List<String> released = new ArrayList<>(released(run(state, SOME, windows(0, 5, -1))));
    run(
        state,
        SOME,
        List.of(new Activation(2, start(6), second.digestText(), deployment.noiseKey().tag())));
    released.addAll(released(run(state, SOME, windows(5, 6, -1))));
    run(state, SOME, List.of());
    released.addAll(released(run(state, next, windows(6, 12, -1))));
    assertThat(released).containsExactly("s0@0", "s0@1", "s0@4", "s0@5", "s0@8", "s0@9");
  }

  /** A share that a version drops counts as long as a span holds its last window and a new one. */
  @Test
  void shouldBeginAShareWhenTheLastWindowOfAnotherHasLeftEverySpan() {
    String dropped = SOME.replace("version: 1", "version: 2").replace("name: mix", "name: other");
    String added =
        dropped.replace("version: 2", "version: 3")
            + "  - histogram: { name: third, method: laplace, share: { epsilon: 1, delta: 5e-7 }"
            + " }\n";
    int change = 5;
    BudgetTerms after =
        BudgetTerms.of(Fixture.plan(SOME)).extended(Fixture.plan(dropped), start(change));
    for (int window = change + 1; window < change + 2 * TOUCHED; window++) {
      long from = start(window);
      // The last window of the first version, and the first one of the third.
      boolean together = window - (change - 1) < TOUCHED;
      if (together) {
        assertThatThrownBy(() -> after.extended(Fixture.plan(added), from))
            .isInstanceOf(PipelineStopException.class)
            .hasMessageContaining("no longer has [mix]")
            .hasMessageContaining(
                "Windows that start before %s share 30 seconds with what was charged"
                    .formatted(Instant.ofEpochMilli(start(change + TOUCHED - 1))));
      } else {
        assertThatCode(() -> after.extended(Fixture.plan(added), from)).doesNotThrowAnyException();
      }
    }
  }

  /** Whole shares and ledgers know nothing of each other's charges. */
  @Test
  void shouldNotGoOverFromALedgerToAWholeShareWithinASpan() {
    String pace = "{ any: 30s, pace: 1 }";
    List<String> files =
        List.of(
            EVERY,
            SOME,
            EVERY.replace("{ any: 30s }", pace),
            SOME.replace("size: 10s", "size: 5s"));
    for (String before : files) {
      for (String next : files) {
        BudgetTerms terms = BudgetTerms.of(Fixture.plan(before));
        if (before.equals(next)) {
          assertThatCode(() -> terms.extended(Fixture.plan(next), start(5)))
              .doesNotThrowAnyException();
        } else {
          assertThatThrownBy(() -> terms.extended(Fixture.plan(next), start(5)))
              .isInstanceOf(PipelineStopException.class)
              .hasMessageContaining("for this whole period");
        }
      }
    }
  }

  /** Of every three windows one, for everybody the same; and nothing is kept of anybody. */
  @Test
  void shouldReleaseByThePublicCalendarAlone() {
    String yaml = EVERY.replace("{ any: 30s }", "{ any: 30s, pace: 1 }");
    run(state, yaml, beginning());
    List<String> released = released(run(state, yaml, windows(0, 12, -1, 0b111000111000)));
    long phase = Math.floorMod(NOW - Instant.parse("1970-01-05T00:00:00Z").toEpochMilli(), 30_000L);
    List<String> expected = new ArrayList<>();
    for (int window = 0; window < 12; window++) {
      if ((window * 10_000L + phase) % 30_000 == 0) {
        expected.add("s0@" + window);
        if ((0b111000111000 >> window & 1) == 1) {
          expected.add("s1@" + window);
        }
      }
    }
    assertThat(released).containsExactlyElementsOf(expected);
    assertThat(LedgerLines.of(state.store(Names.LEDGER_STORE))).isEmpty();
  }
}
