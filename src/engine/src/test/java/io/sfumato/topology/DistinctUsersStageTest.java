// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.CountRelease;
import io.sfumato.topology.context.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts of distinct users, through the whole topology, against sets of users. */
class DistinctUsersStageTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { %s }
      subjects: [east, west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: window }
      releases:
        - count: { name: n, of: users, %s, share: { epsilon: 900000, delta: 1e-6 } }
      """;

  @TempDir Path state;

  private record Visit(int window, String who, String ward, String what) {
    String cell(boolean byCategory) {
      return byCategory ? ward + " " + what : ward;
    }
  }

  private static List<Visit> visits(Random random, int windows) {
    List<Visit> visits = new ArrayList<>();
    for (int window = 0; window < windows; window++) {
      for (int i = 0; i < 25; i++) {
        visits.add(
            new Visit(
                window,
                "u" + random.nextInt(9),
                random.nextBoolean() ? "east" : "west",
                random.nextBoolean() ? "a" : "b"));
      }
    }
    return visits;
  }

  /** Closes each window behind its records, which come in any order. */
  private static void send(Fixture pipeline, List<Visit> visits, int windows, Random random) {
    for (int window = 0; window < windows; window++) {
      int now = window;
      List<Visit> mine =
          new ArrayList<>(visits.stream().filter(visit -> visit.window() == now).toList());
      Collections.shuffle(mine, random);
      for (Visit visit : mine) {
        pipeline.sendJson(
            window * 10 + 1,
            "'who':'%s','ward':'%s','what':'%s'",
            visit.who(),
            visit.ward(),
            visit.what());
      }
      pipeline.tick(window * 10L + 12);
    }
  }

  /** What each output should say: by window and subject. */
  private static Map<String, List<Long>> expected(
      List<Visit> visits, int windows, int last, boolean byCategory) {
    Map<String, List<Long>> expected = new TreeMap<>();
    for (int t = 0; t < windows; t++) {
      for (String ward : List.of("east", "west")) {
        List<Long> counts = new ArrayList<>();
        for (String what : byCategory ? List.of("a", "b") : List.of("")) {
          String cell = byCategory ? ward + " " + what : ward;
          Set<String> users = new HashSet<>();
          for (Visit visit : visits) {
            if (visit.window() <= t
                && visit.window() > t - last
                && visit.cell(byCategory).equals(cell)) {
              users.add(visit.who());
            }
          }
          counts.add((long) users.size());
        }
        expected.put(t + " " + ward, counts);
      }
    }
    return expected;
  }

  private static Map<String, List<Long>> told(Fixture pipeline, boolean ofLast) {
    Map<String, List<Long>> told = new TreeMap<>();
    for (CountRelease release : pipeline.releases("n", CountRelease.class)) {
      long window = (release.getWindowStart().toEpochMilli() - NOW) / 10_000;
      told.put(
          window + " " + release.getSubject(),
          ofLast ? release.getLastCounts() : release.getCounts());
    }
    return told;
  }

  /** Users with more records than may count are in each of their subjects and categories. */
  @ParameterizedTest
  @ValueSource(strings = {"total", "category"})
  void shouldCountEachUserOnceACell(String by) {
    Random random = new Random(5);
    List<Visit> visits = visits(random, 6);
    boolean byCategory = by.equals("category");
    // C bounds what is kept of a subject; for a total one record a subject is enough.
    String bounds =
        byCategory ? "per-window: 40, subjects: 2, cells: 4" : "per-window: 2, subjects: 2";
    try (Fixture pipeline = new Fixture(FILE.formatted(bounds, "by: " + by), state)) {
      send(pipeline, visits, 6, random);
      assertThat(told(pipeline, false)).isEqualTo(expected(visits, 6, 1, byCategory));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"total", "category"})
  void shouldCountTheUsersOfTheLastWindowsOnce(String by) {
    Random random = new Random(7);
    // Now and then few come, so that gaps have all lengths.
    List<Visit> visits = new ArrayList<>(visits(random, 20));
    visits.removeIf(visit -> random.nextInt(10) < 8);
    boolean byCategory = by.equals("category");
    String bounds = "per-window: 40, subjects: 2" + (byCategory ? ", cells: 4" : "");
    try (Fixture pipeline = new Fixture(FILE.formatted(bounds, "over: 4, by: " + by), state)) {
      send(pipeline, visits, 20, random);
      assertThat(told(pipeline, true)).isEqualTo(expected(visits, 20, 4, byCategory));
      assertThat(pipeline.releases("n", CountRelease.class))
          .allMatch(release -> release.getCounts().isEmpty())
          .allMatch(release -> release.getLastError95() == release.getError95());
    }
  }

  /** Who is not charged is in no count: neither of a window, nor of the last ones. */
  @ParameterizedTest
  @ValueSource(strings = {"by: total", "by: category", "by: total, over: 2"})
  void shouldNotCountUsersWhoHaveSpentTheirShare(String counted) {
    String file =
        FILE.formatted("per-window: 2", counted + ", windows: 2")
            .replace("period: window", "period: lifetime");
    try (Fixture pipeline = new Fixture(file, state)) {
      for (int window = 0; window < 5; window++) {
        pipeline.sendJson(window * 10 + 1, "'who':'u','ward':'west','what':'a'");
        pipeline.tick(window * 10L + 12);
      }
      boolean ofLast = counted.contains("over");
      assertThat(told(pipeline, ofLast).entrySet())
          .filteredOn(entry -> entry.getKey().endsWith("west"))
          .extracting(entry -> entry.getValue().get(0))
          .containsExactly(1L, 1L, ofLast ? 1L : 0L, 0L, 0L);
    }
  }

  /** Of a user at most G categories count, of whatever subjects. */
  @Test
  void shouldCountAUserInNoMoreCellsThanTheFileAllows() {
    try (Fixture pipeline =
        new Fixture(
            FILE.formatted("per-window: 40, subjects: 2, cells: 3", "by: category"), state)) {
      for (Visit visit : visits(new Random(1), 1)) {
        pipeline.sendJson(1, "'who':'u','ward':'%s','what':'%s'", visit.ward(), visit.what());
      }
      pipeline.tick(12);
      assertThat(
              told(pipeline, false).values().stream()
                  .flatMap(List::stream)
                  .mapToLong(Long::longValue)
                  .sum())
          .isEqualTo(3);
    }
  }

  private static long rows(Fixture pipeline, String store) {
    long rows = 0;
    try (KeyValueIterator<Bytes, byte[]> all =
        pipeline.driver.<Bytes, byte[]>getKeyValueStore(store).all()) {
      while (all.hasNext()) {
        all.next();
        rows++;
      }
    }
    return rows;
  }

  /** Who is forgotten stays in the last windows' counts, once, and then goes everywhere. */
  @Test
  void shouldCountAForgottenUserOnceUntilTheLastWindowsArePast() {
    String file = FILE.formatted("per-window: 2", "by: total, over: 3");
    try (Fixture pipeline = new Fixture(file, state)) {
      pipeline.sendJson(1, "'who':'u','ward':'west','what':'a'");
      pipeline.tick(12);
      pipeline.command(ControlCommand.FORGET, "u");
      pipeline.sendJson(11, "'who':'u','ward':'west','what':'a'");
      for (int window = 1; window < 8; window++) {
        pipeline.tick(window * 10L + 12);
      }
      assertThat(told(pipeline, true).entrySet())
          .filteredOn(entry -> entry.getKey().endsWith("west"))
          .extracting(Map.Entry::getValue)
          .containsExactly(
              List.of(1L),
              List.of(1L),
              List.of(1L),
              List.of(1L),
              List.of(0L),
              List.of(0L),
              List.of(0L),
              List.of(0L));
      assertThat(rows(pipeline, Names.CELL_STORE)).isZero();
    }
  }
}
