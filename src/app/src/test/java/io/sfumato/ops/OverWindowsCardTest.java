// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.rows.Card;
import io.sfumato.rows.LocalTimes;
import io.sfumato.rows.OutputHead;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Guarantees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Cards of counts over windows: what is about other windows stands apart, and courses too. */
class OverWindowsCardTest {
  private static final Instant FIRST = Instant.parse("2026-11-02T00:00:00Z");

  private static Plan plan;

  @BeforeAll
  static void wards() throws Exception {
    plan = Plans.example("wards.yaml");
  }

  private static CountRelease windowsOwn(int day, long... counts) {
    Instant start = FIRST.plus(Duration.ofDays(day));
    return CountRelease.newBuilder()
        .setReleaseId("r" + day)
        .setPipeline("wards")
        .setOutput("ward-total")
        .setSubject("north")
        .setWindowStart(start)
        .setWindowEnd(start.plus(Duration.ofDays(1)))
        .setSince(start)
        .setCategories(counts.length == 1 ? List.of() : List.of("heart", "other"))
        .setCounts(IntStream.range(0, counts.length).mapToObj(i -> counts[i]).toList())
        .setError95(20)
        .setGuarantee(Guarantees.any().build())
        .build();
  }

  /** Counts that run since a day. */
  private static CountRelease running(int day, int since, long... counts) {
    CountRelease release = windowsOwn(day, counts);
    release.setSince(FIRST.plus(Duration.ofDays(since)));
    release.setWindows(day - since + 1L);
    return release;
  }

  private static CountRelease withLast(CountRelease release, Instant since, Long... counts) {
    release.setLastWindows(7L);
    release.setLastSince(since);
    release.setLastCounts(List.of(counts));
    release.setLastError95(50L);
    return release;
  }

  private static JsonNode json(TimeSeries series, CountRelease release) {
    ObjectNode json = new ObjectMapper().createObjectNode();
    OutputCards.write(
        total(), card(release), series.of(OutputHead.of(release)), LocalTimes.UTC, json);
    return json;
  }

  private static PlannedRelease total() {
    return plan.releases().get(2);
  }

  private static Card card(CountRelease release) {
    return OutputCards.card(total(), release).orElseThrow();
  }

  private static TimeSeries series(CountRelease... releases) {
    TimeSeries series = new TimeSeries();
    for (CountRelease release : releases) {
      series.add(new HeadedCard(OutputHead.of(release), card(release)));
    }
    return series;
  }

  @Test
  void shouldShowRunningCountsApartFromThoseOfTheLastWindows() {
    CountRelease release =
        withLast(running(9, 0, 300, -10), Instant.parse("2026-11-05T00:00:00Z"), 70L, 10L);
    JsonNode card = json(series(), release);
    assertThat(card.path("from").asText()).isEqualTo("2026-11-02T00:00:00Z");
    assertThat(card.path("to").asText()).isEqualTo("2026-11-12T00:00:00Z");
    assertThat(card.path("about").asText())
        .isEqualTo("running since 2026-11-02 00:00 (10 windows)");
    assertThat(card.path("rows"))
        .extracting(row -> row.path("text").asText())
        .containsExactly("300 ± 20", "-10 ± 20");
    // Bars reach from 0 to the largest interval's end, each group's own.
    assertThat(card.path("rows"))
        .extracting(row -> row.path("share").asDouble())
        .containsExactly(300 / 320.0, -10 / 320.0);
    JsonNode last = card.path("beside").get(0);
    assertThat(card.path("beside")).hasSize(1);
    assertThat(last.path("about").asText()).isEqualTo("last 7 windows, since 2026-11-05 00:00");
    assertThat(last.path("rows"))
        .extracting(row -> row.path("text").asText())
        .containsExactly("70 ± 50", "10 ± 50");
    assertThat(last.path("rows"))
        .extracting(row -> row.path("low").asDouble())
        .containsExactly(20 / 120.0, -40 / 120.0);
    assertThat(last.path("rows"))
        .extracting(row -> row.path("high").asDouble())
        .containsExactly(1.0, 60 / 120.0);
  }

  @Test
  void shouldCallAWindowsOwnCountsThatOnlyBesideOthers() {
    JsonNode both = json(series(), withLast(windowsOwn(9, 5), FIRST, 70L));
    assertThat(both.path("about").asText()).isEqualTo("this window");
    assertThat(both.path("from").asText()).isEqualTo("2026-11-11T00:00:00Z");
    assertThat(json(series(), windowsOwn(9, 5)).has("about")).isFalse();
  }

  /** Every window of a running count begins when the first one did. */
  @Test
  void shouldFollowTheRunningNumberFromWindowToWindow() {
    CountRelease newest = withLast(running(3, 0, 44), FIRST, 9L);
    TimeSeries series =
        series(
            withLast(running(0, 0, 10), FIRST, 1L),
            withLast(running(1, 0, 25), FIRST, 2L),
            withLast(running(2, 0, 31), FIRST, 3L),
            newest);
    JsonNode course = json(series, newest).path("course");
    assertThat(course)
        .extracting(window -> window.path("places").toString())
        .containsExactly("[10.0]", "[25.0]", "[31.0]", "[44.0]");
    assertThat(course.get(3).path("lows").toString()).isEqualTo("[24.0]");
    assertThat(course.get(3).path("highs").toString()).isEqualTo("[64.0]");
  }

  /** Neither earlier years nor the windows' own counts of an earlier version are in its course. */
  @Test
  void shouldBeginACourseAnewWithTheCount() {
    CountRelease newest = running(4, 3, 12);
    TimeSeries series =
        series(windowsOwn(0, 7), running(1, 1, 900), running(2, 1, 950), running(3, 3, 6), newest);
    assertThat(json(series, newest).path("course"))
        .extracting(window -> window.path("places").toString())
        .containsExactly("[6.0]", "[12.0]");
    assertThat(json(series, running(2, 1, 950)).path("course"))
        .extracting(window -> window.path("places").toString())
        .containsExactly("[900.0]", "[950.0]");
    assertThat(json(series, windowsOwn(0, 7)).has("course")).as("of one window").isFalse();
  }

  @Test
  void shouldDrawNoBarsWhereAllIntervalsEndBelowNothing() {
    assertThat(card(windowsOwn(0, -30)).rows().get(0).bar()).isEmpty();
    assertThat(card(windowsOwn(0, -10)).rows().get(0).bar())
        .hasValueSatisfying(bar -> assertThat(bar.at()).isEqualTo(-1));
  }
}
