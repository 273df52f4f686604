// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Closed sets of words in a pipeline file, in the order in which they are told. */
public final class EnumWords {
  private EnumWords() {}

  /** Words that stand for themselves. */
  public static Map<String, String> of(String... words) {
    Map<String, String> map = new LinkedHashMap<>();
    for (String word : words) {
      map.put(word, word);
    }
    return map;
  }

  /** The names of an enum, in lower case, with hyphens. */
  public static <T extends Enum<T>> Map<String, T> of(T[] values) {
    Map<String, T> map = new LinkedHashMap<>();
    for (T value : values) {
      map.put(word(value), value);
    }
    return map;
  }

  /** As files and reports write it. */
  public static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Two words, in this order. */
  public static <T> Map<String, T> either(String word1, T value1, String word2, T value2) {
    Map<String, T> map = new LinkedHashMap<>();
    map.put(word1, value1);
    map.put(word2, value2);
    return map;
  }
}
