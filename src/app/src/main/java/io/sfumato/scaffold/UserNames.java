// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.FieldLimits;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How many people have each name of a field: secret. Of each person at most so many names count,
 * those with the smallest keyed hashes, whatever others have.
 */
final class UserNames {
  private final String field;
  private final int most;
  private final NoiseKey key;
  private final Map<String, TreeSet<Ranked>> names = new HashMap<>();

  /** A name among those of one person. */
  private record Ranked(long rank, String name) implements Comparable<Ranked> {
    @Override
    public int compareTo(Ranked other) {
      return Comparator.comparingLong(Ranked::rank)
          .thenComparing(Ranked::name)
          .compare(this, other);
    }
  }

  /**
   * @param most names of one person, at least 1
   */
  UserNames(String field, int most, NoiseKey key) {
    this.field = field;
    this.most = most;
    this.key = key;
  }

  void add(String person, String name) {
    if (!isName(name)) {
      return;
    }
    TreeSet<Ranked> own = names.computeIfAbsent(person, who -> new TreeSet<>());
    own.add(new Ranked(key.rank(person, 0, field + "\n" + name), name));
    if (own.size() > most) {
      own.pollLast();
    }
  }

  private static boolean isName(String text) {
    return !text.isBlank()
        && StandardCharsets.UTF_8.newEncoder().canEncode(text)
        && text.getBytes(StandardCharsets.UTF_8).length <= FieldLimits.NAME;
  }

  /** People by name. */
  SortedMap<String, Long> counts() {
    SortedMap<String, Long> counts = new TreeMap<>();
    names.values().forEach(own -> own.forEach(one -> counts.merge(one.name(), 1L, Long::sum)));
    return counts;
  }
}
