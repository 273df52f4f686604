// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The shares that budgets of several owners claim of accounts: the one topic that they share.
 * Nobody can tell whether another's claim is genuine, so all of them count: a forged one can make
 * somebody refuse to begin, and never grants anything. Claims in one's own name count if one's own
 * key signed them. What was granted is remembered {@linkplain Registry elsewhere}, and stays.
 */
public final class AccountLog {
  /** The topic. Earlier programs wrote everything there, unsigned: see {@link FormerRegistry}. */
  public static final String TOPIC = "sfumato-accounts";

  static final String CLAIM = "claim/";

  private final String budget;
  private final SignedLog log;

  /**
   * @param budget whose claims are one's own
   */
  AccountLog(KafkaSettings settings, String budget, NoiseKey key) {
    this.budget = budget;
    this.log =
        new SignedLog(
            settings,
            TOPIC,
            TransactionalIds.of(Pipeline.applicationIdOf(budget), "account"),
            Optional.of(key.entriesOf("budget/" + budget)));
  }

  /** The name of a claim's record, which earlier programs know too. */
  static String keyOf(Claim claim) {
    return CLAIM + claim.account().name() + "/" + claim.budget();
  }

  /** Reads a claim from its record. */
  static Optional<Claim> claim(SignedLog.Entry entry) {
    String[] names = entry.key().split("/", -1);
    return names.length == 3 && entry.key().startsWith(CLAIM)
        ? Claim.read(names[1], names[2], entry.value())
        : Optional.empty();
  }

  /** What counts, in log order: claims of all others, and one's own. */
  private List<Claim> claims() throws RefusedException {
    List<Claim> claims = new ArrayList<>();
    for (SignedLog.Entry entry : log.read()) {
      claim(entry)
          .filter(found -> entry.isMine() || !found.budget().equals(budget))
          .ifPresent(claims::add);
    }
    return claims;
  }

  /**
   * Refuses a share that the account does not cover, and claims nothing.
   *
   * @param predecessor the budget whose ledger, and share, it will go on with
   * @throws RefusedException if the account does not cover it
   */
  void requireRoom(Claim mine, String predecessor, Cluster cluster) throws RefusedException {
    List<Claim> found = new ArrayList<>();
    if (cluster.topics().isThere(TOPIC)) {
      found.addAll(claims());
    }
    if (found.stream().noneMatch(before -> before.covers(mine))) {
      found.add(mine);
    }
    Accounts.require(mine, found, Map.of(predecessor, mine.budget()));
  }

  /**
   * Claims a share.
   *
   * @param predecessor for a ledger that was imported, the budget whose share it goes on with
   * @throws RefusedException if the account does not cover it
   */
  void claim(Claim mine, Optional<String> predecessor, Cluster cluster) throws RefusedException {
    log.create(cluster);
    Map<String, String> continued =
        predecessor.map(from -> Map.of(from, mine.budget())).orElse(Map.of());
    log.appendExclusively(
        () -> {
          List<Claim> found = claims();
          if (found.stream().anyMatch(before -> before.covers(mine))) {
            return List.of();
          }
          found.add(mine);
          Accounts.require(mine, found, continued);
          return List.of(new SignedLog.Draft(keyOf(mine), mine.json()));
        });
    // Somebody else may have claimed meanwhile: who stands first in the log is granted first.
    Accounts.require(mine, claims(), continued);
  }

  /** Says of a share that was granted what its windows are, for others to reckon with. */
  void restate(Claim mine, Cluster cluster) throws RefusedException {
    log.create(cluster);
    log.appendExclusively(
        () -> {
          boolean said =
              log.read().stream()
                  .filter(SignedLog.Entry::isMine)
                  .flatMap(entry -> claim(entry).stream())
                  .anyMatch(before -> before.covers(mine));
          return said ? List.of() : List.of(new SignedLog.Draft(keyOf(mine), mine.json()));
        });
  }
}
