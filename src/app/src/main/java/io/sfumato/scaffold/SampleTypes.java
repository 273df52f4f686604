// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.client.CellNumber;
import io.sfumato.client.EventTimes;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeFormatGuess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What most values of a field look like. That, and how fields are called, is all that a draft takes
 * from records: neither values, nor how many there are of anything.
 */
final class SampleTypes {
  private static final Pattern WHOLE = Pattern.compile("[-+]?\\d++");

  /** Values whose form is looked at, where many forms are tried. */
  private static final int ENOUGH = 200;

  /** In characters: longer ones are remarks. */
  private static final int LONGEST_NAME = 64;

  private final SampleRecords sample;

  /** Of fields that were asked for: every value of one is looked at. */
  private final Map<String, Type> types = new HashMap<>();

  SampleTypes(SampleRecords sample) {
    this.sample = sample;
  }

  /** Of a field's values. */
  enum Type {
    TIME,
    /** With decimals: a measurement. */
    DECIMAL,
    WHOLE,
    /** Long, or of several lines. */
    REMARK,
    TEXT
  }

  Type of(String field) {
    return types.computeIfAbsent(field, this::found);
  }

  private Type found(String field) {
    List<String> values = sample.values(field);
    if (most(values, EventTimes::isTime) || isPattern(values)) {
      return Type.TIME;
    }
    if (most(values, value -> WHOLE.matcher(value).matches())) {
      return Type.WHOLE;
    }
    if (isNumber(field)) {
      return Type.DECIMAL;
    }
    return most(values, value -> !isName(value)) ? Type.REMARK : Type.TEXT;
  }

  /** Whether most values are dates with times of day in a form that a pipeline can be told. */
  private static boolean isPattern(List<String> values) {
    return TimeFormatGuess.of(some(values)).formats().stream()
        .anyMatch(TimeFormat.Pattern.class::isInstance);
  }

  /**
   * Whether most values are seconds, micro- or nanoseconds since 1970, if they are times at all.
   */
  boolean mayBeEpoch(String field) {
    return TimeFormatGuess.of(some(sample.values(field))).formats().stream()
        .anyMatch(TimeFormat.Epoch.class::isInstance);
  }

  private static List<String> some(List<String> values) {
    return values.subList(0, Math.min(values.size(), ENOUGH));
  }

  /** Whether most values are numbers, whole or not. */
  boolean isNumber(String field) {
    return most(sample.values(field), value -> CellNumber.in(value).isPresent());
  }

  private static boolean isName(String value) {
    return value.length() <= LONGEST_NAME && value.chars().noneMatch(Character::isISOControl);
  }

  private static boolean most(List<String> values, Predicate<String> test) {
    return 2 * values.stream().filter(test).count() > values.size();
  }
}
