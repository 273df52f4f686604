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
    if (entries.granted().isPresent()) {
      Claim granted = entries.granted().get();
      Accounts.requireSame(mine, granted);
      if (granted.covers(mine)) {
        return;
      }
      if (granted.windows().isEmpty()) {
        account.restate(mine, cluster);
        registry.grant(mine);
        return;
      }
      // A new version whose shares afford fewer windows, or share noise: that costs more.
    }
    account.claim(mine, predecessor, cluster);
    registry.grant(mine);
  }
}
