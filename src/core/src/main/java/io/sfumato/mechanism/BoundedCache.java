// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What a function of public parameters came to, of those that were asked for last. Safe for several
 * threads: two of them may find the same value twice.
 *
 * @param <K> all that the value follows from, as a record
 * @param <V> immutable
 */
public final class BoundedCache<K, V> {
  private final Map<K, V> known;

  /**
   * @param most that are kept, at least 1
   */
  public BoundedCache(int most) {
    this.known =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  /** Of these parameters. */
  public V of(K parameters, Function<K, V> function) {
    synchronized (known) {
      V value = known.get(parameters);
      if (value != null) {
        return value;
      }
    }
    V value = function.apply(parameters);
    synchronized (known) {
      known.put(parameters, value);
    }
    return value;
  }
}
