// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.noise.NoiseKey;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.util.Optional;

/** The share of an account that a budget takes at its first start, and keeps. */
record AccountShare(Plan plan, KafkaSettings settings, Cluster cluster, NoiseKey key) {
  /**
   * Takes it. What was granted once stays, whatever others claim.
   *
   * @param registry of the budget
   * @param entries of that registry
   * @param predecessor for a ledger that was imported, the budget whose share it goes on with
   * @throws RefusedException if the account does not cover it, or the file says something else than
   *     what was granted
   */
  void take(Registry registry, RegistryEntries entries, Optional<String> predecessor)
      throws RefusedException {
    Optional<Claim> claimed = Claim.of(plan);
    if (claimed.isEmpty()) {
      return;
    }
    Claim mine = claimed.get();
    AccountLog account = new AccountLog(settings, mine.budget(), key);
    switch (needs(mine, entries.granted())) {
      case NOTHING -> {
        return;
      }
      case WINDOWS_WRITTEN_DOWN -> account.restate(mine, cluster);
      case ROOM -> account.claim(mine, predecessor, cluster);
    }
    registry.grant(mine);
  }

  /**
   * Refuses what {@link #take} would refuse; writes nothing.
   *
   * @param granted what the budget has, if it has a share
   */
  void requireRoom(Optional<Claim> granted, String predecessor) throws RefusedException {
    Optional<Claim> mine = Claim.of(plan);
    if (mine.isPresent() && needs(mine.get(), granted) == Needs.ROOM) {
      new AccountLog(settings, mine.get().budget(), key)
          .requireRoom(mine.get(), predecessor, cluster);
    }
  }

  /** What a claim needs beside what was granted. */
  private enum Needs {
    NOTHING,
    /** An earlier program did not write down the windows of a share that was granted. */
    WINDOWS_WRITTEN_DOWN,
    /** A first claim; or a new version whose shares afford fewer windows, or share noise. */
    ROOM
  }

  private static Needs needs(Claim mine, Optional<Claim> granted) throws RefusedException {
    if (granted.isEmpty()) {
      return Needs.ROOM;
    }
    Accounts.requireSame(mine, granted.get());
    if (granted.get().covers(mine)) {
      return Needs.NOTHING;
    }
    return granted.get().windows().isEmpty() ? Needs.WINDOWS_WRITTEN_DOWN : Needs.ROOM;
  }
}
