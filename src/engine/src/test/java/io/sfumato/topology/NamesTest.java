// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.NamesRelease;
import io.sfumato.topology.context.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that nobody listed, through the whole topology. */
class NamesTest {
  private static final String FILE =
      """
      pipeline: test
      input:
        topic: in
        subject: land
        user: who
        time: at
        category: what
        categories: { discover: { name: terms, share: { epsilon: %s, delta: 1e-6 }%s } }
      contributions: { per-window: 4%s }
      subjects: [%s]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: %s, delta: 1e-6, period: window }
      """;

  /**
   * So much budget that the noise is 0 but for a chance below 1e-200: two users are enough, or not,
   * and three are.
   */
  private static final String NO_NOISE = "900000";

  @TempDir Path state;

  private static String file(String epsilon, String discover, String contributions, String lands) {
    return FILE.formatted(epsilon, discover, contributions, lands, epsilon);
  }

  private static String file(String discover) {
    return file(NO_NOISE, discover, "", "west");
  }

  private static void event(Fixture pipeline, String who, String land, long window, String what) {
    pipeline.sendJson(window * 10 + 1, "'who':'%s','land':'%s','what':'%s'", who, land, what);
  }

  /** So many users with one record each. */
  private static void users(Fixture pipeline, int users, long window, String what) {
    for (int i = 0; i < users; i++) {
      event(pipeline, "u" + i, "west", window, what);
    }
  }

  private static List<NamesRelease> released(Fixture pipeline) {
    return pipeline.releases("terms", NamesRelease.class);
  }

  private static String shown(NamesRelease release) {
    return release.getNames().stream()
        .map(name -> name.getName() + " " + name.getCount() + (name.getFound() ? " found" : ""))
        .collect(Collectors.joining(", "));
  }

  private static List<String> lists(Fixture pipeline) {
    return shown(released(pipeline));
  }

  private static List<String> shown(List<NamesRelease> releases) {
    return releases.stream().map(NamesTest::shown).toList();
  }

  private static Set<String> kept(Fixture pipeline) {
    Set<String> keys = new TreeSet<>();
    try (KeyValueIterator<Bytes, byte[]> rows =
        pipeline.driver.<Bytes, byte[]>getKeyValueStore(Names.NAME_STORE).all()) {
      rows.forEachRemaining(row -> keys.add(new String(row.key.get(), StandardCharsets.UTF_8)));
    }
    return keys;
  }

  @Test
  void whatEnoughUsersHaveIsFoundAndStaysPublic() {
    try (Fixture pipeline = new Fixture(file(""), state)) {
      users(pipeline, 3, 0, "paris");
      users(pipeline, 1, 0, "only mine");
      users(pipeline, 3, 0, "rome");
      pipeline.tick(12);
      pipeline.tick(22);
      users(pipeline, 1, 2, "paris");
      users(pipeline, 3, 2, "bonn");
      pipeline.tick(32);
      List<NamesRelease> told = released(pipeline);
      assertThat(shown(told))
          .containsExactly(
              "paris 3 found, rome 3 found", "paris 0, rome 0", "bonn 3 found, paris 1, rome 0");
      assertThat(told).extracting(NamesRelease::getListed).containsExactly(2L, 2L, 3L);
    }
  }

  @Test
  void nothingIsLeftOfWhatDoesNotPass() {
    try (Fixture pipeline = new Fixture(file(""), state)) {
      users(pipeline, 1, 0, "only mine");
      users(pipeline, 3, 0, "paris");
      pipeline.tick(12);
      assertThat(kept(pipeline)).noneMatch(key -> key.contains("only mine")).hasSize(3);
      assertThat(pipeline.records("test-dead-letters")).isEmpty();
      assertThat(pipeline.records("test-refusals")).isEmpty();
    }
  }

  /** One user's records for a name count once, unless the file says otherwise. */
  @Test
  void usersAreCountedUnlessRecordsAreAskedFor() {
    try (Fixture pipeline = new Fixture(file(""), state)) {
      for (int i = 0; i < 4; i++) {
        users(pipeline, 3, 0, "paris");
      }
      pipeline.tick(12);
      assertThat(lists(pipeline)).containsExactly("paris 3 found");
    }
  }

  @Test
  void recordsAreCountedUpToTheirBound() {
    try (Fixture pipeline = new Fixture(file(NO_NOISE, "", ", per-name: 3", "west"), state)) {
      for (int i = 0; i < 4; i++) {
        users(pipeline, 3, 0, "paris");
      }
      users(pipeline, 1, 0, "mine");
      pipeline.tick(12);
      assertThat(lists(pipeline)).containsExactly("paris 9 found");
    }
  }

  @Test
  void aNameIsForgottenAfterSoManyWindowsWithoutPassing() {
    try (Fixture pipeline = new Fixture(file(", forget-names: 2"), state)) {
      users(pipeline, 3, 0, "paris");
      users(pipeline, 3, 0, "rome");
      pipeline.tick(12);
      users(pipeline, 1, 1, "paris");
      users(pipeline, 3, 1, "rome");
      pipeline.tick(22);
      users(pipeline, 1, 2, "paris");
      pipeline.tick(32);
      users(pipeline, 1, 3, "paris");
      pipeline.tick(42);
      pipeline.tick(52);
      assertThat(lists(pipeline))
          .containsExactly(
              "paris 3 found, rome 3 found", "paris 1, rome 3", "paris 1, rome 0", "rome 0", "");
      assertThat(kept(pipeline)).hasSize(1);
      users(pipeline, 3, 5, "paris");
      pipeline.tick(62);
      assertThat(lists(pipeline)).endsWith("paris 3 found");
    }
  }

  /** Nobody goes for another: whoever came first stays. */
  @Test
  void noneIsFoundWhereTheListIsFull() {
    try (Fixture pipeline = new Fixture(file(", most: 2, forget-names: 1"), state)) {
      users(pipeline, 3, 0, "c");
      users(pipeline, 3, 0, "d");
      users(pipeline, 3, 0, "b");
      pipeline.tick(12);
      users(pipeline, 4, 1, "a");
      users(pipeline, 3, 1, "b");
      pipeline.tick(22);
      users(pipeline, 4, 2, "a");
      pipeline.tick(32);
      List<NamesRelease> told = released(pipeline);
      assertThat(shown(told)).containsExactly("b 3 found, c 3 found", "b 3, c 0", "a 4 found, b 0");
      assertThat(told).extracting(NamesRelease::getListed).containsExactly(2L, 1L, 1L);
      assertThat(told).allMatch(release -> release.getMost() == 2);
    }
  }

  @Test
  void listsAreASubjectsOwn() {
    try (Fixture pipeline = new Fixture(file(NO_NOISE, "", "", "west, east"), state)) {
      users(pipeline, 3, 0, "paris");
      event(pipeline, "u7", "east", 0, "paris");
      event(pipeline, "u8", "nowhere", 0, "paris");
      event(pipeline, "u9", "nowhere", 0, "paris");
      pipeline.tick(12);
      assertThat(released(pipeline))
          .extracting(release -> release.getSubject() + ": " + shown(release))
          .containsExactlyInAnyOrder("west: paris 3 found", "east: ");
      assertThat(kept(pipeline)).noneMatch(key -> key.contains("nowhere"));
    }
  }

  @Test
  void aSubjectThatLeavesTakesItsListWithIt() {
    String roster = file(NO_NOISE, "", "", "").replace("subjects: []", "subjects: roster");
    try (Fixture pipeline = new Fixture(roster, state)) {
      pipeline.command(ControlCommand.ENROL, "west");
      users(pipeline, 3, 0, "paris");
      pipeline.tick(12);
      assertThat(lists(pipeline)).containsExactly("paris 3 found");
      pipeline.command(ControlCommand.LEAVE, "west");
      users(pipeline, 3, 1, "paris");
      pipeline.tick(22);
      assertThat(kept(pipeline)).isEmpty();
      pipeline.command(ControlCommand.ENROL, "west");
      pipeline.tick(32);
      assertThat(lists(pipeline)).containsExactly("");
    }
  }

  /** All records of names that nobody knew when the window began, also of those that are found. */
  @Test
  void theRestIsADrawOfItsOwn() {
    try (Fixture pipeline = new Fixture(file(", other: counted"), state)) {
      users(pipeline, 3, 0, "paris");
      users(pipeline, 1, 0, "mine");
      pipeline.tick(12);
      users(pipeline, 3, 1, "paris");
      event(pipeline, "u9", "west", 1, "another");
      pipeline.tick(22);
      pipeline.tick(32);
      List<NamesRelease> told = released(pipeline);
      assertThat(told).extracting(NamesRelease::getOther).containsExactly(4L, 1L, 0L);
      assertThat(told).allMatch(release -> release.getOtherError95() >= 0);
    }
  }

  /** A list too long for one record is several, each of names that no other has, in order. */
  @Tag("deep")
  @Test
  void aLongListIsSeveralRecords() {
    String wide =
        file(NO_NOISE, ", most: 5000", "", "west").replace("per-window: 4", "per-window: 1000");
    List<String> names = IntStream.range(0, 2_000).mapToObj("%0200d"::formatted).toList();
    try (Fixture pipeline = new Fixture(wide, state)) {
      for (int user = 0; user < 6; user++) {
        for (int i = 0; i < 1_000; i++) {
          event(pipeline, "u" + user, "west", 0, names.get(i + user % 2 * 1_000));
        }
      }
      pipeline.tick(12);
      List<NamesRelease> parts = released(pipeline);
      assertThat(parts).hasSizeGreaterThan(1);
      assertThat(parts).allMatch(part -> part.getParts() == parts.size());
      assertThat(parts)
          .extracting(NamesRelease::getPart)
          .isEqualTo(IntStream.range(0, parts.size()).boxed().toList());
      List<String> all = new ArrayList<>();
      parts.forEach(part -> part.getNames().forEach(name -> all.add(name.getName())));
      assertThat(all).isEqualTo(names);
    }
  }

  /** Names are any text: what a key could mistake for another is none. */
  @Test
  void hostileNamesAreNamesOfTheirOwn() {
    List<String> names = List.of(" ", "  ", "\\\"", "a", "a ", "terms/0", "west", "\\ud83d\\ude00");
    try (Fixture pipeline =
        new Fixture(file("").replace("per-window: 4", "per-window: 50"), state)) {
      for (String name : names) {
        users(pipeline, 3, 0, name);
      }
      for (String none : List.of("", "\\ud83d", "a\\u0000", "x".repeat(257))) {
        users(pipeline, 3, 0, none);
      }
      pipeline.tick(12);
      assertThat(released(pipeline).get(0).getNames()).hasSize(names.size());
      assertThat(pipeline.records("test-dead-letters")).hasSize(12);
      pipeline.tick(22);
      assertThat(released(pipeline).get(0).getNames()).hasSize(names.size());
    }
  }
}
