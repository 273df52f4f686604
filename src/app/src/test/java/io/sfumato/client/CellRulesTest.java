// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cell is one name, or none until somebody says what it is. */
class CellRulesTest {
  private static final EventTimes TIMES = EventTimes.in(Optional.empty(), Duration.ofDays(1));

  private static CellRules.Name name(String cell) {
    return CellRules.of(TIMES).name("who", cell);
  }

  private static CellRules.Name number(String cell) {
    return new CellRules(TIMES, Set.of(), Set.of("who")).name("who", cell);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".5", "5.", "+5", "+1e+05", "1.e5", "01E5", "1e+05", "58.0", "-0", "+007", "-007", "007.",
        "00.5", " 5", "5 ", "\u00a05", " 00100", "\uFEFF5", "1e400"
      })
  void shouldRefuseANumberWhenItHasAFormOfItsOwn(String cell) {
    assertThat(name(cell).problem().orElseThrow()).startsWith("is a number written as in");
    assertThat(name(cell).status()).isEqualTo(CsvEvents.Fate.NOT_SENT);
    assertThat(new CellRules(TIMES, Set.of("who"), Set.of()).name("who", cell).text())
        .as("its letters where --text says so")
        .isEqualTo(cell);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100000",
        "00100",
        "007",
        "-5",
        "58.5",
        ".",
        "+",
        "-",
        "e5",
        "1e",
        "1.2.3",
        "1,5",
        "0x10",
        "12345678901234567890123456789012345678901234567890"
      })
  void shouldTakeACellAsItIsWhenItHasOneForm(String cell) {
    assertThat(name(cell).problem()).isEmpty();
    assertThat(name(cell).text()).isEqualTo(cell);
  }

  @ParameterizedTest
  @CsvSource({
    ".5, 0.5",
    "5., 5",
    "+5, 5",
    "+1e+05, 100000",
    "1.e5, 100000",
    "01E5, 100000",
    "00100, 100",
    "-0, 0",
    "-.50, -0.5",
    "' 58.0 ', 58",
    "000, 0"
  })
  void shouldTakeTheValueWhenTheColumnHoldsNumbers(String cell, String name) {
    assertThat(number(cell).text()).isEqualTo(name);
    assertThat(number(cell).problem()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ann", "NaN", "1e50", "0x10", "1,5", "."})
  void shouldRefuseWhatIsNoNumberWhenTheColumnHoldsNumbers(String cell) {
    assertThat(number(cell).problem().orElseThrow()).startsWith("is not a number");
    assertThat(number(cell).status()).isEqualTo(CsvEvents.Fate.NOT_SENT);
  }

  @Test
  @Timeout(10)
  void shouldLookAtACellOnceWhenItIsLong() {
    for (String start : new String[] {"1", "0", "1.", "."}) {
      String digits = start + "1".repeat(1 << 20);
      assertThat(CellNumber.in(digits + "x")).isEmpty();
      assertThat(CellNumber.in(digits)).isPresent();
      assertThat(CellNumber.in(digits + "e" + digits.replace(".", "") + "x")).isEmpty();
    }
  }

  @Test
  void shouldRefuseAColumnWhenItIsSaidToBeBoth() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CellRules(TIMES, Set.of("who"), Set.of("who")));
  }
}
