// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.Population;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.release.Plans;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.topology.contributions.Contributions;
import io.sfumato.topology.contributions.Contributions.Entry;
import io.sfumato.topology.contributions.Contributions.Layout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records that are copies of one event: it counts once for a user and window. */
class CopiesOfEventsTest {
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, user: who, subject: ward, time: at, category: what, categories: [a, b], id: event }
      contributions: { per-window: 3, subjects: 2 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 500000, delta: 1e-6, period: window }
      releases:
        - count: { name: numbers, by: category, method: laplace, share: { epsilon: 500000, delta: 1e-6 } }
      """;

  private static final ToLongFunction<String> SUBJECT_RANKS =
      subject -> subject.hashCode() * 0x9E3779B97F4A7C15L;

  private static final Comparator<Entry> BY_EVENT =
      Comparator.comparingLong(Entry::rank)
          .thenComparing(Entry::subject)
          .thenComparing(Entry::name);

  @TempDir Path state;

  /** What counts by its definition, from all records at once. */
  private static List<Entry> defined(Collection<Entry> records, Population users) {
    Set<String> subjects =
        Set.copyOf(
            records.stream()
                .map(Entry::subject)
                .distinct()
                .sorted(Comparator.comparingLong(SUBJECT_RANKS))
                .limit(users.subjects())
                .toList());
    List<Entry> kept = new ArrayList<>();
    records.stream()
        .filter(entry -> subjects.contains(entry.subject()))
        .collect(groupingBy(Entry::subject))
        .values()
        .forEach(mine -> kept.addAll(ofSubject(mine, users)));
    Map<Long, List<Entry>> events = kept.stream().collect(groupingBy(Entry::rank));
    return events.values().stream()
        .map(copies -> Collections.min(copies, Comparator.comparingLong(Entry::place)))
        .sorted(BY_EVENT)
        .limit(users.records())
        .toList();
  }

  private static List<Entry> ofSubject(List<Entry> records, Population users) {
    Map<List<Object>, List<Entry>> copies =
        records.stream()
            .collect(groupingBy(entry -> List.of(entry.rank(), entry.name()), toList()));
    Map<String, Integer> ofName = new HashMap<>();
    return copies.values().stream()
        .map(same -> Collections.min(same, Comparator.comparingLong(Entry::place)))
        .sorted(BY_EVENT)
        .filter(entry -> ofName.merge(entry.name(), 1, Integer::sum) <= users.perName())
        .limit(users.records())
        .toList();
  }

  /** In any order of arrival, from rows that are written and read again after each record. */
  @Property
  void shouldCountByDefinitionWhateverTheOrder(@ForAll long seed) {
    Random random = new Random(seed);
    boolean named = random.nextBoolean();
    int most = 1 + random.nextInt(5);
    Population users =
        new Population(
            "who",
            most,
            1 + random.nextInt(most),
            OptionalInt.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            named ? OptionalInt.of(1 + random.nextInt(most)) : OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty());
    Layout layout = new Layout(users, named ? 0 : 1, true);
    List<Entry> records = new ArrayList<>();
    int events = 1 + random.nextInt(12);
    for (int i = 0; i < 1 + random.nextInt(40); i++) {
      records.add(
          new Entry(
              "s" + random.nextInt(4),
              named ? 0 : random.nextInt(2),
              random.nextInt(events) * 0x9E3779B97F4A7C15L,
              named ? List.of() : List.of(random.nextDouble()),
              named ? "n" + random.nextInt(3) : "",
              random.nextLong()));
    }
    List<Entry> expected = defined(records, users);
    for (int order = 0; order < 4; order++) {
      Collections.shuffle(records, random);
      Contributions mine = new Contributions(layout);
      for (Entry record : records) {
        mine.add(record, SUBJECT_RANKS);
        mine = Contributions.decode(mine.encode(), layout);
      }
      assertThat(mine.counted()).isEqualTo(expected);
    }
    assertThat(new HashSet<>(expected.stream().map(Entry::rank).toList()))
        .as("no event twice")
        .hasSameSizeAs(expected);
  }

  /** Three events count, though one of them came in four categories: as the copy that is first. */
  @Test
  void shouldKeepOtherEventsThoughCopiesDiffer() {
    Contributions mine = new Contributions(new Layout(new Population("who", 3, 1), 0, true));
    for (int category = 0; category < 4; category++) {
      mine.add(new Entry("north", category, 1, List.of(), "", 10 - category), SUBJECT_RANKS);
    }
    mine.add(new Entry("north", 0, 2, List.of(), "", 0), SUBJECT_RANKS);
    mine.add(new Entry("north", 1, 3, List.of(), "", 0), SUBJECT_RANKS);
    assertThat(mine.counted()).extracting(Entry::rank).containsExactly(1L, 2L, 3L);
    assertThat(mine.counted()).extracting(Entry::category).containsExactly(3L, 0L, 1L);
  }

  /** A row holds at most C records of S subjects, however many copies and events come. */
  @Test
  void shouldKeepABoundedRow() {
    Population users = new Population("who", 3, 2);
    Contributions mine = new Contributions(new Layout(users, 0, true));
    Random random = new Random(7);
    int largest = 0;
    for (int i = 0; i < 20_000; i++) {
      mine.add(
          new Entry("s" + random.nextInt(50), 0, random.nextLong(), List.of(), "", i),
          SUBJECT_RANKS);
      largest = Math.max(largest, mine.encode().length);
    }
    // Format, and for each of 2 subjects its name, a number and 3 records of 17 bytes.
    assertThat(largest).isLessThanOrEqualTo(1 + 2 * (4 + 1 + 3 * 17));
  }

  private static void send(Fixture pipeline, String event, int second, String ward, String what) {
    pipeline.sendJson(second, "'event':%s,'who':'ann','ward':'%s','what':'%s'", event, ward, what);
  }

  @Test
  void shouldCountAnEventOnceInItsWindow() {
    try (Fixture pipeline = new Fixture(YAML, state)) {
      pipeline.tick(0);
      send(pipeline, "1", 1, "north", "a");
      send(pipeline, "\"1\"", 1, "north", "a");
      send(pipeline, "1.0", 2, "north", "a");
      send(pipeline, "2", 3, "north", "b");
      pipeline.tick(12);
      send(pipeline, "1", 13, "north", "a");
      send(pipeline, "null", 13, "north", "a");
      pipeline.tick(22);
      assertThat(pipeline.counts("numbers"))
          .containsExactlyInAnyOrder(
              "north [1, 1]", "south [0, 0]", "north [1, 0]", "south [0, 0]");
      assertThat(pipeline.deadLetters()).singleElement().asString().endsWith(":NO_ID");
    }
  }

  @Test
  void shouldReadItsOwnJournal() {
    JournalEntry entry =
        new JournalEntry.Contributions(
            List.of(
                new Contribution("ann", 7, "north", 1, -5, List.of(2.5), "", 9),
                new Contribution("bob", 9, "south", 0, 5, List.of(), "tea", -9)));
    assertThat(JournalCodec.decode(JournalCodec.encode(entry))).isEqualTo(entry);
  }

  /** Another user, window, id or item, and another key, have other ranks. */
  @Test
  void shouldRankEventsByKeyUserAndWindow() {
    NoiseKey key = NoiseSecret.parse(Fixture.KEY).derive();
    Set<Long> ranks = new HashSet<>();
    for (String user : List.of("ann", "bob")) {
      for (String id : List.of("1", "2")) {
        for (int item = 0; item < 2; item++) {
          for (long window : new long[] {0, 10}) {
            ranks.add(key.rankOfEvent(user, window, id, item));
          }
        }
      }
    }
    assertThat(ranks).hasSize(16);
    assertThat(key.rankOfEvent("ann", 0, "1", 0)).isEqualTo(key.rankOfEvent("ann", 0, "1", 0));
    assertThat(NoiseSecret.random().derive().rankOfEvent("ann", 0, "1", 0))
        .isNotEqualTo(key.rankOfEvent("ann", 0, "1", 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time: at | time: $timestamp | 'input.id': found with 'input.time: $timestamp', allowed is a time that the event itself has",
        "id: event | id: $topic | 'input.id': found '$topic'",
        "id: event | id: 'events[]' | 'input.id': found 'events[]'",
        "id: event | id: $key.id | 'input.id': found '$key.id' with 'input.key-format: text'",
        "subjects: 2 } | subjects: 2, left-out: 3 } | left-out",
      })
  void shouldRefuse(String part, String other, String expected) {
    assertThatThrownBy(() -> Plans.plan(YAML.replace(part, other))).hasMessageContaining(expected);
  }

  @Test
  void shouldBePartOfTheDigestAndTheLayout() throws Exception {
    var with = Plans.plan(YAML);
    var without = Plans.plan(YAML.replace(", id: event", ""));
    assertThat(with.digestText()).isNotEqualTo(without.digestText());
    assertThat(with.layout()).containsEntry("input.id", "event");
    assertThat(CanonicalText.of(without.pipeline().input())).endsWith("maxBytes=1000000]");
  }
}
