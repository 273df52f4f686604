// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The name of a user, subject or category: one text for every spelling of a value, in whatever
 * format the value was written. Two spellings with two names would be two people, and the bound on
 * one person's contributions would not hold.
 *
 * <p>A name is text in Unicode's normal form C, from 1 to {@value #MOST_BYTES} bytes of UTF-8. It
 * has no control characters, lone surrogates or code points that Unicode 13.0 does not assign.
 * Every method returns nothing for a value that has no name.
 */
public final class CanonicalName {
  /** Longest name, in bytes of UTF-8. */
  public static final int MOST_BYTES = 256;

  /**
   * Longest text that is normalized, in UTF-16 units. Normalization takes time that is quadratic in
   * the length of a run of combining marks, and no longer text has a name of {@link #MOST_BYTES}.
   */
  private static final int MOST_UNITS = 4 * MOST_BYTES;

  private static final Pattern UUID_TEXT =
      Pattern.compile(
          "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}");

  private CanonicalName() {}

  /** The name of a text: its normal form C. */
  public static Optional<String> ofText(String text) {
    if (isPlainAscii(text)) {
      return text.isEmpty() || text.length() > MOST_BYTES ? Optional.empty() : Optional.of(text);
    }
    if (text.length() > MOST_UNITS || !text.codePoints().allMatch(CanonicalName::isAllowed)) {
      return Optional.empty();
    }
    String name = Normalizer.normalize(text, Normalizer.Form.NFC);
    return name.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES
        ? Optional.empty()
        : Optional.of(name);
  }

  /** Most names: they are in their normal form as they are. */
  private static boolean isPlainAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        return false;
      }
    }
    return true;
  }

  private static boolean isAllowed(int codePoint) {
    boolean surrogate =
        codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    return !surrogate
        && !Character.isISOControl(codePoint)
        && AssignedCodePoints.contain(codePoint);
  }

  /**
   * The name of a number: its plain decimal, without an exponent, superfluous zeros or a minus sign
   * before 0. So {@code 1e+05}, {@code 100000.0} and {@code 100000} have the name {@code 100000}.
   *
   * @param number in JSON's grammar
   */
  public static Optional<String> ofNumber(String number) {
    return PlainDecimal.of(number).map(PlainDecimal::text);
  }

  /** The name of a whole number. */
  public static String ofNumber(long number) {
    return Long.toString(number);
  }

  /** The name of an exact decimal. */
  public static Optional<String> ofNumber(BigDecimal number) {
    return PlainDecimal.of(number).map(PlainDecimal::text);
  }

  /**
   * The name of a double: of a whole number all its digits, else the shortest decimal that no other
   * double is nearer to.
   */
  public static Optional<String> ofNumber(double number) {
    return Decimals.of(number).flatMap(CanonicalName::ofNumber);
  }

  /** The name of a float: the same, by the decimals that no other float is nearer to. */
  public static Optional<String> ofNumber(float number) {
    return Decimals.of(number).flatMap(CanonicalName::ofNumber);
  }

  /**
   * The name of a UUID in bytes: lower-case text.
   *
   * @param bytes 16 of them, big-endian
   */
  public static String ofUuid(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new UUID(in.getLong(), in.getLong()).toString();
  }

  /** The name of a UUID in text: its 32 hexadecimal digits in lower case, in five groups. */
  public static Optional<String> ofUuid(String text) {
    return UUID_TEXT.matcher(text).matches()
        ? Optional.of(text.toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  /** The name of a truth value: {@code true} or {@code false}. */
  public static String of(boolean truth) {
    return Boolean.toString(truth);
  }
}
