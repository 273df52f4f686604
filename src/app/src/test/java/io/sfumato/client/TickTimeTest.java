// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.PipelineFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Weeks from Monday on, closing a day after their end. */
class TickTimeTest {
  private static final long NEWEST = at("2026-01-07T12:00:00Z");

  private WindowSpec window;

  private static long at(String time) {
    return Instant.parse(time).toEpochMilli();
  }

  @BeforeEach
  void weeks() throws Exception {
    window = PipelineFile.read(Path.of("topology/diary.yaml")).window();
  }

  private TickTime given(String time) {
    return new TickTime(window, at(time), OptionalLong.of(NEWEST));
  }

  @Test
  void shouldCloseTheNewestRecordsWindowAndNoneBehindIt() {
    TickTime time = TickTime.after(window, NEWEST, at("2026-11-01T00:00:00Z"));
    assertThat(Instant.ofEpochMilli(time.time())).isEqualTo("2026-01-13T00:00:00Z");
    assertThat(time.crossing()).isEmpty();
    assertThat(time.open()).isEmpty();
    assertThat(window.boundaryOf(time.time())).isGreaterThan(NEWEST);
  }

  @Test
  void shouldNotTickTheFutureWhileTheNewestRecordsWindowRuns() {
    TickTime time = TickTime.after(window, NEWEST, at("2026-01-08T00:00:00Z"));
    assertThat(Instant.ofEpochMilli(time.time())).isEqualTo("2026-01-08T00:00:00Z");
    assertThat(time.open()).contains("stays open until a tick at 2026-01-13T00:00:00Z or later");
  }

  @Test
  void shouldSayHowManyEmptyWindowsATickCloses() {
    assertThat(given("2026-01-13T00:00:00Z").crossing()).isEmpty();
    assertThat(given("2026-01-19T23:59:59Z").crossing()).isEmpty();
    assertThat(given("2026-01-20T00:00:00Z").crossing())
        .hasValueSatisfying(
            words ->
                assertThat(words)
                    .contains("closes 1 window after the newest record (2026-01-07T12:00:00Z)")
                    .contains(
                        "Records up to 2026-01-19T00:00:00Z that arrive afterwards are late"));
    assertThat(given("2026-02-03T00:00:00Z").crossing())
        .hasValueSatisfying(words -> assertThat(words).contains("closes 3 windows after"));
    assertThat(new TickTime(window, NEWEST, OptionalLong.empty()).crossing())
        .hasValueSatisfying(
            words -> assertThat(words).contains("no usable record has arrived yet"));
  }
}
