// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sfumato.record.CanonicalName;
import io.sfumato.record.Decimals;
import io.sfumato.record.JsonNumber;
import io.sfumato.record.TimeReader;
import io.sfumato.record.TimeReading;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One value of a JSON document, as a name, a time or a number. Each is null where it is none.
 *
 * @param token that the value begins with
 * @param text of a string or number; else null
 * @param times reads times
 * @param inObject the exact number that an object holds; null without one
 */
record JsonValue(JsonToken token, String text, TimeReader times, BigDecimal inObject) {
  /**
   * MongoDB's extended JSON: an object with one of these fields alone is a number, of which this is
   * the form.
   */
  private static final Map<String, Function<String, Optional<BigDecimal>>> MONGO =
      Map.of(
          "$numberInt",
          text -> whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE),
          "$numberLong",
          text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE),
          "$numberDouble",
          JsonNumber::decimal,
          "$numberDecimal",
          JsonNumber::decimal);

  private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,19}");

  /** Debezium's NUMERIC without a scale of its own: the digits, in base 64, and the scale. */
  private static final Set<String> VARIABLE_SCALE = Set.of("scale", "value");

  private static final int MOST_DECIMAL_CHARACTERS = 700;

  /**
   * The value that a parser stands at.
   *
   * @param mayBeNumber whether an object may be read to its end, for the number in it
   */
  static JsonValue at(JsonParser parser, JsonToken token, TimeReader times, boolean mayBeNumber)
      throws IOException {
    boolean scalar = token == JsonToken.VALUE_STRING || token.isNumeric();
    return new JsonValue(
        token,
        scalar ? parser.getText() : null,
        times,
        mayBeNumber && token == JsonToken.START_OBJECT ? ofObject(parser) : null);
  }

  String name() {
    return switch (token) {
      case VALUE_STRING -> CanonicalName.ofText(text).orElse(null);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> CanonicalName.ofNumber(text).orElse(null);
      case VALUE_TRUE, VALUE_FALSE -> CanonicalName.of(token == JsonToken.VALUE_TRUE);
      default -> null;
    };
  }

  TimeReading time() {
    return switch (token) {
      case VALUE_STRING -> times.text(text);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> times.number(text);
      case VALUE_NULL -> null;
      default -> new TimeReading.Unreadable("is neither text nor a number");
    };
  }

  Double number() {
    if (text != null) {
      OptionalDouble number = JsonNumber.in(text);
      return number.isPresent() ? (Double) number.getAsDouble() : null;
    }
    return inObject == null ? null : (Double) inObject.doubleValue();
  }

  /** The number rounded down to a whole one, by its exact digits. */
  Long floor() {
    return (text == null
            ? Optional.ofNullable(inObject).flatMap(Decimals::floor)
            : JsonNumber.floor(text))
        .orElse(null);
  }

  private static Optional<BigDecimal> whole(String text, long least, long most) {
    return Optional.of(text)
        .filter(number -> WHOLE.matcher(number).matches())
        .map(BigDecimal::new)
        .filter(number -> number.compareTo(BigDecimal.valueOf(least)) >= 0)
        .filter(number -> number.compareTo(BigDecimal.valueOf(most)) <= 0);
  }

  /** The parser stands at the object's end afterwards. */
  private static BigDecimal ofObject(JsonParser parser) throws IOException {
    Map<String, String> fields = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      boolean known =
          name.equals("scale")
              ? value == JsonToken.VALUE_NUMBER_INT
              : value == JsonToken.VALUE_STRING
                  && (MONGO.containsKey(name) || VARIABLE_SCALE.contains(name));
      fields.put(name, known ? parser.getText() : null);
      parser.skipChildren();
    }
    if (fields.keySet().equals(VARIABLE_SCALE)) {
      return variableScale(fields.get("scale"), fields.get("value"));
    }
    return fields.size() == 1
        ? fields.entrySet().stream()
            .filter(field -> MONGO.containsKey(field.getKey()) && field.getValue() != null)
            .findFirst()
            .flatMap(field -> MONGO.get(field.getKey()).apply(field.getValue()))
            .orElse(null)
        : null;
  }

  private static BigDecimal variableScale(String scale, String digits) {
    if (scale == null
        || digits == null
        || !scale.matches("-?\\d{1,4}")
        || digits.length() > MOST_DECIMAL_CHARACTERS) {
      return null;
    }
    try {
      byte[] unscaled = Base64.getDecoder().decode(digits);
      return unscaled.length == 0
          ? null
          : new BigDecimal(new BigInteger(unscaled), Integer.parseInt(scale));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
