// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a drafted file is checked for. */
class DraftCheckTest {
  private static final Duration DAY = Duration.ofDays(1);

  /** Britain kept summer time through the winter of 1970, and other zones have changed since. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Europe/London|00:00 in January and 01:00 in July, in Europe/London.",
        "Europe/Berlin|01:00 in January and 02:00 in July, in Europe/Berlin.",
        "Australia/Sydney|11:00 in January and 10:00 in July, in Australia/Sydney.",
        "Asia/Singapore|08:00 in Asia/Singapore.",
        "Europe/Istanbul|03:00 in Europe/Istanbul.",
      })
  void shouldSayWhenADayOfUtcBeginsByTheClocksOfAZone(String zone, String expected) {
    assertThat(DraftCheck.utc(Optional.of(ZoneId.of(zone)), DAY, 2026))
        .hasValueSatisfying(
            note ->
                assertThat(note)
                    .contains("a day begins at 00:00Z, which is " + expected)
                    .endsWith("For local days, write 'zone: " + zone + "' into 'window'."));
  }

  @Test
  void shouldSayNothingWhereDaysAreThoseOfUtc() {
    assertThat(DraftCheck.utc(Optional.of(ZoneId.of("Africa/Accra")), DAY, 2026)).isEmpty();
    assertThat(DraftCheck.utc(Optional.empty(), DAY, 2026)).isEmpty();
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    assertThat(DraftCheck.utc(Optional.of(berlin), Duration.ofHours(1), 2026)).isEmpty();
  }

  @Test
  void shouldReadLengthsOfWindowsAsFilesDo() throws Exception {
    assertThat(DraftCheck.duration("2w")).isEqualTo(Duration.ofDays(14));
    assertThat(DraftCheck.duration("7d")).isEqualTo(Duration.ofDays(7));
  }
}
