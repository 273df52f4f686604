// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalNameTest {
  @ParameterizedTest
  @CsvSource({
    "100000, 100000",
    "1e+05, 100000",
    "100000.0, 100000",
    "1E5, 100000",
    "58.0, 58",
    "-0, 0",
    "-0.0e7, 0",
    "0e999999999999, 0",
    "0.50, 0.5",
    "-1.5e3, -1500",
    "123e-5, 0.00123",
    "12345678901234567890, 12345678901234567890",
    "1e39, 1000000000000000000000000000000000000000",
    "1e-39, 0.000000000000000000000000000000000000001",
  })
  void shouldWriteANumberAsPlainDecimal(String number, String name) {
    assertThat(CanonicalName.ofNumber(number)).contains(name);
  }

  /** The last ones would fill the memory if they were written out. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1e40",
        "1e-40",
        "NaN",
        "Infinity",
        "0x10",
        "1d",
        "00",
        "1e999999999",
        "1e-99999999999"
      })
  void shouldHaveNoNameForOtherNumbers(String number) {
    assertThat(CanonicalName.ofNumber(number)).isEmpty();
  }

  @Test
  void shouldNameWholeDoublesByTheirDigitsAndOthersByTheirShortestDecimal() {
    assertThat(CanonicalName.ofNumber(100_000.0)).contains("100000");
    assertThat(CanonicalName.ofNumber(0.1)).contains("0.1");
    assertThat(CanonicalName.ofNumber(0.1f)).contains("0.1");
    // 2.0E-3 has other digits in Double.toString of JDK 17.
    assertThat(CanonicalName.ofNumber(2e-3)).contains("0.002");
    assertThat(CanonicalName.ofNumber(67_108_872f)).contains("67108872");
    assertThat(CanonicalName.ofNumber(0x1p60)).contains("1152921504606846976");
    assertThat(CanonicalName.ofNumber(2e23)).contains("199999999999999983222784");
    assertThat(CanonicalName.ofNumber(-0.0)).contains("0");
    assertThat(CanonicalName.ofNumber(1e300)).isEmpty();
    assertThat(CanonicalName.ofNumber(Double.NaN)).isEmpty();
    assertThat(CanonicalName.ofNumber(Float.POSITIVE_INFINITY)).isEmpty();
  }

  /** Of JSON, of an exact decimal, of a long or of a double, whatever zeros and powers it has. */
  @Property(seed = "1")
  void shouldHaveOneNameForOneNumber(@ForAll Random random) {
    BigDecimal number =
        BigDecimal.valueOf(random.nextInt(2_000_001) - 1_000_000, random.nextInt(9) - 3);
    String name = CanonicalName.ofNumber(number).orElseThrow();
    assertThat(new BigDecimal(name)).isEqualByComparingTo(number);
    int power = random.nextInt(7) - 3;
    String spelling =
        number.scaleByPowerOfTen(-power).setScale(12).toPlainString()
            + (random.nextBoolean() ? "e" : "E")
            + (power >= 0 && random.nextBoolean() ? "+" : "")
            + power;
    assertThat(CanonicalName.ofNumber(spelling)).contains(name);
    assertThat(CanonicalName.ofNumber(number.toString())).contains(name);
    assertThat(CanonicalName.ofNumber(number.doubleValue())).contains(name);
    if (number.stripTrailingZeros().scale() <= 0) {
      assertThat(CanonicalName.ofNumber(number.longValueExact())).isEqualTo(name);
    }
  }

  /** A whole number has one name as a float, a double, a long and in JSON. */
  @Property(seed = "6")
  void shouldNameAWholeNumberAlikeInEveryType(@ForAll Random random) {
    float whole = (float) Math.rint(Math.scalb(random.nextFloat(), random.nextInt(62)));
    String name = Long.toString((long) whole);
    assertThat(CanonicalName.ofNumber(whole)).contains(name);
    assertThat(CanonicalName.ofNumber((double) whole)).contains(name);
    assertThat(CanonicalName.ofNumber(name)).contains(name);
  }

  /** Names of different numbers differ. */
  @Property(seed = "2")
  void shouldHaveTwoNamesForTwoNumbers(@ForAll Random random) {
    double one = Double.longBitsToDouble(random.nextLong());
    double other = Math.nextUp(one);
    CanonicalName.ofNumber(one)
        .ifPresent(name -> assertThat(CanonicalName.ofNumber(other)).isNotEqualTo(name));
    CanonicalName.ofNumber(one)
        .ifPresent(name -> assertThat(Double.parseDouble(name)).isEqualTo(one));
  }

  @Test
  void shouldNameComposedAndDecomposedTextAlike() {
    assertThat(CanonicalName.ofText("an\u0303n")).contains("a\u00F1n");
    assertThat(CanonicalName.ofText("a\u00F1n")).contains("a\u00F1n");
    // Angstrom sign, and a letter with a ring.
    assertThat(CanonicalName.ofText("\u212B")).isEqualTo(CanonicalName.ofText("A\u030A"));
  }

  /** Whatever is a name is its own name, has bounded bytes, and is in normal form C. */
  @Property(seed = "3")
  void shouldNameANameByItself(@ForAll Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(300);
    int[] planes = {0x80, 0x400, 0x3100, 0xD800, 0x110000};
    int most = planes[random.nextInt(planes.length)];
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(random.nextInt(most));
    }
    CanonicalName.ofText(text.toString())
        .ifPresent(
            name -> {
              assertThat(CanonicalName.ofText(name)).contains(name);
              assertThat(Normalizer.isNormalized(name, Normalizer.Form.NFC)).isTrue();
              assertThat(name.getBytes(StandardCharsets.UTF_8).length)
                  .isBetween(1, CanonicalName.MOST_BYTES);
              assertThat(CanonicalName.ofText(Normalizer.normalize(name, Normalizer.Form.NFD)))
                  .contains(name);
            });
  }

  /** Two people would become one, or one several. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a\u0000b",
        "tab\t",
        "\u007F",
        "\u0085",
        "\uD800",
        "a\uDC00b",
        "\u0378",
        "\uFFFF",
      })
  void shouldHaveNoNameForWhatIsNoText(String text) {
    assertThat(CanonicalName.ofText(text)).isEmpty();
  }

  @Test
  void shouldCountBytesAfterNormalization() {
    assertThat(CanonicalName.ofText("n\u0303".repeat(128))).contains("\u00F1".repeat(128));
    assertThat(CanonicalName.ofText("\u00F1".repeat(129))).isEmpty();
    assertThat(CanonicalName.ofText("x".repeat(256))).isPresent();
    assertThat(CanonicalName.ofText("x".repeat(257))).isEmpty();
  }

  /** Sorting so many combining marks would take minutes. */
  @Test
  void shouldNotNormalizeALongRunOfMarks() {
    assertThat(CanonicalName.ofText("a" + "\u0301\u0323".repeat(1_000_000))).isEmpty();
  }

  @Test
  void shouldPinTheAssignedCodePoints() {
    int assigned = 0;
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (AssignedCodePoints.contain(c)) {
        assigned++;
        assertThat(Character.getType(c)).isNotEqualTo(Character.UNASSIGNED);
      }
    }
    // Unicode 13.0: 143,859 characters, 137,468 for private use, 2,048 surrogates, 65 controls.
    assertThat(assigned).isEqualTo(143_859 + 137_468 + 2_048 + 65);
  }

  @Test
  void shouldReadKeysInTheirFormat() {
    byte[] number = {0, 0, 0, 120};
    assertThat(KeyFormat.INT.name(number)).contains("120");
    assertThat(KeyFormat.TEXT.name(number)).isEmpty();
    assertThat(KeyFormat.LONG.name(number)).isEmpty();
    assertThat(KeyFormat.LONG.name(new byte[] {-1, -1, -1, -1, -1, -1, -1, -2})).contains("-2");
    assertThat(KeyFormat.TEXT.name("ann".getBytes(StandardCharsets.UTF_8))).contains("ann");
    assertThat(KeyFormat.TEXT.name(new byte[] {(byte) 0xC3})).isEmpty();
    String uuid = "0a1b2c3d-0000-4000-8000-00000000ABCD";
    assertThat(KeyFormat.UUID.name(uuid.getBytes(StandardCharsets.UTF_8)))
        .contains("0a1b2c3d-0000-4000-8000-00000000abcd");
    assertThat(
            KeyFormat.UUID.name(
                new byte[] {10, 27, 44, 61, 0, 0, 64, 0, -128, 0, 0, 0, 0, 0, -85, -51}))
        .contains("0a1b2c3d-0000-4000-8000-00000000abcd");
    assertThat(KeyFormat.UUID.name("0a1b".getBytes(StandardCharsets.UTF_8))).isEmpty();
  }
}
