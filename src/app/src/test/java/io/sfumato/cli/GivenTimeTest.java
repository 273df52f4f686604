// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plans;
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

  @Test
  void shouldRefuseWhatIsNeither() {
    assertThatThrownBy(() -> GivenTime.parse("tomorrow"))
        .isInstanceOf(CommandLine.TypeConversionException.class)
        .hasMessageContaining("neither a day nor a time");
  }
}
