// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whatever is claimed in whatever order, forged, said again, carried over or begun anew: an account
 * covers all ledgers that were granted a share together.
 */
class AccountOrderTest {
  private static final int LOGS = 3_000;
  private static final int CLAIMS = 12;
  private static final long DAY = 86_400_000;
  private static final AccountSpec ACCOUNT =
      new AccountSpec("people", Epsilon.of("6"), Delta.of("0"));

  /** A claim in the log, with the key of who wrote it; forgers have one that owns nothing. */
  private record Written(AccountClaim claim, int key) {}

  /**
   * A ledger.
   *
   * @param claim what it was granted last
   * @param key of who holds it
   * @param before what it was granted for other windows or another period
   */
  private record Ledger(AccountClaim claim, int key, List<AccountClaim> before) {
    /** Of the same periods it loses what costs more, of others by both. */
    Ledger goingOnWith(AccountClaim next, int by) {
      List<AccountClaim> all = new ArrayList<>(before);
      all.add(claim);
      AccountClaim largest = next;
      for (AccountClaim old : all) {
        largest = old.isOfSamePeriods(next) ? largest.larger(old) : largest;
      }
      all.removeIf(next::isOfSamePeriods);
      return new Ledger(largest, by, all);
    }

    Stream<AccountClaim> claims() {
      return Stream.concat(before.stream(), Stream.of(claim));
    }
  }

  private final Random random = new Random(20261128);
  private final List<Written> log = new ArrayList<>();
  private final List<Ledger> granted = new ArrayList<>();
  private int keys;
  private int shares;

  /** What happened, so that none of it is missing from the test. */
  private final Set<String> seen = new HashSet<>();

  @Test
  void shouldCoverAllThatWasGrantedTogether() {
    for (int i = 0; i < LOGS; i++) {
      log.clear();
      granted.clear();
      for (int step = 0; step < CLAIMS; step++) {
        step();
      }
      List<AccountClaim> truth = granted.stream().flatMap(Ledger::claims).toList();
      if (!truth.isEmpty()) {
        assertThat(AccountLoss.excess(truth, ACCOUNT)).as("%s of %s", truth, log).isEmpty();
      }
    }
    assertThat(seen)
        .contains("new granted", "heir granted", "dearer granted", "anew granted")
        .contains("new refused", "heir refused", "dearer refused", "anew refused");
  }

  private void step() {
    switch (random.nextInt(5)) {
      case 0 -> forge();
      case 1 -> carryOver();
      case 2 -> costMore();
      case 3 -> beginAnew();
      default -> begin("b" + random.nextInt(6), "new");
    }
  }

  private void begin(String budget, String what) {
    begin(budget, what, ++keys);
  }

  private void begin(String budget, String what, int key) {
    AccountClaim claim = random(budget, budget + "/" + ++shares);
    if (isGranted(claim, key, what)) {
      granted.add(new Ledger(claim, key, List.of()));
    }
  }

  /** The registry of a budget was lost, and maybe its secret too. */
  private void beginAnew() {
    if (!granted.isEmpty()) {
      Ledger old = any();
      begin(old.claim().budget(), "anew", random.nextBoolean() ? old.key() : ++keys);
    }
  }

  private void forge() {
    AccountClaim claim = random("b" + random.nextInt(6), "");
    boolean silent = random.nextInt(3) == 0;
    AccountClaim forged = silent ? claim.with(Optional.empty()) : claim;
    boolean known = !granted.isEmpty() && random.nextBoolean();
    log.add(new Written(known ? forged.of(any().claim().share()) : forged, 0));
  }

  private void carryOver() {
    if (granted.isEmpty()) {
      return;
    }
    Ledger old = any();
    AccountClaim next = random("b" + random.nextInt(6) + "'", old.claim().share());
    AccountClaim heir = losing(next, old.claim());
    int key = random.nextBoolean() ? old.key() : ++keys;
    if (isGranted(heir, key, "heir")) {
      granted.set(granted.indexOf(old), old.goingOnWith(heir, key));
    }
  }

  private void costMore() {
    if (granted.isEmpty()) {
      return;
    }
    Ledger old = any();
    AccountClaim dearer =
        old.claim()
            .larger(
                random(old.claim().budget(), "")
                    .with(Optional.of(flags(old.claim().windows().orElseThrow()))));
    AccountClaim same = losing(dearer, old.claim());
    if (isGranted(same, old.key(), "dearer")) {
      granted.set(granted.indexOf(old), old.goingOnWith(same, old.key()));
    }
  }

  private static AccountClaim losing(AccountClaim next, AccountClaim old) {
    return new AccountClaim(
        next.account(),
        next.budget(),
        next.unit(),
        next.period(),
        old.epsilon(),
        old.delta(),
        next.windows(),
        next.share());
  }

  /** As a start does it: others may write between what it reads and what it writes. */
  private boolean isGranted(AccountClaim mine, int key, String what) {
    boolean granted = true;
    try {
      Accounts.require(mine, place(mine, key).others());
      if (random.nextInt(4) == 0) {
        log.add(new Written(random("b" + random.nextInt(6), "elsewhere/" + ++shares), keys));
      }
      if (!place(mine, key).isThere()) {
        log.add(new Written(mine, key));
      }
      Accounts.require(mine, place(mine, key).others());
    } catch (RefusedException e) {
      granted = false;
    }
    seen.add(what + (granted ? " granted" : " refused"));
    return granted;
  }

  private AccountLog.Place place(AccountClaim mine, int key) {
    return AccountLog.Place.of(
        mine,
        log.stream()
            .map(
                written ->
                    new SignedLog.Entry(
                        AccountLog.keyOf(written.claim()),
                        written.claim().json(),
                        0,
                        written.key() == key))
            .toList());
  }

  private Ledger any() {
    return granted.get(random.nextInt(granted.size()));
  }

  private AccountClaim random(String budget, String share) {
    int days = 1 + random.nextInt(2);
    ClaimedWindows grid = new ClaimedWindows(days * DAY, random.nextInt(days) * DAY, true, true);
    return new AccountClaim(
        ACCOUNT,
        budget,
        "user",
        random.nextBoolean() ? "window" : "4d",
        Epsilon.of(List.of("0.25", "0.5", "1").get(random.nextInt(3))),
        Delta.of("0"),
        Optional.of(flags(grid)),
        share);
  }

  private ClaimedWindows flags(ClaimedWindows grid) {
    return new ClaimedWindows(
        grid.size(), grid.origin(), random.nextBoolean(), random.nextBoolean());
  }
}
