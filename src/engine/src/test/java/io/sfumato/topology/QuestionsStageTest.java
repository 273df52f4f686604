// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.UsersRun.SIZE;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Watermark;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several questions in one file: each is answered as if it had a file of its own. */
class QuestionsStageTest {
  private static final String SHARE = "share: { epsilon: 100000, delta: 1e-6 }";

  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b]%s }
      contributions: { %s }
      subjects: [east, west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 1000000, delta: 1e-4, period: window }
      releases:
      """;

  private static final int WINDOWS = 6;

  @TempDir Path state;

  /**
   * @param item none of some records, which then have no category of an output by it
   */
  private record Visit(
      int window, String who, String ward, String what, int id, String kind, String item) {
    String fields() {
      return "'who':'%s','ward':'%s','what':'%s','id':'%d','kind':'%s'%s"
          .formatted(who, ward, what, id, kind, item.isEmpty() ? "" : ",'item':'" + item + "'");
    }
  }

  private static List<Visit> visits(Random random) {
    List<Visit> visits = new ArrayList<>();
    for (int window = 0; window < WINDOWS; window++) {
      for (int i = 0; i < 40; i++) {
        visits.add(
            new Visit(
                window,
                "u" + random.nextInt(6),
                random.nextBoolean() ? "east" : "west",
                random.nextBoolean() ? "a" : "b",
                random.nextInt(30),
                random.nextInt(3) == 0 ? "order" : "view",
                List.of("x", "y", "z", "").get(random.nextInt(4))));
      }
    }
    return visits;
  }

  private static String count(String name, String more) {
    return "  - count: { name: %s, %s%s }%n".formatted(name, more, SHARE);
  }

  /** What an output says, by window and subject; noise of so large an epsilon rounds to nothing. */
  private Map<String, List<Long>> told(String yaml, String output, List<Visit> visits) {
    try (Fixture pipeline = new Fixture(yaml, state.resolve(output + yaml.hashCode()))) {
      int window = 0;
      for (Visit visit : visits) {
        if (visit.window() > window) {
          window = visit.window();
          pipeline.tick(window * 10L + 2);
        }
        pipeline.sendJson(visit.window() * 10 + 1, visit.fields());
      }
      pipeline.tick(WINDOWS * 10L + 2);
      Map<String, List<Long>> told = new TreeMap<>();
      for (CountRelease release : pipeline.releases(output, CountRelease.class)) {
        told.put(
            release.getWindowStart() + " " + release.getSubject(),
            release.getCounts().isEmpty() ? release.getLastCounts() : release.getCounts());
      }
      return told;
    }
  }

  /** By the same ranks: the same records count as in a file that has this question alone. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", id: id"})
  void shouldAnswerEachQuestionAsAFileOfItsOwnWould(String id) {
    List<Visit> visits = visits(new Random(3));
    Map<String, String> bounds =
        Map.of(
            "all", "per-window: 4, subjects: 2",
            "one", "per-window: 1",
            "few", "per-window: 3, subjects: 2",
            "many", "per-window: 6");
    String together =
        FILE.formatted(id, bounds.get("all"))
            + count("all", "")
            + count("one", "contributions: { per-window: 1 }, ")
            + count("few", "contributions: { per-window: 3, subjects: 2 }, ")
            + count("many", "contributions: { per-window: 6, subjects: 1 }, ");
    bounds.forEach(
        (output, own) ->
            assertThat(told(together, output, visits))
                .as(output)
                .hasSize(2 * WINDOWS)
                .isEqualTo(told(FILE.formatted(id, own) + count(output, ""), output, visits)));
  }

  /** Records that an output does not mean take no room from those that it means. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", id: id"})
  void shouldCountOfEachQuestionTheRecordsThatItMeans(String id) {
    List<Visit> visits = visits(new Random(5));
    String two = "per-window: 2, subjects: 2";
    String together =
        FILE.formatted(id, two)
            + count("all", "")
            + count("orders", "where: { kind: order }, ")
            + count("views", "where: { kind: { not: order } }, contributions: { per-window: 1 }, ")
            + count("items", "category: item, categories: [x, y, z], ")
            + count(
                "sold", "where: { kind: order }, category: item, categories: [x, y], other: o, ");
    String items = "category: item, categories: [x, y, z]";
    String sold = "category: item, categories: [x, y], other: o";
    Map<String, String> alone = new TreeMap<>();
    alone.put("all", FILE.formatted(id, two));
    alone.put("orders", FILE.formatted(id + ", where: { kind: order }", two));
    alone.put("views", FILE.formatted(id + ", where: { kind: { not: order } }", "per-window: 1"));
    alone.put("items", of(FILE.formatted(id, two), items));
    alone.put("sold", of(FILE.formatted(id + ", where: { kind: order }", two), sold));
    alone.forEach(
        (output, file) ->
            assertThat(told(together, output, visits))
                .as(output)
                .hasSize(2 * WINDOWS)
                .isEqualTo(told(file + count(output, ""), output, visits)));
  }

  private static String of(String file, String category) {
    return file.replace("category: what, categories: [a, b]", category);
  }

  /** A longer window is decided with its last one, after that one's own outputs. */
  @Test
  void shouldAnswerAboutLongerWindowsAsAFileWithTheseWould() {
    List<Visit> visits = visits(new Random(6));
    String file =
        FILE.formatted("", "per-window: 2, subjects: 2").replace("period: window", "period: 60s");
    String bounds = "contributions: { per-window: 3, subjects: 2 }, ";
    String together =
        file
            + count("short", "")
            + count("long", "window: 30s, " + bounds)
            + count("users", "window: 30s, of: users, by: total, over: 2, " + bounds);
    String longer =
        file.replace("per-window: 2", "per-window: 3").replace("size: 10s", "size: 30s");
    assertThat(told(together, "short", visits))
        .hasSize(2 * WINDOWS)
        .isEqualTo(told(file + count("short", ""), "short", visits));
    assertThat(told(together, "long", visits))
        .hasSize(2 * WINDOWS / 3)
        .isEqualTo(told(longer + count("long", ""), "long", visits));
    assertThat(told(together, "users", visits))
        .hasSize(2 * WINDOWS / 3)
        .isEqualTo(
            told(longer + count("users", "of: users, by: total, over: 2, "), "users", visits));
  }

  /** Users of the last windows are kept for each question, by its own cells. */
  @Test
  void shouldCountDistinctUsersOfEachQuestion() {
    List<Visit> visits = visits(new Random(4));
    String total = "of: users, by: total, over: 3, ";
    String category = "of: users, by: category, over: 2, ";
    String together =
        FILE.formatted("", "per-window: 9, subjects: 1")
            + count("days", total)
            + count(
                "cells", "contributions: { per-window: 9, subjects: 2, cells: 3 }, " + category);
    assertThat(told(together, "days", visits))
        .isEqualTo(
            told(
                FILE.formatted("", "per-window: 9, subjects: 1") + count("days", total),
                "days",
                visits));
    assertThat(told(together, "cells", visits))
        .isEqualTo(
            told(
                FILE.formatted("", "per-window: 9, subjects: 2, cells: 3")
                    + count("cells", category),
                "cells",
                visits));
  }

  /** Thresholds of their own, beside users of all cells and what the file leaves out. */
  @Test
  void shouldCountUsersBeyondTheBoundsOfEachQuestion() {
    List<Visit> visits = visits(new Random(8));
    String file = FILE.formatted("", "per-window: 2, subjects: 2, left-out: 3");
    String lost = count("lost", "by: left-out, ");
    String together =
        file
            + lost
            + count("more", "by: beyond, ")
            + count("users", "of: users, contributions: { per-window: 9, subjects: 2 }, ")
            + count("four", "by: beyond, contributions: { per-window: 4 }, ")
            + count(
                "orders", "by: beyond, where: { kind: order }, contributions: { per-window: 1 }, ");
    Map<String, String> alone =
        Map.of(
            "more", file + lost + count("more", "by: beyond, "),
            "users",
                FILE.formatted("", "per-window: 9, subjects: 2") + count("users", "of: users, "),
            "four", FILE.formatted("", "per-window: 4") + count("four", "by: beyond, "),
            "orders",
                FILE.formatted(", where: { kind: order }", "per-window: 1")
                    + count("orders", "by: beyond, "));
    alone.forEach(
        (output, own) ->
            assertThat(told(together, output, visits))
                .as(output)
                .hasSize(2 * WINDOWS)
                .isEqualTo(told(own, output, visits)));
  }

  private static final String PERIODS =
      """
      pipeline: test
      input: { topic: in, subject: land, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2 }
      subjects: roster
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 3, delta: 3e-6, period: 80s }
      releases:
        - count: { name: daily, by: total, share: { epsilon: 1, delta: 1e-6 } }
        - count: { name: hourly, by: total, contributions: { per-window: 2, per-period: 3 }, share: { epsilon: 1, delta: 1e-6 } }
        - count: { name: rare, by: total, contributions: { per-window: 1, per-period: 1 }, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static List<Long> close(UsersRun run, int window) {
    run.take(new Watermark(0, NOW + (window + 1) * SIZE));
    run.settle();
    Map<Integer, Long> counted =
        run.forwarded().stream()
            .filter(Observations.class::isInstance)
            .flatMap(entry -> ((Observations) entry).records().stream())
            .collect(Collectors.groupingBy(Observation::question, Collectors.counting()));
    return List.of(
        counted.getOrDefault(0, 0L), counted.getOrDefault(1, 0L), counted.getOrDefault(2, 0L));
  }

  /** One that has used up its bound of a period does not stop the others. */
  @Test
  void shouldDecideAndChargeEachQuestionByItself() {
    UsersRun run = UsersRun.begun(PERIODS);
    for (int window = 0; window < 8; window++) {
      List<Contribution> records = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        records.add(new Contribution("ann", NOW + window * SIZE, "west", 0, i, List.of(), ""));
      }
      run.take(new Contributions(records));
      assertThat(close(run, window))
          .as("window " + window)
          .isEqualTo(List.of(2L, window == 0 ? 2L : window == 1 ? 1L : 0L, window == 0 ? 1L : 0L));
      run.restart();
      assertThat(run.ledgers.alive())
          .as("one a share, to the period's end")
          .hasSize(window < 7 ? 3 : 0);
    }
  }

  /** Files without questions of their own write what they always wrote. */
  @Test
  void shouldNumberNothingInAFileOfOneQuestion() {
    String same = PERIODS.replace("contributions: { per-window: 2, per-period: 3 }, ", "");
    same = same.replace("contributions: { per-window: 1, per-period: 1 }, ", "");
    String named = same.replace("by: total, ", "by: total, contributions: { per-window: 2 }, ");
    assertThat(named).isNotEqualTo(same);
    assertThat(Fixture.plan(named).pipeline().questions()).isEmpty();
    assertThat(Fixture.plan(named).digest()).isEqualTo(Fixture.plan(same).digest());
    assertThat(Fixture.plan(PERIODS).digest()).isNotEqualTo(Fixture.plan(same).digest());
  }
}
