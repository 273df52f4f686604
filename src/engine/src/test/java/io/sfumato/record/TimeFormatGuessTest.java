// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeFormatGuessTest {
  private static List<String> words(String... texts) {
    return TimeFormatGuess.of(List.of(texts)).formats().stream().map(TimeFormat::word).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2026-01-05T14:05:00Z | auto",
        "2026-01-05 14:05:00 | auto",
        "1704448800000 | auto",
        "1704448800 | epoch-s",
        "1704448800.5 | epoch-s",
        "1704448800000000 | epoch-us",
        "1704448800000000000 | epoch-ns",
        "05.01.2026 14:05 | dd.MM.yyyy HH:mm",
        "25/01/2026 14:05:09 | dd/MM/yyyy HH:mm:ss",
        "01/25/2026 14:05 | MM/dd/yyyy HH:mm",
        "2026/01/05 14:05 | yyyy/MM/dd HH:mm",
        "20260105140509 | yyyyMMddHHmmss",
        "Jan 5, 2026, 2:05:09 PM | MMM d, yyyy, h:mm:ss a",
        "25/Jan/2026:14:05:09 +0100 | dd/MMM/yyyy:HH:mm:ss xx",
      })
  void shouldProposeTheFormatThatFits(String text, String word) {
    assertThat(words(text)).containsExactly(word);
  }

  /** Nobody can tell day from month: it is not guessed. */
  @Test
  void shouldProposeBothWhereDayAndMonthMayBeEither() {
    assertThat(words("05/01/2026 14:05")).containsExactly("dd/MM/yyyy HH:mm", "MM/dd/yyyy HH:mm");
    assertThat(words("05/01/2026 14:05", "25/01/2026 14:05", "25/02/2026 14:05"))
        .containsExactly("dd/MM/yyyy HH:mm");
  }

  @Test
  void shouldProposeNothingForWhatIsNoTime() {
    assertThat(words("yesterday", "today")).isEmpty();
    assertThat(words("7", "8")).isEmpty();
    assertThat(words("2026-01-05T14:05:00Z", "x", "y")).isEmpty();
  }
}
