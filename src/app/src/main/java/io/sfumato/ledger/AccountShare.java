// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import java.util.HexFormat;
import java.util.List;
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
    Optional<AccountClaim> claim = claim(entries.granted(), entries.inherited());
    if (claim.isPresent()) {
      log().claim(claim.get(), cluster);
      registry.grant(claim.get());
    } else if (entries.granted().isPresent()) {
      log().keep(entries.granted().get(), cluster);
    }
  }

  /**
   * Refuses what {@link #take} would refuse; writes nothing.
   *
   * @param granted what the budget has, if it has a share
   * @param inherited what it will go on with
   */
  void requireRoom(Optional<AccountClaim> granted, InheritedShare inherited)
      throws RefusedException {
    Optional<AccountClaim> claim = claim(granted, inherited);
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
   * since a new version affords fewer windows, or shares noise.
   */
  private Optional<AccountClaim> claim(Optional<AccountClaim> granted, InheritedShare inherited)
      throws RefusedException {
    if (granted.isEmpty()) {
      return first(inherited);
    }
    AccountClaim held = granted.get();
    requireAccount(held.account().name());
    AccountClaim mine = AccountClaim.of(plan, held.share()).orElseThrow();
    Accounts.requireSame(mine, held);
    return Optional.of(held.larger(mine)).filter(all -> !held.covers(all));
  }

  private Optional<AccountClaim> first(InheritedShare inherited) throws RefusedException {
    if (!inherited.account().isEmpty()) {
      requireAccount(inherited.account());
    }
    String mark = inherited.mark().isEmpty() ? ownMark() : inherited.mark();
    Optional<AccountClaim> first = AccountClaim.of(plan, mark);
    if (first.isPresent()) {
      requireWritable(first.get());
    }
    return first;
  }

  /** Others reckon with what was granted, in whichever file it is spent. */
  private void requireAccount(String name) throws RefusedException {
    Optional<AccountSpec> account = plan.pipeline().budget().account();
    if (!account.map(AccountSpec::name).equals(Optional.of(name))) {
      throw refused(
          "field 'budget.account': budget '%s' has a share of account '%s', which covers its ledger in every version: restore that account in the file"
              .formatted(budget(), ControlCharEscaper.of(name)));
    }
  }

  private static void requireWritable(AccountClaim claim) throws RefusedException {
    if (claim.windows().isEmpty()) {
      throw refused(
          "field 'window.size': windows of a budget with an account last 300 years at most; choose"
              + " shorter ones, or leave out budget.account");
    }
    boolean isRead =
        AccountClaim.read(claim.json())
            .filter(read -> read.covers(claim) && claim.covers(read))
            .isPresent();
    if (!isRead) {
      throw refused(
          "field 'budget.epsilon': epsilon and delta of a budget with an account, and of the"
              + " account, have 400 decimals at most");
    }
  }

  /**
   * Identifies a share that begins with a budget; tells nothing of the key. Where the registry was
   * lost, and everybody's budget with it, the share is another one.
   */
  private String ownMark() throws RefusedException {
    String registry = Registry.topicOf(budget());
    String id = cluster.topics().ids(List.of(registry)).getOrDefault(registry, "");
    CanonicalEncoder facts = new CanonicalEncoder().text("share of an account").text(id);
    return HexFormat.of().formatHex(key.entriesOf("budget/" + budget()).sign(facts), 0, 16);
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
