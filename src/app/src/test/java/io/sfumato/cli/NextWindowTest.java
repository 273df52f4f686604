// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.PipelineFile;
import io.sfumato.schema.CountRelease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is said of the next window that is due, of the wards with 5 windows of every 30 days. */
class NextWindowTest {
  private static final String DUE_NEXT =
      "next release of ward-counts: window from 2026-11-08 00:00 to 2026-11-09 00:00 (UTC), "
          + "after a tick of 2026-11-09 02:00 or later";

  private static NextWindow wards(String period) throws Exception {
    return new NextWindow(
        PipelineFile.parse(
            "wards",
            Files.readString(Path.of("topology/wards.yaml"))
                .replace("period: window", "period: " + period)
                .replace("      running: 365\n", "")));
  }

  private static long at(String time) {
    return Instant.parse(time).toEpochMilli();
  }

  private static String after(NextWindow next, OptionalLong seen) {
    return next.after(
        next.releaseOf("ward-counts").orElseThrow(), seen, at("2027-01-01T00:00:00Z"));
  }

  @Test
  void shouldLookBehindWhatWasSeen() throws Exception {
    NextWindow next = wards("{any: 30d, pace: 5}");
    assertThat(after(next, OptionalLong.empty())).contains("window from 2026-11-02 00:00");
    assertThat(after(next, OptionalLong.of(at("2026-11-02T00:00:00Z")))).isEqualTo(DUE_NEXT);
    assertThat(next.releaseOf("wards-refusals")).isEmpty();
  }

  /** The tick that closes the 4th of November closes no window that is due. */
  @Test
  void shouldSayWhatATickReleasesNothingOf() throws Exception {
    NextWindow next = wards("{any: 30d, pace: 5}");
    assertThat(next.instead(at("2026-11-05T02:00:00Z")))
        .hasValue(
            "the calendar skips the window that starts 2026-11-04 00:00, so nothing is released for"
                + " it; "
                + DUE_NEXT.replace("ward-counts", "ward-mix, ward-counts, ward-total"));
    assertThat(next.instead(at("2026-11-03T02:00:00Z"))).as("the first window").isEmpty();
    assertThat(next.instead(at("2026-11-03T01:00:00Z"))).as("before the first one").isEmpty();
    assertThat(wards("window").instead(at("2026-11-05T02:00:00Z"))).isEmpty();
  }

  /** With a zone, times are those of its clocks, with their offset. */
  @Test
  void shouldSayLocalTimesWithTheirOffset() throws Exception {
    NextWindow next =
        new NextWindow(
            PipelineFile.parse("branches", Files.readString(Path.of("topology/branches.yaml"))));
    assertThat(
            next.after(
                next.releaseOf("branch-total").orElseThrow(),
                OptionalLong.of(at("2027-03-26T23:00:00Z")),
                at("2027-03-27T00:00:00Z")))
        .isEqualTo(
            "next release of branch-total: window from 2027-03-28 00:00+01:00 to 2027-03-29"
                + " 00:00+02:00, after a tick of 2027-03-29 01:00+02:00 or later");
  }

  @Test
  void shouldBeInPlansThatPassWindowsOver() throws Exception {
    assertThat(wards("{any: 30d, pace: 5}").sparse(at("2026-11-05T00:00:00Z")).orElseThrow())
        .isEqualTo(
            DUE_NEXT
                .replace("next ", "")
                .replace("ward-counts", "ward-mix, ward-counts, ward-total"));
    assertThat(wards("{any: 30d}").sparse(at("2026-11-05T00:00:00Z"))).isEmpty();
  }

  /**
   * Whoever waits is told once, and anew when what was next has come; older ones change nothing.
   */
  @Test
  void shouldTellWhoeverWaitsOnceEachTime() throws Exception {
    NextWindow next = wards("{any: 30d, pace: 5}");
    List<String> told = new ArrayList<>();
    Waiting waiting = new Waiting(next, next.releaseOf("ward-counts").orElseThrow(), told::add);
    waiting.saw(output("2026-11-02T00:00:00Z"));
    waiting.say();
    waiting.say();
    assertThat(told).containsExactly(DUE_NEXT);
    waiting.saw(output("2026-11-08T00:00:00Z"));
    waiting.saw(output("2026-11-02T00:00:00Z"));
    waiting.say();
    assertThat(told).hasSize(2).last().asString().contains("window from 2026-11-14 00:00");
  }

  private static CountRelease output(String start) {
    CountRelease release = new CountRelease();
    release.setWindowStart(Instant.parse(start));
    return release;
  }

  /** A day beside hours ends a day later, and so does the one after it. */
  @Test
  void shouldLookBehindALongerWindowOfAnOutput() throws Exception {
    NextWindow next =
        new NextWindow(
            PipelineFile.parse(
                "trips",
                """
                pipeline: trips
                input: { topic: trips, subject: line, user: rider, time: at, category: what, categories: [x, y] }
                contributions: { per-window: 2 }
                subjects: [a, b]
                window: { size: 1h, grace: 2h, clock: ticks, begin: 2026-11-02 }
                budget: { name: trips, unit: user, epsilon: 2, delta: 2e-6, period: 1d }
                releases:
                  - count: { name: hours, by: total, share: { epsilon: 1, delta: 1e-6 }, windows: 24 }
                  - count: { name: days, by: total, window: 1d, share: { epsilon: 1, delta: 1e-6 } , windows: 1 }
                """));
    OptionalLong seen = OptionalLong.of(at("2026-11-02T00:00:00Z"));
    assertThat(next.after(next.releaseOf("days").orElseThrow(), seen, 0))
        .contains("of days: window from 2026-11-03 00:00 to 2026-11-04 00:00");
    assertThat(next.after(next.releaseOf("hours").orElseThrow(), seen, 0))
        .contains("of hours: window from 2026-11-02 01:00 to 2026-11-02 02:00");
    assertThat(next.instead(at("2026-11-03T02:00:00Z"))).isEmpty();
  }
}
