// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.Population;
import io.sfumato.schema.CountRelease;
import io.sfumato.topology.contributions.Contributions;
import io.sfumato.topology.contributions.Contributions.Entry;
import io.sfumato.topology.contributions.Contributions.Layout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users with more records than count or are told as left out. */
class UsersBeyondTest {
  /** So much budget that the noise is 0 but for a chance below 1e-200. */
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 1, left-out: 3 }
      subjects: [east, west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, of: users, by: total, share: { epsilon: 200000, delta: 2e-7 }, windows: 2 }
        - count: { name: lost, by: left-out, share: { epsilon: 200000, delta: 2e-7 }, windows: 2 }
        - count: { name: more, by: beyond, share: { epsilon: 200000, delta: 2e-7 }, windows: 2 }
      """;

  /** C alone: nobody asks what is left out. */
  private static final String FROM_C =
      FILE.replace(", left-out: 3", "").replaceFirst("(?m)^.*name: lost.*\n", "");

  private static final ToLongFunction<String> RANKS =
      subject -> subject.hashCode() * 0x9E3779B97F4A7C15L;

  @TempDir Path state;

  private static Contributions added(Layout layout, List<Entry> records) {
    Contributions mine = new Contributions(layout);
    for (Entry record : records) {
      mine.add(record, RANKS);
      mine = Contributions.decode(mine.encode(), layout);
    }
    return mine;
  }

  /** Against numbers of all of a user's records, which nothing bounds. */
  @Test
  void shouldBeSubjectsOfWhichRecordsAreNeitherCountedNorLeftOut() {
    Random random = new Random(19);
    int beyond = 0;
    for (int round = 0; round < 2_000; round++) {
      int most = random.nextInt(12);
      int records = 1 + random.nextInt(5);
      Population population =
          new Population(
              "who",
              records,
              1 + random.nextInt(records),
              most == 0 ? OptionalInt.empty() : OptionalInt.of(most),
              Optional.empty());
      Layout layout = new Layout(population, 0, false, true);
      Map<String, Integer> lacking = new TreeMap<>();
      List<Entry> sent = new ArrayList<>();
      int subjects = 1 + random.nextInt(16);
      for (int i = random.nextInt(24); i >= 0; i--) {
        String subject = "s" + random.nextInt(subjects);
        sent.add(new Entry(subject, random.nextInt(3), random.nextLong()));
        lacking.merge(subject, 1, Integer::sum);
      }
      Contributions mine = added(layout, sent);
      mine.counted().forEach(entry -> lacking.merge(entry.subject(), -1, Integer::sum));
      mine.leftOut(RANKS).forEach(subject -> lacking.merge(subject, -1, Integer::sum));
      List<String> found = mine.beyond(RANKS, population, mine.counted());
      boolean isBeyond = sent.size() > mine.counted().size() + most;
      assertThat(!found.isEmpty()).isEqualTo(isBeyond);
      assertThat(found).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(population.subjects());
      found.forEach(subject -> assertThat(lacking.get(subject)).isPositive());
      beyond += isBeyond ? 1 : 0;
      Collections.shuffle(sent, random);
      Contributions shuffled = added(layout, sent);
      assertThat(shuffled.beyond(RANKS, population, shuffled.counted()))
          .as("any order")
          .isEqualTo(found);
      // Kept for other outputs with larger bounds, too.
      Population larger =
          new Population(
              "who",
              records + random.nextInt(4),
              population.subjects() + random.nextInt(records - population.subjects() + 1),
              population.leftOut(),
              Optional.empty());
      Contributions wide = added(new Layout(larger, 0, false, true), sent);
      List<Entry> counted = wide.within(population, RANKS).counted();
      assertThat(counted).isEqualTo(mine.counted());
      assertThat(wide.leftOut(RANKS, counted)).isEqualTo(mine.leftOut(RANKS));
      assertThat(wide.beyond(RANKS, population, counted)).isEqualTo(found);
      // And where others tell of left-out records: n > C without them.
      Population none = new Population("who", records, population.subjects());
      assertThat(wide.beyond(RANKS, none, counted).isEmpty())
          .isEqualTo(sent.size() == counted.size());
      // What counts, and what is told as left out, are as if nobody asked.
      Contributions others = added(new Layout(population, 0), sent);
      assertThat(others.counted()).isEqualTo(mine.counted());
      assertThat(others.leftOut(RANKS)).isEqualTo(mine.leftOut(RANKS));
      assertThat(others.beyond(RANKS, population, others.counted())).isEmpty();
    }
    assertThat(beyond).isBetween(200, 1_800);
  }

  private static void records(Fixture pipeline, int window, String who, String ward, int records) {
    for (int i = 0; i < records; i++) {
      pipeline.sendJson(window * 10 + 1, "'who':'%s','ward':'%s','what':'a'", who, ward);
    }
  }

  private static List<String> told(Fixture pipeline, String output) {
    return pipeline.releases(output, CountRelease.class).stream()
        .filter(release -> release.getCounts().get(0) != 0)
        .map(release -> release.getSubject() + " " + release.getCounts())
        .toList();
  }

  @Test
  void shouldCountEachUserWithMoreRecordsOnce() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      int number = 0;
      for (int records : new int[] {1, 4, 5, 6, 7, 100}) {
        records(pipeline, 0, "u" + number++, "west", records);
      }
      records(pipeline, 0, "v", "east", 6);
      pipeline.tick(12);
      assertThat(told(pipeline, "n")).containsExactlyInAnyOrder("east [1]", "west [6]");
      assertThat(told(pipeline, "lost")).containsExactlyInAnyOrder("east [3]", "west [14]");
      assertThat(told(pipeline, "more")).containsExactlyInAnyOrder("east [1]", "west [3]");
      assertThat(pipeline.releases("more", CountRelease.class))
          .allMatch(release -> release.getCategories().isEmpty())
          .allMatch(release -> release.getExampleLeftOut() == null)
          .allMatch(
              release ->
                  release.getGuarantee().getMechanism().contains("add-or-remove-user-in-1-cell"));
    }
  }

  @Test
  void shouldCountFromTheBoundOnWhereNobodyCountsWhatIsLeftOut() {
    try (Fixture pipeline = new Fixture(FROM_C, state)) {
      records(pipeline, 0, "u", "west", 2);
      records(pipeline, 0, "v", "west", 3);
      records(pipeline, 0, "w", "west", 50);
      pipeline.tick(12);
      assertThat(told(pipeline, "more")).containsExactly("west [2]");
    }
  }

  /** Who has spent the share counts nowhere: neither as a user, nor as one with more records. */
  @Test
  void shouldNotCountUsersWhoHaveSpentTheirShare() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      for (int window = 0; window < 4; window++) {
        records(pipeline, window, "u", "west", 9);
        pipeline.tick(window * 10L + 12);
      }
      assertThat(told(pipeline, "n")).containsExactly("west [1]", "west [1]");
      assertThat(told(pipeline, "lost")).containsExactly("west [3]", "west [3]");
      assertThat(told(pipeline, "more")).containsExactly("west [1]", "west [1]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "by: beyond|by: beyond, of: users|found 'users' with 'by: beyond'",
        "by: beyond|by: beyond, running: 2|found 'beyond' with 'running'",
        "by: beyond|by: beyond, over: 2|found 'beyond' with 'over'",
        "time: at,|time: at, id: event,|field 'input.id': found with a count 'by: beyond'",
        "category: what,|category: what, weight: minutes,|field 'contributions.max-weight': found 5 with a count 'by: beyond', which needs at least 6",
      })
  void shouldRefuseWhatCannotBeMeant(String old, String other, String message) {
    String file =
        other.contains("weight") ? FILE.replace("left-out: 3", "left-out: 3, max-weight: 5") : FILE;
    assertThatThrownBy(() -> Fixture.plan(file.replace(old, other)))
        .hasStackTraceContaining(message);
  }
}
