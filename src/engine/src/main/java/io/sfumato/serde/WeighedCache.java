// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps what was used last, as far as it weighs no more than is allowed: however large or many the
 * things are that others make it remember, its size is bounded. Safe for several threads.
 */
public final class WeighedCache<K, V> {
  private record Kept<V>(V value, long weight) {}

  private final long most;
  private final Map<K, Kept<V>> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long weight;

  /**
   * @param most weight of all together
   */
  public WeighedCache(long most) {
    this.most = most;
  }

  /** What is kept under a key. */
  public synchronized Optional<V> get(K key) {
    return Optional.ofNullable(kept.get(key)).map(Kept::value);
  }

  /** Keeps it, unless it alone is too heavy; what was not used for longest goes. */
  public synchronized void put(K key, V value, long heavy) {
    remove(key);
    if (heavy > most) {
      return;
    }
    kept.put(key, new Kept<>(value, heavy));
    weight += heavy;
    Iterator<Kept<V>> oldest = kept.values().iterator();
    while (weight > most) {
      weight -= oldest.next().weight();
      oldest.remove();
    }
  }

  /** Forgets what is kept under a key. */
  public synchronized void remove(K key) {
    Kept<V> old = kept.remove(key);
    weight -= old == null ? 0 : old.weight();
  }

  /** Weight of all that is kept. */
  public synchronized long weight() {
    return weight;
  }
}
