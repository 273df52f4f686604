// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.record.CanonicalName;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number as programs and spreadsheets write it. JSON's grammar has fewer forms: none of {@code
 * .5}, {@code 5.}, {@code +5} and {@code 01E5}.
 *
 * @param json in JSON's grammar
 * @param isDigits whether it has neither a sign nor a point or exponent
 */
public record CellNumber(String json, boolean isDigits) {
  /** Sign, whole part, point and fraction, exponent. Nothing is tried twice: cells may be long. */
  private static final Pattern NUMBER =
      Pattern.compile("([-+]?+)([0-9]*+)(\\.[0-9]*+)?+([eE][-+]?+[0-9]++)?+");

  /** The number in a cell; nothing if it looks like none. */
  public static Optional<CellNumber> in(String cell) {
    Matcher parts = NUMBER.matcher(cell);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String whole = parts.group(2);
    String fraction = parts.group(3) == null ? "" : parts.group(3);
    if (whole.isEmpty() && fraction.length() < 2) {
      return Optional.empty();
    }
    String power = parts.group(4) == null ? "" : parts.group(4);
    String sign = parts.group(1);
    return Optional.of(
        new CellNumber(
            (sign.equals("-") ? sign : "")
                + withoutZeros(whole)
                + (fraction.length() < 2 ? "" : fraction)
                + power,
            sign.isEmpty() && fraction.isEmpty() && power.isEmpty()));
  }

  private static String withoutZeros(String digits) {
    int from = 0;
    while (from < digits.length() - 1 && digits.charAt(from) == '0') {
      from++;
    }
    return digits.isEmpty() ? "0" : digits.substring(from);
  }

  /** Its value as a name; nothing if it has too many digits. */
  Optional<String> name() {
    return CanonicalName.ofNumber(json);
  }
}
