// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonNumberTest {
  @ParameterizedTest
  @CsvSource(
      ignoreLeadingAndTrailingWhitespace = false,
      value = {"30,30", " 30 ,30", "-0.5,-0.5", "1e3,1000", "1E+3,1000", "1.25e-2,0.0125", "0,0"})
  void shouldReadNumbers(String text, double number) {
    assertThat(JsonNumber.in(text)).hasValue(number);
  }

  /** A duration of 30 days is not 30. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "30d",
        "30f",
        "30D",
        "0x1p3",
        "NaN",
        "Infinity",
        "-Infinity",
        "+1",
        ".5",
        "1.",
        "01",
        "1e",
        "1e+",
        "",
        " ",
        "1 2",
        "1,5",
        "1_000",
        "\u0661",
        "1e400",
        "--1",
        "1\u00A0"
      })
  void shouldRefuseEverythingElse(String text) {
    assertThat(JsonNumber.in(text)).isEmpty();
  }

  /** Exactly, however near the next whole number is. */
  @Property(seed = "10")
  void shouldRoundDownByEveryDigit(@ForAll Random random) {
    StringBuilder digits = new StringBuilder(random.nextBoolean() ? "-" : "");
    digits.append(random.nextInt(100)).append('.');
    for (int i = random.nextInt(60); i >= 0; i--) {
      digits.append(random.nextInt(20) == 0 ? random.nextInt(10) : 9);
    }
    BigDecimal number = new BigDecimal(digits.toString());
    long expected = number.setScale(0, RoundingMode.FLOOR).longValueExact();
    assertThat(JsonNumber.floor(digits.toString())).contains(expected);
    assertThat(JsonNumber.floor(" " + number.unscaledValue() + "e-" + number.scale()))
        .contains(expected);
  }

  /** Their digits are never written out, and a million of them are not converted. */
  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "1e99999999999", "-1e19", "NaN", "1d", ""})
  void shouldNotRoundDownWhatNoLongHolds(String number) {
    assertThat(JsonNumber.floor(number)).isEmpty();
    assertThat(JsonNumber.floor("9".repeat(1_000_000))).isEmpty();
  }
}
