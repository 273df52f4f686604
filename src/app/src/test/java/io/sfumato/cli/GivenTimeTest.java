// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plans;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Times that commands are given: a day is one of the file's windows. */
class GivenTimeTest {
  @ParameterizedTest
  @CsvSource({
    "branches.yaml, 2026-11-02, 2026-11-01T23:00:00Z",
    "branches.yaml, 2026-07-01, 2026-06-30T22:00:00Z",
    "branches.yaml, 2026-11-02T00:00:00Z, 2026-11-02T00:00:00Z",
    "branches.yaml, 2026-11-02T00:00:00+01:00, 2026-11-01T23:00:00Z",
    "wards.yaml, 2026-11-02, 2026-11-02T00:00:00Z",
    "wards.yaml, 2026-11-02T00:00:00+01:00, 2026-11-01T23:00:00Z",
  })
  void shouldBeginADayWhereWindowsDo(String file, String text, String expected) throws Exception {
    WindowSpec window = Plans.example(file).pipeline().window();
    assertThat(GivenTime.parse(text).in(window)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/London, 2026-03-30, 2026-03-29T23:00:00Z",
    "Europe/London, 2026-03-29, 2026-03-29T00:00:00Z",
    "Europe/London, 2026-03-30T00:00:00Z, 2026-03-30T00:00:00Z",
    "America/Santiago, 2026-09-06, 2026-09-06T04:00:00Z", // at midnight clocks go to 1:00
    "America/Havana, 2026-11-01, 2026-11-01T04:00:00Z", // midnight comes twice
    "+05:30, 2026-11-02, 2026-11-01T18:30:00Z",
  })
  void shouldBeginADayAtItsFirstMomentInTheZone(String zone, String text, String expected) {
    assertThat(GivenTime.parse(text).in(ZoneId.of(zone))).isEqualTo(expected);
  }

  @Test
  void shouldRefuseWhatIsNeither() {
    assertThatThrownBy(() -> GivenTime.parse("tomorrow"))
        .isInstanceOf(CommandLine.TypeConversionException.class)
        .hasMessageContaining("neither a day nor a time");
  }
}
