// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shares that budgets of several owners claim of accounts: the one topic that they share.
 * Nobody can tell whether another's claim is genuine, or was granted, so all of them count: a
 * forged one can make somebody refuse to begin, and never grants anything. What was granted is
 * remembered {@linkplain Registry elsewhere}, and stays.
 */
public final class AccountLog {
  /** The topic. */
  public static final String TOPIC = "sfumato-accounts";

  static final String CLAIM = "claim/";

  private static final Logger LOG = LoggerFactory.getLogger(AccountLog.class);

  private final SignedLog log;

  /**
   * @param budget whose claims are one's own
   */
  AccountLog(KafkaSettings settings, String budget, NoiseKey key) {
    this.log =
        new SignedLog(
            settings,
            TOPIC,
            TransactionalIds.of(Pipeline.applicationIdOf(budget), "account"),
            Optional.of(key.entriesOf("budget/" + budget)));
  }

  /** All claims, of whomever; none where there is no log. */
  static List<AccountClaim> all(KafkaSettings settings, Cluster cluster) throws RefusedException {
    return cluster.topics().isThere(TOPIC)
        ? new SignedLog(settings, TOPIC, "", Optional.empty())
            .read().stream().flatMap(entry -> claim(entry).stream()).toList()
        : List.of();
  }

  /** The name of a claim's record. */
  static String keyOf(AccountClaim claim) {
    return CLAIM + claim.account().name() + "/" + claim.budget();
  }

  /** Reads a claim from its record. */
  static Optional<AccountClaim> claim(SignedLog.Entry entry) {
    String[] names = entry.key().split("/", -1);
    return names.length == 3 && entry.key().startsWith(CLAIM)
        ? AccountClaim.read(names[1], names[2], entry.value())
        : Optional.empty();
  }

  /**
   * What counts for a claim.
   *
   * @param others claims of others that stand before it, whether or not they were granted: their
   *     owners may know more of them than is to be seen here
   * @param isThere whether it stands in the log
   */
  record Place(List<AccountClaim> others, boolean isThere) {
    /**
     * Finds the place of a claim: who stands first in the log is granted first, and reckons with
     * all that stand before. A share that goes on under another budget's name keeps its place: all
     * that stand behind have counted it.
     */
    static Place of(AccountClaim mine, List<SignedLog.Entry> entries) {
      List<AccountClaim> others = new ArrayList<>();
      boolean isBefore = true;
      boolean isThere = false;
      for (SignedLog.Entry entry : entries) {
        Optional<AccountClaim> found =
            claim(entry).filter(claim -> claim.account().name().equals(mine.account().name()));
        if (found.isEmpty()) {
          continue;
        }
        AccountClaim claim = found.get();
        boolean isOwn = isOwn(entry, claim, mine);
        isThere |= isOwn && claim.covers(mine);
        isBefore &= !isThere && !(claim.isOfSameShare(mine) && claim.costsNoLessThan(mine));
        if (isBefore && !isOwn) {
          others.add(claim);
        }
      }
      return new Place(others, isThere);
    }

    /**
     * Whether a claim is this budget's own. What a budget of this name lost with another registry,
     * key or windows was lost by another ledger, and is added.
     */
    private static boolean isOwn(SignedLog.Entry entry, AccountClaim claim, AccountClaim mine) {
      return entry.isMine()
          && claim.isOfSameBudget(mine)
          && claim.isOfSamePeriods(mine)
          && claim.share().equals(mine.share());
    }
  }

  /**
   * Refuses a share that the account does not cover, and claims nothing.
   *
   * @throws RefusedException if the account does not cover it
   */
  void requireRoom(AccountClaim mine, Cluster cluster) throws RefusedException {
    Accounts.require(
        mine, cluster.topics().isThere(TOPIC) ? Place.of(mine, log.read()).others() : List.of());
  }

  /**
   * Claims a share.
   *
   * @throws RefusedException if the account does not cover it
   */
  void claim(AccountClaim mine, Cluster cluster) throws RefusedException {
    log.create(cluster);
    log.appendExclusively(
        () -> {
          Place place = Place.of(mine, log.read());
          Accounts.require(mine, place.others());
          return drafts(mine, place);
        });
    // Somebody else may have claimed meanwhile, and stand before.
    Accounts.require(mine, Place.of(mine, log.read()).others());
  }

  private static List<SignedLog.Draft> drafts(AccountClaim mine, Place place) {
    return place.isThere() ? List.of() : List.of(new SignedLog.Draft(keyOf(mine), mine.json()));
  }

  /**
   * Writes a claim that was granted down again, if it is there no more: others reckon with it. What
   * was granted stays, so that nobody is refused here.
   */
  void keep(AccountClaim granted, Cluster cluster) {
    try {
      if (cluster.topics().isThere(TOPIC) && Place.of(granted, log.readWhatIsThere()).isThere()) {
        return;
      }
      log.create(cluster);
      log.appendExclusively(() -> drafts(granted, Place.of(granted, log.readWhatIsThere())));
    } catch (RefusedException e) {
      LOG.warn("not checked whether {} still has the budget's claim", TOPIC);
    }
  }
}
