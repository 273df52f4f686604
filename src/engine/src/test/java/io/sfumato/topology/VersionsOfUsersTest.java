// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.VersionEnd;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.version.StateIdentity;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/**
 * A new version of a file whose users are protected takes over from one window on, for all users
 * and all subjects. There is so much budget that noise is next to nothing. Windows of ten seconds.
 */
class VersionsOfUsersTest {
  private static final String V1 =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 1 }
      subjects: [north]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: { any: 30s } }
      releases:
        - count: { name: visits, by: total, share: { epsilon: 900000, delta: 1e-6 } }
      """;

  private static final String KEY_2 =
      "ffeeddccbbaa99887766554433221100f0e1d2c3b4a5968778695a4b3c2d1e0f";

  private static final String V2 = V1.replace("version: 1", "version: 2");

  private static final Deployment DEPLOYMENT = Fixture.deployment(1, PipelineMeters.none());

  private static long start(int window) {
    return NOW + window * 10_000L;
  }

  private static Activation activation(String yaml, int window) {
    Plan plan = Fixture.plan(yaml);
    return new Activation(
        plan.pipeline().version(), start(window), plan.digestText(), DEPLOYMENT.noiseKey().tag());
  }

  /** In each window three records of ann. */
  private static List<JournalEntry> windows(int from, int to) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int window = from; window < to; window++) {
      journal.add(records(window));
      journal.add(new Watermark(0, start(window + 1)));
    }
    return journal;
  }

  private static Contributions records(int window) {
    List<Contribution> records = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      records.add(new Contribution("ann", start(window), "north", 0, rank));
    }
    return new Contributions(records);
  }

  private static List<JournalEntry> journal(List<JournalEntry> first, JournalEntry... then) {
    List<JournalEntry> journal = new ArrayList<>(first);
    journal.addAll(List.of(then));
    return journal;
  }

  /** "window/version:count" of each release. */
  private static List<String> shown(List<CountRelease> releases) {
    return releases.stream()
        .map(
            release ->
                "%d/v%d:%d"
                    .formatted(
                        (release.getWindowStart().toEpochMilli() - NOW) / 10_000,
                        release.getGuarantee().getPipelineVersion(),
                        release.getCounts().get(0)))
        .toList();
  }

  private static boolean isEmpty(KeyValueStore<Bytes, byte[]> store) {
    try (var all = store.all()) {
      return !all.hasNext();
    }
  }

  private static PopulationRun begun() {
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(V1), PopulationRun.beginning());
    run.run(Fixture.plan(V1), windows(0, 2));
    return run;
  }

  /** What was taken in under two records a user, and closes under one, counts once. */
  @Test
  void shouldBoundUsersByTheVersionOfTheWindow() {
    String fewer = V2.replace("per-window: 2", "per-window: 1");
    PopulationRun run = begun();
    assertThat(shown(run.run(Fixture.plan(V1), journal(List.of(), activation(fewer, 4)))))
        .isEmpty();
    assertThat(shown(run.run(Fixture.plan(V1), windows(2, 6))))
        .as("windows 4 and 5 are the next version's, though they are closed")
        .containsExactly("2/v1:2", "3/v1:2");
    assertThat(isEmpty(run.store(Names.DATASET_STORE)))
        .as("nothing of these windows was passed on")
        .isTrue();
    assertThat(shown(run.run(Fixture.plan(fewer), windows(6, 8))))
        .containsExactly("4/v2:1", "5/v2:1", "6/v2:1", "7/v2:1");
    assertThatThrownBy(() -> run.run(Fixture.plan(V1), List.of()))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("run the newer file");
  }

  @Test
  void shouldCountMoreOfAUserFromTheTakeoverOn() {
    String more = V2.replace("per-window: 2", "per-window: 3");
    PopulationRun run = begun();
    run.run(Fixture.plan(V1), journal(List.of(), activation(more, 3)));
    assertThat(shown(run.run(Fixture.plan(V1), windows(2, 4)))).containsExactly("2/v1:2");
    assertThat(shown(run.run(Fixture.plan(more), windows(4, 6))))
        .as("of window 3 the former version kept two records")
        .containsExactly("3/v2:2", "4/v2:3", "5/v2:3");
  }

  /** Means, and what counts of users leave out, need other data of users and of subjects. */
  @Test
  void shouldAddAnOutputThatNeedsOtherData() {
    String half = V1.replace("share: { epsilon: 900000", "share: { epsilon: 400000");
    String two =
        V2.replace("share: { epsilon: 900000, delta: 1e-6", "share: { epsilon: 400000, delta: 5e-7")
            + "  - count: { name: lost, by: left-out, share: { epsilon: 400000, delta: 5e-7 } }\n";
    two = two.replace("subjects: 1 }", "subjects: 1, left-out: 3 }");
    half = half.replace("delta: 1e-6 } }", "delta: 5e-7 } }");
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(half), PopulationRun.beginning());
    run.run(Fixture.plan(half), journal(List.of(), activation(two, 1)));
    run.run(Fixture.plan(half), windows(0, 2));
    List<CountRelease> releases = run.run(Fixture.plan(two), windows(2, 3));
    assertThat(shown(releases)).containsExactly("1/v2:2", "1/v2:0", "2/v2:2", "2/v2:1");
  }

  /** Of window 1 the former version kept the records that count, and knows of no others. */
  @Test
  void shouldAddACountOfUsersBeyondTheBounds() {
    String half =
        V1.replace(
            "share: { epsilon: 900000, delta: 1e-6", "share: { epsilon: 400000, delta: 5e-7");
    String two =
        half.replace("version: 1", "version: 2")
            + "  - count: { name: more, by: beyond, share: { epsilon: 400000, delta: 5e-7 } }\n";
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(half), PopulationRun.beginning());
    run.run(Fixture.plan(half), journal(List.of(), activation(two, 1)));
    run.run(Fixture.plan(half), windows(0, 2));
    List<CountRelease> releases = run.run(Fixture.plan(two), windows(2, 3));
    assertThat(shown(releases)).containsExactly("1/v2:2", "1/v2:0", "2/v2:2", "2/v2:1");
  }

  private static String half(String yaml) {
    return yaml.replace("epsilon: 900000, delta: 1e-6 } }", "epsilon: 400000, delta: 5e-7 } }");
  }

  /** What the former version kept of open windows is enough for a smaller bound. */
  @Test
  void shouldAddAnOutputWithBoundsOfItsOwn() {
    String two =
        half(V2)
            + "  - count: { name: one, by: total, contributions: { per-window: 1 }, share: {"
            + " epsilon: 400000, delta: 5e-7 } }\n";
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(half(V1)), PopulationRun.beginning());
    run.run(Fixture.plan(half(V1)), journal(List.of(), activation(two, 1)));
    run.run(Fixture.plan(half(V1)), windows(0, 2));
    assertThat(shown(run.run(Fixture.plan(two), windows(2, 3))))
        .containsExactly("1/v2:2", "1/v2:1", "2/v2:2", "2/v2:1");
  }

  /** The key changes with the version, and draws before it keep theirs. */
  @Test
  void shouldDrawWithAnotherKeyFromTheWindowOn() {
    Deployment rotated =
        Fixture.deployment(1, PipelineMeters.none(), NoiseSecret.parse(KEY_2).derive());
    Activation next = activation(V2, 3);
    PopulationRun run = begun();
    run.run(
        Fixture.plan(V1),
        List.of(new Activation(2, next.from(), next.digest(), rotated.noiseKey().tag())));
    run.run(Fixture.plan(V1), windows(2, 3));
    assertThatThrownBy(() -> run.run(Fixture.plan(V2), List.of()))
        .as("with the former key")
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("noise key");
    List<CountRelease> released =
        run.outputs(Fixture.plan(V2), rotated, windows(3, 4)).stream()
            .map(bytes -> (CountRelease) Outputs.decodeAny(bytes))
            .toList();
    assertThat(shown(released)).containsExactly("3/v2:2");
    assertThat(released.get(0).getGuarantee().getNoiseKey())
        .isEqualTo(rotated.noiseKey().tag())
        .isNotEqualTo(DEPLOYMENT.noiseKey().tag());
  }

  /** A partition that has closed the window goes on; a later announcement finds all of them. */
  @Test
  void shouldNotHandOverWindowsThatAreClosed() {
    PopulationRun run = begun();
    run.run(Fixture.plan(V1), journal(List.of(), activation(V2, 1)));
    assertThat(shown(run.run(Fixture.plan(V1), windows(2, 3)))).containsExactly("2/v1:2");
    assertThatThrownBy(() -> run.run(Fixture.plan(V2), List.of()))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("sfumato activate FILE");
    run.run(Fixture.plan(V1), journal(List.of(), activation(V2, 5)));
    assertThat(shown(run.run(Fixture.plan(V1), windows(3, 6)))).containsExactly("3/v1:2", "4/v1:2");
    List<JournalEntry> later = journal(List.of(), activation(V2, 6));
    later.addAll(windows(6, 7));
    assertThat(shown(run.run(Fixture.plan(V1), later)))
        .as("put off, before anybody took over")
        .containsExactly("5/v1:2");
    assertThat(shown(run.run(Fixture.plan(V2), windows(7, 8)))).containsExactly("6/v2:2", "7/v2:2");
  }

  @Test
  void shouldTakeOverOnlyWhenEveryWindowBeforeIsPassedOn() {
    PopulationRun run = begun();
    run.run(Fixture.plan(V1), journal(List.of(), activation(V2, 4)));
    assertThatThrownBy(() -> run.run(Fixture.plan(V2), List.of()))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("has windows left to release");
  }

  private static StateReader reader(PopulationRun run, String store) {
    StateReader reader = new StateReader();
    try (var rows = run.store(store).all()) {
      rows.forEachRemaining(row -> reader.meta(0, row.key.get(), row.value));
    }
    return reader;
  }

  /** If another version were announced, users' partitions would wait for it, and none could run. */
  @Test
  void shouldRefuseAnnouncementsWhileOnlySubjectsAreTakenOver() {
    PopulationRun run = begun();
    run.run(Fixture.plan(V1), journal(List.of(), activation(V2, 3)));
    run.run(Fixture.plan(V1), windows(2, 3));
    StateReader users = reader(run, Names.META_STORE);
    StateReader before = reader(run, Names.SUBJECTS_META_STORE);
    assertThatCode(() -> users.requireOneVersion(before)).doesNotThrowAnyException();
    run.run(Fixture.plan(V2), windows(3, 4));
    StateReader after = reader(run, Names.SUBJECTS_META_STORE);
    assertThatThrownBy(() -> users.requireOneVersion(after))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("version 2 is taking over from version 1");
    assertThatThrownBy(
            () ->
                after.requireReadyFor(
                    Fixture.plan(V1), DEPLOYMENT.sources(), DEPLOYMENT.noiseKey().tag()))
        .as("the former version cannot bring users' partitions to another announcement")
        .isInstanceOf(PipelineStopException.class);
  }

  /** Who takes over, and where processes end, changes no byte of what is released. */
  @Test
  void shouldReleaseTheSameWhereverProcessesEnd() {
    String fewer = V2.replace("per-window: 2", "per-window: 1");
    Set<List<String>> seen = new HashSet<>();
    Random random = new Random(7);
    for (int run = 0; run < 40; run++) {
      List<JournalEntry> journal = new ArrayList<>(PopulationRun.beginning());
      journal.addAll(windows(0, 2));
      journal.add(activation(fewer, 4));
      journal.addAll(windows(2, 9));
      // Window 4 is the first one of the new version: it may take over once window 3 is closed.
      int ready = journal.size() - 2 * 5;
      int takeover = run == 0 ? ready : ready + random.nextInt(journal.size() - ready);
      PopulationRun state = new PopulationRun();
      List<String> released = new ArrayList<>();
      for (int from = 0; from < journal.size(); ) {
        boolean isFormer = from < takeover;
        int to = Math.min(isFormer ? takeover : journal.size(), from + 1 + random.nextInt(4));
        String file = isFormer ? V1 : fewer;
        state.outputs(Fixture.plan(file), journal.subList(from, to)).stream()
            .map(HexFormat.of()::formatHex)
            .forEach(released::add);
        from = to;
      }
      seen.add(released);
    }
    assertThat(seen).hasSize(1);
    assertThat(seen.iterator().next()).hasSize(9);
  }

  /** Records of some users, three of each, in each window. */
  private static List<JournalEntry> crowd(int from, int to, IntPredicate isAnnThere) {
    List<JournalEntry> journal = new ArrayList<>();
    for (int window = from; window < to; window++) {
      List<Contribution> records = new ArrayList<>();
      for (String user : List.of("ann", "bob")) {
        for (int rank = 0; rank < 3; rank++) {
          if (user.equals("bob") || isAnnThere.test(window)) {
            records.add(new Contribution(user, start(window), "north", 0, rank));
          }
        }
      }
      journal.add(new Contributions(records));
      journal.add(new Watermark(0, start(window + 1)));
    }
    return journal;
  }

  /** Counts of ten windows, the fifth of which is the first one of another version. */
  private static List<Long> acrossTheChange(String before, String after, IntPredicate isAnnThere) {
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(before), PopulationRun.beginning());
    run.run(Fixture.plan(before), journal(List.of(), activation(after, 5)));
    List<CountRelease> releases =
        new ArrayList<>(run.run(Fixture.plan(before), crowd(0, 7, isAnnThere)));
    releases.addAll(run.run(Fixture.plan(after), crowd(7, 10, isAnnThere)));
    return releases.stream().map(release -> release.getCounts().get(0)).toList();
  }

  /**
   * Neighbours differ in a span that lies across the change: each of its windows moves by its
   * version's bound at most, and no other one does.
   */
  @Test
  void shouldMoveNoOtherWindowWhereNeighboursStraddleTheChange() {
    for (int bound = 1; bound <= 3; bound += 2) {
      String after = V2.replace("per-window: 2", "per-window: " + bound);
      List<Long> all = acrossTheChange(V1, after, window -> true);
      for (int begin = 0; begin <= 6; begin++) {
        int first = begin;
        List<Long> neighbour =
            acrossTheChange(V1, after, window -> window < first || window > first + 3);
        for (int window = 0; window < 10; window++) {
          boolean inSpan = window >= first && window <= first + 3;
          long moved = all.get(window) - neighbour.get(window);
          assertThat(moved)
              .as("window %d of a span from %d on", window, first)
              .isBetween(0L, inSpan ? window < 5 ? 2L : bound : 0L);
        }
      }
    }
  }

  /** A share affords two windows of a period, then four: after one of those two of these. */
  @Test
  void shouldGoOnWithTheFractionsThatUsersHaveSpent() {
    // With more, both would draw the least noise that there is.
    String two = affording(2).replace("900000", "400");
    String four = two.replace("version: 1", "version: 2").replace("windows: 2", "windows: 4");
    assertThat(mechanism(four)).isNotEqualTo(mechanism(two));
    assertThat(afterOneWindow(two, four))
        .as("a half and two quarters; the next period is whole")
        .containsExactly("1/v2:2", "2/v2:2", "3/v2:0", "4/v2:2", "5/v2:2", "6/v2:2", "7/v2:2");
  }

  /** Both versions draw the same noise: of its charges a period has what the later one affords. */
  @Test
  void shouldCountTheSameChargeAsOneUnderBothVersions() {
    String two = affording(2);
    String three = two.replace("version: 1", "version: 2").replace("windows: 2", "windows: 3");
    assertThat(mechanism(three)).isEqualTo(mechanism(two));
    assertThat(afterOneWindow(two, three))
        .as("three windows of each period, whoever released them")
        .containsExactly("1/v2:2", "2/v2:2", "3/v2:0", "4/v2:2", "5/v2:2", "6/v2:2", "7/v2:0");
  }

  private static String affording(int windows) {
    return V1.replace("period: { any: 30s }", "period: 40s")
        .replace("delta: 1e-6 } }", "delta: 1e-6 }, windows: %d }".formatted(windows));
  }

  private static String mechanism(String yaml) {
    return Fixture.plan(yaml).releases().get(0).charge().mechanism();
  }

  /** What the next version releases of two periods, the first of which has one former window. */
  private static List<String> afterOneWindow(String before, String after) {
    PopulationRun run = new PopulationRun();
    run.run(Fixture.plan(before), PopulationRun.beginning());
    run.run(Fixture.plan(before), journal(List.of(), activation(after, 1)));
    assertThat(shown(run.run(Fixture.plan(before), windows(0, 1)))).containsExactly("0/v1:2");
    return shown(run.run(Fixture.plan(after), windows(1, 8)));
  }

  /** Two partitions of users in front of the first one of subjects, where "north" lies. */
  private static final class Subjects {
    private final List<KeyValueStore<Bytes, byte[]>> stores =
        new ArrayList<>(
            MemoryStores.named(
                    List.of(Names.SUBJECTS_META_STORE, Names.DATASET_STORE, Names.RUNNING_STORE))
                .values());
    private final Deployment deployment = Fixture.deployment(2, PipelineMeters.none());
    private long offset;

    /** Lets a program take in entries that another one may have written. */
    List<String> run(String yaml, String author, JournalEntry... entries) {
      Plan plan = Fixture.plan(yaml);
      Stamp stamp = StateIdentity.Maker.of(Fixture.plan(author), deployment).stamp();
      ProcessorRun<String> keeper = ProcessorRun.subjects(plan, deployment, stores);
      for (JournalEntry entry : entries) {
        keeper.take(offset++, JournalCodec.encode(stamp, entry), NOW);
      }
      for (int turn = 0; turn < 20; turn++) {
        keeper.punctuate();
      }
      keeper.commit();
      return shown(
          keeper.forwarded().stream()
              .map(forward -> (CountRelease) Outputs.decodeAny(forward.value()))
              .toList());
    }
  }

  private static VersionEnd end(int source, int window) {
    Activation next = activation(V2, window);
    return new VersionEnd(source, 2, next.from(), next.digest(), next.noiseKey());
  }

  private static Observation record(int window) {
    return new Observation("north", start(window), 0, List.of(), 0);
  }

  private static Subjects twoPartitions() {
    Subjects subjects = new Subjects();
    subjects.run(
        V1,
        V1,
        new Genesis(0, new StateEpoch(7, 7)),
        new Genesis(1, new StateEpoch(8, 8)),
        new Watermark(0, start(0)),
        new Watermark(1, start(0)));
    return subjects;
  }

  @Test
  void shouldLeaveWindowsOnlyOnceAllPartitionsOfUsersDo() {
    Subjects subjects = twoPartitions();
    assertThat(
            subjects.run(
                V1,
                V1,
                end(0, 2),
                record(2),
                new Watermark(0, start(2)),
                new Watermark(1, start(3))))
        .as("one of two has closed window 2, so subjects wait for the other one")
        .containsExactly("0/v1:0", "1/v1:0");
    assertThat(subjects.run(V1, V1, end(0, 4), end(1, 4), new Watermark(0, start(4))))
        .as("a later window is announced: who waited goes on")
        .containsExactly("2/v1:1");
    assertThat(subjects.run(V1, V1, end(0, 5), new Watermark(1, start(4))))
        .as("one takes back what it said")
        .containsExactly("3/v1:0");
    assertThatThrownBy(() -> subjects.run(V2, V2))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("has not been activated");
    assertThat(
            subjects.run(V1, V1, end(1, 5), new Watermark(0, start(5)), new Watermark(1, start(5))))
        .containsExactly("4/v1:0");
    assertThat(
            subjects.run(V2, V2, record(5), new Watermark(0, start(6)), new Watermark(1, start(6))))
        .containsExactly("5/v2:1");
  }

  /** Records that were bounded and charged otherwise are never mixed with a version's own. */
  @Test
  void shouldStopAtAnEarlierVersionsRecordsOfItsOwnWindows() {
    Subjects subjects = twoPartitions();
    subjects.run(
        V1, V1, end(0, 1), end(1, 1), new Watermark(0, start(1)), new Watermark(1, start(1)));
    assertThat(subjects.run(V2, V2, record(1))).isEmpty();
    assertThatThrownBy(() -> subjects.run(V2, V1, record(1)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("an earlier version of the file passed on records")
        .hasMessageNotContaining("north");
  }

  /** Subjects have no ledgers there, and still nothing is drawn whose share does not hold it. */
  @Test
  void shouldCheckTheShareOfEachOutputWhereNoSubjectIsCharged() {
    Plan plan = Fixture.plan(V1);
    PlannedRelease kept = plan.releases().get(0);
    PlannedRelease beyond =
        (PlannedRelease)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {PlannedRelease.class},
                (proxy, method, arguments) ->
                    method.getName().equals("deltaBesides")
                        ? BigDecimal.ONE
                        : method.invoke(kept, arguments));
    Subjects subjects = new Subjects();
    assertThatThrownBy(
            () ->
                ProcessorRun.subjects(
                    new Plan(plan.pipeline(), List.of(beyond)),
                    subjects.deployment,
                    subjects.stores))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("exceed its epsilon and delta");
  }
}
