// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.NamesRelease;
import io.sfumato.schema.TopName;
import io.sfumato.schema.TopRelease;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists of the largest counts, of names that are counted over windows. */
class RunningTopsTest {
  /** Blocks of four windows, tested at the end of the second and of the fourth. */
  private static final String FILE =
      """
      pipeline: test
      input:
        topic: in
        subject: land
        user: who
        time: at
        category: what
        categories: { discover: { name: terms, share: { epsilon: %1$s, delta: 1e-6 }, running: 4, test-every: 2, forget-names: 1 } }
      contributions: { per-window: %2$d, per-period: %3$d, per-name: %5$d }
      subjects: [west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: %1$s, delta: 1e-6, period: 80s }
      releases:
        - top: { name: best, k: %4$d, of: terms }
      """;

  /** So much budget that the noise is 0 but for a chance below 1e-200. */
  private static final String NO_NOISE = "900000";

  @TempDir Path state;

  private static void users(Fixture pipeline, int users, long window, String... names) {
    users(pipeline, "u", users, window, names);
  }

  private static void users(
      Fixture pipeline, String whose, int users, long window, String... names) {
    for (int i = 0; i < users; i++) {
      for (String name : names) {
        pipeline.sendJson(
            window * 10 + 1, "'who':'%s%d','land':'west','what':'%s'", whose, i, name);
      }
    }
  }

  private static List<TopRelease> tops(Fixture pipeline) {
    return pipeline.releases("best", TopRelease.class);
  }

  private static List<NamesRelease> lists(Fixture pipeline) {
    return pipeline.releases("terms", NamesRelease.class);
  }

  private static String shown(TopRelease top) {
    return top.getNames()
        + ": "
        + top.getRows().stream()
            .map(row -> row.getName() + " " + row.getCount() + (row.getFound() ? " found" : ""))
            .collect(Collectors.joining(", "));
  }

  /** In UTF-16 the face, a pair of surrogates, would come before the ligature. */
  @Test
  void runningCountsAreRankedAndOfAsManyTheFirstNameInBytesComesFirst() {
    try (Fixture pipeline = new Fixture(FILE.formatted(NO_NOISE, 4, 40, 2, 4), state)) {
      users(pipeline, 9, 0, "\ud83d\ude00", "\ufb01");
      pipeline.tick(12);
      users(pipeline, 9, 1, "late");
      pipeline.tick(22);
      users(pipeline, 9, 2, "late");
      pipeline.tick(32);
      assertThat(tops(pipeline))
          .extracting(RunningTopsTest::shown)
          .containsExactly("0: ", "3: late 9 found, \ufb01 9 found", "3: late 18, \ufb01 9");
    }
  }

  /** A name leaves the list at the end of a block in which it did not pass, and is found again. */
  @Test
  void aNameThatWasForgottenIsFoundAgain() {
    try (Fixture pipeline = new Fixture(FILE.formatted(NO_NOISE, 8, 60, 3, 8), state)) {
      users(pipeline, 10, 0, "once");
      for (int window = 0; window < 10; window++) {
        users(pipeline, 6, window, "always");
        if (window == 8) {
          users(pipeline, 10, window, "once");
        }
        pipeline.tick(window * 10L + 12);
      }
      assertThat(tops(pipeline))
          .extracting(RunningTopsTest::shown)
          .containsExactly(
              "0: ",
              "2: always 12 found, once 10 found",
              "2: always 18, once 10",
              "2: always 24, once 10",
              "2: always 6, once 0",
              "2: always 12, once 0",
              "2: always 18, once 0",
              "2: always 24, once 0",
              "1: always 6",
              "2: always 12, once 10 found");
    }
  }

  /** Intervals are the list's: of a name that was found, given that it passed, and ever after. */
  @Test
  void intervalsOfNamesThatWereFoundStayConditioned() {
    try (Fixture pipeline = new Fixture(FILE.formatted("2", 2, 4, 1000, 1), state)) {
      for (int users = 30; users < 60; users += 2) {
        users(pipeline, "of" + users, users, 0, "of " + users);
      }
      for (int window = 0; window < 5; window++) {
        pipeline.tick(window * 10L + 12);
      }
      List<TopRelease> tops = tops(pipeline);
      List<NamesRelease> lists = lists(pipeline);
      for (int i = 0; i < 5; i++) {
        assertThat(tops.get(i).getRows())
            .extracting(row -> row.getName() + " " + row.getLow() + " " + row.getHigh())
            .containsExactlyInAnyOrderElementsOf(
                lists.get(i).getNames().stream()
                    .map(name -> name.getName() + " " + name.getLow() + " " + name.getHigh())
                    .toList());
      }
      List<TopName> foundBefore =
          tops.get(3).getRows().stream().filter(r -> !r.getFound()).toList();
      assertThat(foundBefore)
          .as("two windows later")
          .hasSizeGreaterThan(2)
          .allMatch(row -> below(row) >= above(row) - 1)
          .anyMatch(row -> below(row) > above(row) + 3);
      assertThat(tops.get(4).getRows())
          .as("in the next block they have not passed")
          .allMatch(row -> row.getLow() == 0 || Math.abs(below(row) - above(row)) <= 1);
    }
  }

  private static long below(TopName row) {
    return row.getCount() - row.getLow();
  }

  private static long above(TopName row) {
    return row.getHigh() - row.getCount();
  }

  /** Parts are one list, in the window that finds its names and in those after it. */
  @Tag("deep")
  @Test
  void aLongListHasOneTop() {
    List<String> names = IntStream.range(0, 1_000).mapToObj("%0250d"::formatted).toList();
    try (Fixture pipeline = new Fixture(FILE.formatted(NO_NOISE, 1_000, 1_300, 2, 2), state)) {
      for (int half = 0; half < 2; half++) {
        String[] some = names.subList(half * 500, half * 500 + 500).toArray(String[]::new);
        users(pipeline, 6, half, some);
      }
      users(pipeline, 6, 2, names.get(900), names.get(40));
      for (int window = 0; window < 3; window++) {
        pipeline.tick(window * 10L + 12);
      }
      assertThat(lists(pipeline))
          .as("one part of the first window, several of the others")
          .hasSizeGreaterThanOrEqualTo(5)
          .extracting(NamesRelease::getParts)
          .containsOnlyOnce(1);
      List<TopRelease> tops = tops(pipeline);
      assertThat(tops).hasSize(3);
      assertThat(tops.get(1).getRows())
          .extracting(TopName::getName)
          .containsExactly(names.get(0), names.get(1));
      assertThat(tops.get(2).getNames()).isEqualTo(1_000);
      assertThat(tops.get(2).getRows())
          .extracting(row -> row.getName() + " " + row.getCount())
          .containsExactly(names.get(40) + " 12", names.get(900) + " 12");
    }
  }
}
