// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.noise.Framing;
import io.sfumato.noise.NoiseKey;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.util.HexFormat;
import java.util.Optional;

/** The share of an account that a budget takes at its first start, and keeps. */
record AccountShare(Plan plan, KafkaSettings settings, Cluster cluster, NoiseKey key) {
  /**
   * Takes it. What was granted once stays, whatever others claim.
   *
   * @param registry of the budget
   * @param entries of that registry that the budget's own key signed
   * @throws RefusedException if the account does not cover it, or the file says something else than
   *     what was granted
   */
  void take(Registry registry, RegistryEntries entries) throws RefusedException {
    Optional<Claim> claim = claim(entries.granted(), entries.share());
    if (claim.isPresent()) {
      log().claim(claim.get(), cluster);
      registry.grant(claim.get());
    }
  }

  /**
   * Refuses what {@link #take} would refuse; writes nothing.
   *
   * @param granted what the budget has, if it has a share
   * @param share that it will go on with; empty where none is known
   */
  void requireRoom(Optional<Claim> granted, String share) throws RefusedException {
    Optional<Claim> claim = claim(granted, share);
    if (claim.isPresent()) {
      log().requireRoom(claim.get(), cluster);
    }
  }

  private String budget() {
    return plan.pipeline().budget().name();
  }

  private AccountLog log() {
    return new AccountLog(settings, budget(), key);
  }

  /**
   * What has to be claimed, if anything: a first share; one that costs more than what was granted,
   * since a new version affords fewer windows, or shares noise; or one whose windows nobody knows,
   * which an earlier program may have granted beside others.
   */
  private Optional<Claim> claim(Optional<Claim> granted, String share) throws RefusedException {
    if (granted.isEmpty()) {
      Optional<Claim> first = Claim.of(plan, share.isEmpty() ? ownShare(key, budget()) : share);
      requireWindows(first);
      return first;
    }
    Optional<Claim> mine = Claim.of(plan, granted.get().share());
    if (mine.isEmpty()) {
      return Optional.empty();
    }
    Accounts.requireSame(mine.get(), granted.get());
    return granted.get().windows().isEmpty()
        ? granted
        : Optional.of(granted.get().larger(mine.get())).filter(all -> !granted.get().covers(all));
  }

  private static void requireWindows(Optional<Claim> first) throws RefusedException {
    if (first.isPresent() && first.get().windows().isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "field 'window.size': windows of a budget with an account last 300 years at most; choose shorter ones, or leave out budget.account");
    }
  }

  /** Identifies a share that begins with a budget; tells nothing of the key. */
  static String ownShare(NoiseKey key, String budget) {
    byte[] mark = key.entriesOf("budget/" + budget).sign(new Framing().text("share of an account"));
    return HexFormat.of().formatHex(mark, 0, 16);
  }
}
