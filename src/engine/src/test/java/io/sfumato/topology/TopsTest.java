// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.release.Plan;
import io.sfumato.schema.NamesRelease;
import io.sfumato.schema.TopName;
import io.sfumato.schema.TopRelease;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of the largest counts: functions of what is published, and of nothing else. */
class TopsTest {
  private static final String FILE =
      """
      pipeline: test
      input:
        topic: in
        subject: land
        user: who
        time: at
        category: what
        categories: { discover: { name: terms, share: { epsilon: %s, delta: 1e-6 }, most: 5000 } }
      contributions: { per-window: %d }
      subjects: [west, east]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: %s, delta: 1e-6, period: window }
      releases:
        - top: { name: best, k: %d, of: terms }
      """;

  /** So much budget that the noise is 0 but for a chance below 1e-200: three users are enough. */
  private static final String NO_NOISE = "900000";

  @TempDir Path state;

  private static String file(int k) {
    return FILE.formatted(NO_NOISE, 4, NO_NOISE, k);
  }

  private static void users(Fixture pipeline, int users, String land, long window, String what) {
    for (int i = 0; i < users; i++) {
      pipeline.sendJson(
          window * 10 + 1, "'who':'%s%d','land':'%s','what':'%s'", land, i, land, what);
    }
  }

  private static List<TopRelease> tops(Fixture pipeline) {
    return pipeline.releases("best", TopRelease.class);
  }

  private static List<NamesRelease> lists(Fixture pipeline) {
    return pipeline.releases("terms", NamesRelease.class);
  }

  private static String shown(TopRelease top) {
    return top.getSubject()
        + ": "
        + top.getRows().stream()
            .map(row -> "%d. %s %d".formatted(row.getRank(), row.getName(), row.getCount()))
            .collect(Collectors.joining(", "));
  }

  /** A sum over windows: who reads the list must not take it for that of the last one. */
  @Test
  void ofCountsThatRunItSaysSinceWhen() {
    String running =
        file(2)
            .replace("most: 5000", "running: 3, test-every: 1, windows: 9")
            .replace("period: window", "period: lifetime");
    try (Fixture pipeline = new Fixture(running, state)) {
      for (int window = 0; window < 4; window++) {
        users(pipeline, 9 + window, "west", window, "c");
        users(pipeline, 8, "west", window, "d");
        pipeline.tick(window * 10 + 12);
      }
      assertThat(tops(pipeline))
          .filteredOn(top -> top.getSubject().equals("west"))
          .extracting(
              top -> shown(top) + " since " + (top.getSince().toEpochMilli() - NOW) / 10_000)
          .containsExactly(
              "west: 1. c 9, 2. d 8 since 0",
              "west: 1. c 19, 2. d 16 since 0",
              "west: 1. c 30, 2. d 24 since 0",
              "west: 1. c 12, 2. d 8 since 3");
    }
  }

  @Test
  void theLargestCountsComeFirstAndOfAsManyTheFirstName() {
    try (Fixture pipeline = new Fixture(file(3), state)) {
      users(pipeline, 3, "west", 0, "d");
      users(pipeline, 5, "west", 0, "c");
      users(pipeline, 3, "west", 0, "a");
      users(pipeline, 3, "west", 0, "b");
      users(pipeline, 4, "east", 0, "c");
      users(pipeline, 1, "east", 0, "a");
      pipeline.tick(12);
      List<TopRelease> tops = tops(pipeline);
      assertThat(tops)
          .extracting(TopsTest::shown)
          .containsExactlyInAnyOrder("west: 1. c 5, 2. a 3, 3. b 3", "east: 1. c 4");
      assertThat(tops)
          .extracting(top -> top.getSubject() + top.getNames())
          .containsExactlyInAnyOrder("west4", "east1");
      users(pipeline, 4, "east", 1, "e");
      pipeline.tick(22);
      assertThat(tops(pipeline))
          .extracting(TopsTest::shown)
          .containsExactlyInAnyOrder("west: 1. a 0, 2. b 0, 3. c 0", "east: 1. e 4, 2. c 0");
    }
  }

  /** In UTF-16 the face, a pair of surrogates, would come before the ligature. */
  @Test
  void tiesAreInTheOrderOfBytes() {
    try (Fixture pipeline = new Fixture(file(2), state)) {
      users(pipeline, 3, "west", 0, "\ud83d\ude00");
      users(pipeline, 3, "west", 0, "\ufb01");
      pipeline.tick(12);
      assertThat(tops(pipeline))
          .filteredOn(top -> top.getSubject().equals("west"))
          .extracting(TopsTest::shown)
          .containsExactly("west: 1. \ufb01 3, 2. \ud83d\ude00 3");
    }
  }

  /** What it says of a name is what the list says of it, with the list's guarantee and time. */
  @Test
  void itSaysOfNamesWhatTheListSays() {
    try (Fixture pipeline = new Fixture(FILE.formatted("9", 4, "9", 1000), state)) {
      for (String name : List.of("a", "b", "c", "d")) {
        users(pipeline, 30, "west", 0, name);
      }
      pipeline.tick(12);
      var tops = pipeline.records("best");
      var lists = pipeline.records("terms");
      assertThat(tops).hasSize(2);
      for (int i = 0; i < tops.size(); i++) {
        TopRelease top = (TopRelease) Outputs.decodeAny(tops.get(i).value());
        NamesRelease list = (NamesRelease) Outputs.decodeAny(lists.get(i).value());
        assertThat(top.getGuarantee()).isEqualTo(list.getGuarantee());
        assertThat(top.getWindowStart()).isEqualTo(list.getWindowStart());
        assertThat(top.getOf()).isEqualTo("terms");
        assertThat(top.getReleaseId()).isNotEqualTo(list.getReleaseId());
        assertThat(tops.get(i).timestamp()).isEqualTo(lists.get(i).timestamp());
        assertThat(tops.get(i).key()).isEqualTo(lists.get(i).key());
        assertThat(
                top.getRows().stream()
                    .map(
                        row ->
                            "%s %d %d %d %s"
                                .formatted(
                                    row.getName(),
                                    row.getCount(),
                                    row.getLow(),
                                    row.getHigh(),
                                    row.getFound())))
            .containsExactlyInAnyOrderElementsOf(
                list.getNames().stream()
                    .map(
                        name ->
                            "%s %d %d %d %s"
                                .formatted(
                                    name.getName(),
                                    name.getCount(),
                                    name.getLow(),
                                    name.getHigh(),
                                    name.getFound()))
                    .toList());
      }
    }
  }

  /** Parts are one list: the largest counts stand in the last part. */
  @Tag("deep")
  @Test
  void aLongListHasOneTop() {
    List<String> names = IntStream.range(0, 2_000).mapToObj("%0200d"::formatted).toList();
    try (Fixture pipeline = new Fixture(FILE.formatted(NO_NOISE, 1000, NO_NOISE, 4), state)) {
      for (int user = 0; user < 8; user++) {
        for (int i = 0; i < 1_000; i++) {
          String name = names.get(i + user % 2 * 1_000);
          if (user < 6 || i >= 998) {
            pipeline.sendJson(1, "'who':'u%d','land':'west','what':'%s'", user, name);
          }
        }
      }
      pipeline.tick(12);
      assertThat(lists(pipeline).stream().filter(list -> list.getSubject().equals("west")))
          .hasSizeGreaterThan(1);
      List<TopRelease> west =
          tops(pipeline).stream().filter(top -> top.getSubject().equals("west")).toList();
      assertThat(west).hasSize(1);
      assertThat(west.get(0).getNames()).isEqualTo(2_000);
      assertThat(west.get(0).getRows())
          .extracting(TopName::getName)
          .containsExactly(names.get(998), names.get(999), names.get(1998), names.get(1999));
      assertThat(west.get(0).getRows()).extracting(TopName::getCount).containsOnly(4L);
    }
  }

  @Test
  void itChangesNothingOfWhatItIsMadeOf() {
    String with = FILE.formatted("9", 4, "9", 2);
    String without = with.substring(0, with.indexOf("releases:"));
    List<List<NamesRelease>> seen = new ArrayList<>();
    for (String yaml : List.of(with, without)) {
      try (Fixture pipeline = new Fixture(yaml, state.resolve("s" + seen.size()))) {
        users(pipeline, 30, "west", 0, "a");
        users(pipeline, 30, "east", 0, "b");
        pipeline.tick(12);
        pipeline.tick(22);
        seen.add(lists(pipeline));
      }
    }
    assertThat(seen.get(0)).hasSize(4).isEqualTo(seen.get(1));
  }

  /** Wherever slices are cut, and wherever the program begins again: the same bytes. */
  @Test
  void everyCutGivesTheSame() {
    Plan plan = Fixture.plan(FILE.formatted("9", 4, "9", 3));
    List<JournalEntry> story = new ArrayList<>();
    story.add(new Genesis(0, new StateEpoch(7, 7)));
    story.add(new Watermark(0, NOW));
    Random random = new Random(11);
    List<Observation> batch = new ArrayList<>();
    for (int window = 0; window < 6; window++) {
      for (int i = 0; i < 300; i++) {
        String name = "n" + (int) (8 * random.nextDouble() * random.nextDouble());
        String land = random.nextInt(3) == 0 ? "east" : "west";
        batch.add(new Observation(land, NOW + window * 10_000L, 0, List.of(), 0, name));
        if (batch.size() == 15) {
          story.add(new Observations(batch));
          batch.clear();
        }
      }
      story.add(new Watermark(0, NOW + (window + 1) * 10_000L));
    }
    Map<String, String> expected = played(plan, story, new Random(0), false);
    assertThat(expected.keySet().stream().filter(key -> key.startsWith("best"))).hasSize(12);
    assertThat(expected.keySet().stream().filter(key -> key.startsWith("terms"))).hasSize(12);
    for (int cut = 1; cut <= 25; cut++) {
      assertThat(played(plan, story, new Random(cut), true)).as("cut %d", cut).isEqualTo(expected);
    }
  }

  private static Map<String, String> played(
      Plan plan, List<JournalEntry> story, Random random, boolean cuts) {
    SlicedStateMachine keeper = new SlicedStateMachine(plan, 1);
    for (JournalEntry entry : story) {
      keeper.take(entry, NOW);
      if (cuts && random.nextInt(20) == 0) {
        keeper.slice(random.nextInt(4), 1);
      }
      if (cuts && random.nextInt(60) == 0) {
        keeper.restart(plan);
      }
    }
    keeper.settle();
    Map<String, String> outputs = new TreeMap<>();
    for (SlicedStateMachine.Output output : keeper.outputs()) {
      var record = Outputs.decodeAny(output.value());
      outputs.merge(
          output.topic()
              + " "
              + output.key()
              + " "
              + record.get(record.getSchema().getField("window_start").pos()),
          HexFormat.of().formatHex(output.value()),
          (one, other) -> "twice: " + one + other);
    }
    return outputs;
  }
}
