// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.KeeperRun.Output;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.version.IntakeVersion;
import io.sfumato.topology.version.StateIdentity;
import io.sfumato.topology.version.WindowStarts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** Zone data are part of a state: programs with other ones must not work on it unasked. */
class ZoneDataTest {
  private static final String FILE =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 1d, zone: Test/Changing }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: { any: 3d } }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 5e-7 }, windows: 2 }
      """;

  private static final String NEXT = FILE.replace("version: 1", "version: 2");
  private static final int TOUCHED = 4;

  private final Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
  private final KeeperRun state = new KeeperRun();

  private static Plan plan(String yaml, String lastChange) {
    ChangingZone.changesUntil(lastChange);
    try {
      return Plans.fresh(yaml);
    } catch (PipelineFileException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  /** Clocks change for ever, or for the last time in the autumn of some year. */
  private static Plan usual(String yaml) {
    return plan(yaml, "2090-01-01T00:00:00Z");
  }

  private static long day(Plan plan, int day) {
    WindowSpec window = plan.pipeline().window();
    return window.plus(window.startOf(Fixture.NOW), day);
  }

  private static List<JournalEntry> beginning(Plan plan) {
    return List.of(new Genesis(0, new StateEpoch(7, 7)), new Watermark(0, day(plan, 0)));
  }

  /** A record of each subject whose pattern has the day, and the day's end. */
  private static List<JournalEntry> days(Plan plan, int from, int to, int... patterns) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int day = from; day < to; day++) {
      for (int i = 0; i < patterns.length; i++) {
        if ((patterns[i] >> (day % 30) & 1) == 1) {
          journal.add(new Observation("s" + i, day(plan, day), 0, List.of(), 0));
        }
      }
      journal.add(new Watermark(0, day(plan, day + 1)));
    }
    return journal;
  }

  private List<Output> run(Plan plan, List<? extends JournalEntry> journal) {
    return state.run(plan, deployment, journal);
  }

  @Test
  void shouldRefuseAnInstanceWithOtherZoneDataForTenYears() {
    run(usual(FILE), beginning(usual(FILE)));
    run(usual(FILE), days(usual(FILE), 0, 2, -1));
    for (String last : List.of("2026-12-01T00:00:00Z", "2035-12-01T00:00:00Z")) {
      Plan other = plan(FILE, last);
      assertThatThrownBy(() -> run(other, List.of()))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("time zone data: between 1970-01-01 and 2036-06")
          .hasMessageContaining("Test/Changing")
          .hasMessageContaining("has the former tzdata")
          .hasMessageContaining("announce the file with 'sfumato activate FILE'");
    }
    assertThatCode(() -> run(plan(FILE, "2040-12-01T00:00:00Z"), List.of()))
        .as("beyond ten years nothing is compared")
        .doesNotThrowAnyException();
    assertThatCode(() -> run(usual(FILE), List.of())).doesNotThrowAnyException();
  }

  @Test
  void shouldContinueWithNewZoneDataFromTheFirstWindowOfAnActivatedVersion() {
    Plan first = usual(FILE);
    // The clocks of autumn 2026 change no more.
    Plan next = plan(NEXT, "2026-06-01T00:00:00Z");
    run(first, beginning(first));
    run(first, days(first, 0, 2, -1));
    run(
        first,
        List.of(new Activation(2, day(first, 2), next.digestText(), deployment.noiseKey().tag())));
    run(first, List.of());
    List<Output> later = run(next, days(next, 2, 300, -1));
    assertThat(released(later)).contains(day(next, 200)).doesNotHaveDuplicates();
    assertThat(day(next, 200)).isNotEqualTo(day(first, 200));
    assertThatThrownBy(() -> run(usual(NEXT), List.of()))
        .as("the new version keeps its own")
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("time zone data: between 2026-06-03");
  }

  private static final String USERS =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 1 }
      subjects: [north]
      window: { size: 1d, zone: Test/Changing, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: { any: 3d } }
      releases:
        - count: { name: visits, by: total, share: { epsilon: 900000, delta: 1e-6 } }
      """;

  /** Three records of a user a day, of which two count, and the day's end. */
  private static List<JournalEntry> daysOfUsers(Plan plan, int from, int to) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int day = from; day < to; day++) {
      long start = day(plan, day);
      journal.add(
          new Contributions(
              IntStream.range(0, 3)
                  .mapToObj(rank -> new Contribution("ann", start, "north", 0, rank))
                  .toList()));
      journal.add(new Watermark(0, day(plan, day + 1)));
    }
    return journal;
  }

  /** Users are counted once in each day, whichever zone data say where it starts. */
  @Test
  void shouldContinueAPipelineOfUsersWithNewZoneDataFromAnActivatedVersionOn() {
    String second = USERS.replace("version: 1", "version: 2");
    Plan first = usual(USERS);
    Plan next = plan(second, "2026-06-01T00:00:00Z");
    PopulationRun users = new PopulationRun();
    users.run(first, beginning(first));
    List<CountRelease> released = new ArrayList<>(users.run(first, daysOfUsers(first, 0, 2)));
    Activation activation =
        new Activation(2, day(first, 2), next.digestText(), deployment.noiseKey().tag());
    released.addAll(users.run(first, List.of(activation)));
    released.addAll(users.run(next, daysOfUsers(next, 2, 200)));
    assertThat(day(next, 199)).isNotEqualTo(day(first, 199));
    assertThat(released)
        .extracting(release -> release.getWindowStart().toEpochMilli())
        .containsExactlyElementsOf(
            IntStream.range(0, 200).mapToObj(day -> day(next, day)).toList());
    assertThat(released).extracting(release -> release.getCounts().get(0)).containsOnly(2L);
    assertThatThrownBy(() -> users.run(usual(second), List.of()))
        .as("the new version keeps its own")
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("time zone data: between 2026-06-03");
  }

  private static Plan since(String yaml, int year) {
    ChangingZone.changesSince(year);
    try {
      return usual(yaml);
    } finally {
      ChangingZone.changesSince(ChangingZone.USUAL_YEAR);
    }
  }

  /** Windows are the same, but parts of a day are numbered from 1970 on: so are their ledgers. */
  @Test
  void shouldRefuseAnotherHistoryWherePeriodsHaveOtherNumbers() {
    String file =
        FILE.replace("size: 1d, zone: Test/Changing", "size: 1h, zone: Test/Changing")
            .replace("period: { any: 3d }", "period: 2h");
    Plan first = since(file, 1982);
    Plan other = since(file, 1981);
    long start = day(first, 0);
    assertThat(other.pipeline().window().startOf(start)).isEqualTo(start);
    assertThat(other.pipeline().budget().period().indexOf(start))
        .isNotEqualTo(first.pipeline().budget().period().indexOf(start));
    run(first, beginning(first));
    assertThatThrownBy(() -> run(other, List.of()))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("or are numbered otherwise");
    assertThatCode(() -> run(since(file, 1982), List.of())).doesNotThrowAnyException();
  }

  @Test
  void shouldNotCarryALedgerOverToAnotherHistoryOfPartsOfADay() {
    String file =
        FILE.replace("size: 1d, zone: Test/Changing", "size: 2h, zone: Test/Changing")
            .replace("period: { any: 3d }", "period: { any: 6h }");
    Plan first = since(file, 1985);
    run(first, beginning(first));
    run(first, days(first, 0, 2, -1));
    StateReader reader = new StateReader();
    try (var rows = state.store(Names.META_STORE).all()) {
      rows.forEachRemaining(row -> reader.meta(0, row.key.get(), row.value));
    }
    LedgerImage image = reader.image().orElseThrow();
    String next = file.replace("name: test,", "name: test-2,");
    assertThatThrownBy(() -> image.requireFor(since(next, 1981)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("or are numbered otherwise")
        .hasMessageContaining("start without this ledger");
    assertThatCode(() -> image.requireFor(since(next, 1985))).doesNotThrowAnyException();
  }

  private static List<Long> released(List<Output> outputs) {
    return outputs.stream()
        .filter(output -> output.child().equals("mix"))
        .map(output -> (DirichletRelease) Outputs.decodeAny(output.value()))
        .map(release -> release.getWindowStart().toEpochMilli())
        .toList();
  }

  /** The window that the former version released last would go on. */
  @Test
  void shouldRefuseATakeoverWhereTheLastWindowIsCutOtherwise() {
    Plan first = usual(FILE);
    // No summer time in 2026: local midnights are an hour later than the state's.
    Plan next = plan(NEXT, "2026-01-01T00:00:00Z");
    run(first, beginning(first));
    run(first, days(first, 0, 2, -1));
    run(
        first,
        List.of(new Activation(2, day(first, 2), next.digestText(), deployment.noiseKey().tag())));
    run(first, List.of());
    assertThatThrownBy(() -> run(next, List.of()))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("where the former version ends")
        .hasMessageContaining("sfumato ledger export");
    StateReader reader = new StateReader();
    try (var rows = state.store(Names.META_STORE).all()) {
      rows.forEachRemaining(row -> reader.meta(0, row.key.get(), row.value));
    }
    assertThatThrownBy(
            () -> reader.requireReadyFor(next, deployment.sources(), deployment.noiseKey().tag()))
        .hasMessageContaining("where the former version ends");
  }

  @Test
  void shouldStopWhereTheJournalNamesAWindowThatDoesNotStartHere() {
    Plan plan = usual(FILE);
    run(plan, beginning(plan));
    JournalEntry shifted = new Observation("ann", day(plan, 1) + 3_600_000, 0, List.of(), 0);
    assertThatThrownBy(() -> run(plan, List.of(shifted)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("time zone data: the journal names a window");
    assertThatThrownBy(() -> run(plan, List.of(new Watermark(0, day(plan, 1) + 3_600_000))))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("time zone data: the journal names a window");
  }

  /** All that is charged of a subject lies within the share in every span of four windows. */
  @Test
  void shouldSpendWithinEverySpanOfUnevenWindows() {
    Plan plan = usual(FILE);
    int[] patterns = IntStream.range(0, 40).map(i -> new Random(i).nextInt()).toArray();
    run(plan, beginning(plan));
    // From June on, across the end of October.
    List<Output> outputs = run(plan, days(plan, 0, 160, patterns));
    TreeSet<String> released = new TreeSet<>();
    for (Output output : outputs) {
      if (output.child().equals("mix")) {
        DirichletRelease release = (DirichletRelease) Outputs.decodeAny(output.value());
        assertThat(
                released.add(release.getSubject() + "@" + release.getWindowStart().toEpochMilli()))
            .as("nothing twice")
            .isTrue();
      }
    }
    for (int subject = 0; subject < patterns.length; subject++) {
      int full = 0;
      for (int first = 0; first < 160; first++) {
        int charged = 0;
        long start = day(plan, first);
        for (int window = 0; window < TOUCHED; window++) {
          charged += released.contains("s" + subject + "@" + start) ? 1 : 0;
          start = plan.pipeline().window().endOf(start);
        }
        assertThat(charged).isLessThanOrEqualTo(2);
        full += charged == 2 ? 1 : 0;
      }
      assertThat(full).as("no less than the share affords").isPositive();
    }
  }

  /** What reads records keeps the same beside its clocks. */
  @Test
  void shouldKeepStartsBesideTheClocksOfIntake() {
    KeyValueStore<Bytes, byte[]> store = MemoryStores.named(Names.SOURCE_STORE);
    Plan plan = usual(FILE);
    Pipeline pipeline = plan.pipeline();
    IntakeVersion mine = IntakeVersion.of(StateIdentity.Maker.of(plan, deployment));
    mine.putInto(store);
    IntakeVersion.put(store, WindowStarts.of(pipeline, Long.MIN_VALUE, Fixture.NOW).orElseThrow());
    assertThat(IntakeVersion.in(store)).contains(mine);
    WindowStarts kept = IntakeVersion.starts(store).orElseThrow();
    assertThatCode(() -> kept.requireSame(pipeline, "")).doesNotThrowAnyException();
    Pipeline other = plan(FILE, "2026-12-01T00:00:00Z").pipeline();
    assertThatThrownBy(() -> kept.requireSame(other, "raise 'version'"))
        .hasMessageContaining("raise 'version'");
    assertThat(WindowStarts.of(Fixture.plan(Fixture.YAML).pipeline(), 0, Fixture.NOW))
        .as("windows of one length need none")
        .isEqualTo(Optional.empty());
  }
}
