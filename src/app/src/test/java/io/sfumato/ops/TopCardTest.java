// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.release.Shown;
import io.sfumato.rows.Card;
import io.sfumato.rows.LocalTimes;
import io.sfumato.rows.Times;
import io.sfumato.schema.TopName;
import io.sfumato.schema.TopRelease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists of the largest counts on the operators' page. */
class TopCardTest {
  private static TopRelease top() {
    TopRelease top = new TopRelease();
    top.setSubject("west");
    top.setWindowStart(Instant.EPOCH);
    top.setWindowEnd(Instant.EPOCH.plusSeconds(60));
    top.setSince(top.getWindowStart());
    top.setRows(
        List.of(
            new TopName(1, "a", 80L, 40L, 100L, true),
            new TopName(2, "b", 20L, 15L, 25L, false),
            new TopName(3, "c", 0L, 0L, 5L, false)));
    return Shown.headed(top);
  }

  private static Plan plan() throws Exception {
    return Plans.example("searches.yaml");
  }

  /** What was found has more of its interval on one side: bars show either side as it is. */
  @Test
  void barsHaveTheScaleOfTheirListAndBothEndsOfTheirIntervals() throws Exception {
    Plan plan = plan();
    var release = OutputCards.topics(plan).get("best-terms");
    assertThat(release.spec().name()).as("what is behind it").isEqualTo("terms");
    ObjectNode json = new ObjectMapper().createObjectNode();
    Card card = OutputCards.card(release, top()).orElseThrow();
    OutputCards.write(release, card, List.of(), LocalTimes.UTC, json);
    JsonNode first = json.get("rows").get(0);
    assertThat(first.get("text").asText()).isEqualTo("80, found (40 to 100)");
    assertThat(first.get("share").asDouble()).isCloseTo(0.8, within(1e-12));
    assertThat(first.get("low").asDouble()).isCloseTo(0.4, within(1e-12));
    assertThat(first.get("high").asDouble()).isCloseTo(1, within(1e-12));
    assertThat(json.get("rows").get(1).get("high").asDouble()).isCloseTo(0.25, within(1e-12));
    assertThat(json.get("rows").get(2).get("share").asDouble()).isZero();
    assertThat(json.get("own_scale").asBoolean()).isTrue();
  }

  /** A sum over windows is not taken for that of one. */
  @Test
  void saysSinceWhenNamesAreCounted() throws Exception {
    Plan plan = plan();
    TopRelease running = top();
    running.setSince(running.getWindowStart().minus(Duration.ofDays(3)));
    ObjectNode json = new ObjectMapper().createObjectNode();
    var release = OutputCards.topics(plan).get("best-terms");
    OutputCards.write(
        release, OutputCards.card(release, running).orElseThrow(), List.of(), LocalTimes.UTC, json);
    assertThat(json.get("about").asText())
        .isEqualTo("running since " + Times.day(running.getSince()));
    assertThat(Shown.whole(running))
        .contains("  since " + Times.day(running.getSince()) + "  1. a 80 (found)");
    assertThat(Shown.whole(top())).doesNotContain("since").contains("  1. a 80");
  }

  /** The first are the largest; how many there are beside them is said. */
  @Test
  void aLongListSaysHowManyMoreThereAre() throws Exception {
    Plan plan = plan();
    TopRelease top = top();
    top.setRows(
        IntStream.rangeClosed(1, 50)
            .mapToObj(i -> new TopName(i, " n" + i, 100L - i, 0L, 100L, false))
            .toList());
    ObjectNode json = new ObjectMapper().createObjectNode();
    var release = OutputCards.topics(plan).get("best-terms");
    OutputCards.write(
        release, OutputCards.card(release, top).orElseThrow(), List.of(), LocalTimes.UTC, json);
    assertThat(json.get("rows")).hasSize(20);
    assertThat(json.get("more").asLong()).isEqualTo(30);
    assertThat(json.get("rows").get(0).get("label").asText())
        .as("a space that nobody would see")
        .isEqualTo("\\u0020n1");
  }

  /** Two lists' bars have no mean, even where they are of the same names. */
  @Test
  void listsHaveNoMean() throws Exception {
    Card card = OutputCards.card(plan().releases().get(0), top()).orElseThrow();
    ArrayNode json = new ObjectMapper().createArrayNode();
    WindowMean.of(card).and(WindowMean.of(card)).write("best-terms", LocalTimes.UTC, json);
    assertThat(json).isEmpty();
  }
}
