// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the log says.
 *
 * @param mine what this budget's key signed
 * @param others what was signed with another key, or not at all: an earlier key of this budget, or
 *     anybody
 * @param all what both say: for every reader the same entry comes first, or last
 * @param followers tags of the keys that took over after this one, as they say: what it signs from
 *     then on they do not hear
 */
public record RegistryContents(
    RegistryEntries mine, RegistryEntries others, RegistryEntries all, Set<String> followers) {
  /** Of a registry that is not there. */
  static final RegistryContents NONE = of(List.of());

  /**
   * Of entries in log order. Which of two comes first must not depend on who asks: two owners who
   * each believed themselves would both go on.
   */
  static RegistryContents of(List<SignedLog.Entry> entries) {
    RegistryEntries mine = RegistryEntries.NONE;
    RegistryEntries others = RegistryEntries.NONE;
    RegistryEntries all = RegistryEntries.NONE;
    for (SignedLog.Entry entry : entries) {
      all = all.with(entry);
      if (entry.isMine()) {
        mine = mine.with(entry);
      } else {
        others = others.with(entry);
      }
    }
    return new RegistryContents(mine, others, all, followers(entries));
  }

  /** Whether of all keys this one took the budget over last. */
  boolean isCurrent() {
    return mine.adopted() && followers.isEmpty();
  }

  /** All of it, for whoever cannot tell what is genuine: it can only make him refuse. */
  public RegistryEntries unverified() {
    return new RegistryEntries(
        all.sealed(),
        all.continued(),
        all.started(),
        mine.granted(),
        mine.adopted(),
        all.begun(),
        all.awaited(),
        mine.inherited());
  }

  /**
   * For the key of a budget that ran: what it signed, and, where another key has followed it, what
   * that one ended.
   */
  RegistryEntries heard() {
    return followers.isEmpty()
        ? mine
        : new RegistryEntries(
            all.sealed(),
            all.continued(),
            mine.started(),
            mine.granted(),
            mine.adopted(),
            mine.begun(),
            mine.awaited(),
            mine.inherited());
  }

  /**
   * Keys that took over after the owner's, by their tags; of those before nobody hears any more.
   */
  static Set<String> followers(List<SignedLog.Entry> entries) {
    Set<String> followers = new TreeSet<>();
    boolean adopted = false;
    for (SignedLog.Entry entry : entries) {
      if (!entry.key().equals(Registry.ADOPTED)) {
        continue;
      }
      if (entry.isMine()) {
        adopted = true;
        followers.clear();
      } else if (adopted) {
        followers.add(entry.value().path("key").asText());
      }
    }
    return followers;
  }
}
