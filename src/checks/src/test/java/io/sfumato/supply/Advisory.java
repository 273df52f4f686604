// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A published vulnerability of some versions of a library.
 *
 * @param library group and artifact; with a '*' at its end, every one that begins so
 * @param introduced first affected version
 * @param mended first version that is not affected any more
 * @param id of the advisory
 * @param source where its identifier and the mended version are named, or that none names them
 */
record Advisory(String library, String introduced, String mended, String id, String source) {
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /** One line of the list. */
  static Advisory parse(String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != 5) {
      throw new IllegalArgumentException("not five fields: " + line);
    }
    return new Advisory(fields[0], fields[1], fields[2], fields[3], fields[4]);
  }

  boolean affects(Library found) {
    boolean named =
        library.endsWith("*")
            ? found.name().startsWith(library.substring(0, library.length() - 1))
            : found.name().equals(library);
    return named
        && compare(found.version(), introduced) >= 0
        && compare(found.version(), mended) < 0;
  }

  /** By their numbers, the first one first; what is missing is 0. */
  static int compare(String version, String other) {
    List<Integer> left = numbers(version);
    List<Integer> right = numbers(other);
    for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
      int order =
          Integer.compare(i < left.size() ? left.get(i) : 0, i < right.size() ? right.get(i) : 0);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static List<Integer> numbers(String version) {
    List<Integer> numbers = new ArrayList<>();
    Matcher matcher = NUMBER.matcher(version);
    while (matcher.find()) {
      numbers.add(Integer.valueOf(matcher.group()));
    }
    return numbers;
  }
}
