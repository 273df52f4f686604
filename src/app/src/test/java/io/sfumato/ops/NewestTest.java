// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.release.Shown;
import io.sfumato.rows.OutputHead;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Guarantees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which outputs are shown, and who is named. */
class NewestTest {
  private static final Instant FIRST = Instant.parse("2026-11-02T00:00:00Z");
  private static final List<String> LIST = List.of("north", "east", "south", "west");

  private static HeadedCard release(String subject, int day) {
    Instant start = FIRST.plus(Duration.ofDays(day));
    CountRelease release =
        CountRelease.newBuilder()
            .setReleaseId(subject + day)
            .setPipeline("wards")
            .setOutput("ward-total")
            .setSubject(subject)
            .setWindowStart(start)
            .setWindowEnd(start.plus(Duration.ofDays(1)))
            .setSince(start)
            .setCategories(List.of())
            .setCounts(List.of(5L))
            .setError95(20)
            .setGuarantee(Guarantees.any().build())
            .build();
    return new HeadedCard(OutputHead.of(release), Shown.card(release));
  }

  private static void play(Newest newest, int days, String... subjects) {
    for (String subject : subjects) {
      IntStream.range(0, days).forEach(day -> newest.add(release(subject, day)));
    }
  }

  private static List<String> shown(Newest newest) {
    return newest.shown().stream()
        .map(HeadedCard::head)
        .map(head -> head.subject() + Duration.between(FIRST, head.windowStart()).toDays())
        .toList();
  }

  /** History that is read partition by partition ends with one subject's windows. */
  @Test
  void shouldShowEachListedSubjectBeforeOlderWindowsOfAny() {
    Newest newest = new Newest(LIST);
    play(newest, 10, "south", "north", "west", "east");
    assertThat(shown(newest))
        .containsExactly("north9", "east9", "south9", "west9", "east8", "east7");
    assertThat(newest.more()).isZero();
  }

  @Test
  void shouldTellHowManyListedSubjectsHaveNoCard() {
    List<String> list = IntStream.range(0, 60).mapToObj(i -> "city-" + i).toList();
    Newest newest = new Newest(list);
    assertThat(newest.more()).isEqualTo(60);
    play(newest, 3, list.toArray(String[]::new));
    assertThat(shown(newest))
        .containsExactly("city-02", "city-12", "city-22", "city-32", "city-42", "city-52");
    assertThat(newest.more()).isEqualTo(54);
    newest.add(release("city-59", 3));
    assertThat(shown(newest)).as("its window is the newest").startsWith("city-593", "city-02");
  }

  @Test
  void shouldNotTakeAnOlderWindowThatIsReadLaterForTheNewest() {
    Newest newest = new Newest(LIST);
    newest.add(release("north", 5));
    newest.add(release("north", 4));
    assertThat(shown(newest)).containsExactly("north5", "north4");
    assertThat(newest.more()).isEqualTo(3);
  }

  /** Names of rosters and records are nobody's to order by, or to see. */
  @Test
  void shouldShowTheLastOnesThatWereReadWhereNoSubjectIsListed() {
    Newest newest = new Newest(List.of());
    play(newest, 10, "south", "north");
    assertThat(shown(newest))
        .containsExactly("north9", "north8", "north7", "north6", "north5", "north4");
    assertThat(newest.more()).isZero();
  }

  @Test
  void shouldNameListedSubjectsAlone() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    OutputCards.name(Set.of(), "north", json);
    OutputCards.name(Set.copyOf(LIST), "patient-zero", json);
    assertThat(json).isEmpty();
    OutputCards.name(Set.copyOf(LIST), "north", json);
    assertThat(json.path("subject").asText()).isEqualTo("north");
  }
}
