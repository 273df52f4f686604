// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalTimesTest {
  private static final Instant SUMMER = Instant.parse("2026-10-24T22:00:00Z");
  private static final Instant WINTER = Instant.parse("2026-10-25T23:00:00Z");
  private static final LocalTimes BERLIN =
      new LocalTimes(Optional.of(ZoneId.of("Europe/Berlin").getRules()));

  @Test
  void shouldShowLocalTimesWithTheirOffset() {
    assertThat(BERLIN.start(SUMMER, WINTER)).isEqualTo("2026-10-25 00:00+02:00");
    assertThat(BERLIN.start(WINTER)).isEqualTo("2026-10-26 00:00+01:00");
    assertThat(BERLIN.start(WINTER.plusSeconds(7))).isEqualTo("2026-10-26 00:00:07+01:00");
    assertThat(BERLIN.iso(SUMMER)).isEqualTo("2026-10-25T00:00+02:00");
  }

  @Test
  void shouldShowUtcWithoutAZone() {
    assertThat(LocalTimes.UTC.start(SUMMER, WINTER)).isEqualTo("2026-10-24 22:00");
    assertThat(LocalTimes.UTC.iso(SUMMER)).isEqualTo("2026-10-24T22:00:00Z");
    assertThat(Stretch.running(SUMMER, 2L).words())
        .isEqualTo("running since 2026-10-24 22:00 (2 windows)");
    assertThat(Stretch.running(SUMMER, 2L).words(BERLIN))
        .isEqualTo("running since 2026-10-25 00:00+02:00 (2 windows)");
  }
}
