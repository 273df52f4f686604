// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipelines of one account whose windows or periods differ, from their files. */
class AccountWindowsTest {
  private static final String WEEKLY = "size: 7d, clock: ticks, begin: 2026-11-02";
  private static final String THURSDAY =
      "size: 7d, clock: ticks, begin: 2026-11-05, origin: 2026-11-05";
  private static final String DAILY = "size: 1d, clock: ticks, begin: 2026-11-02";

  @Test
  void shouldRefuseASecondBudgetWhoseWindowsOverlapThoseOfTheFirst() throws Exception {
    for (String other : List.of(THURSDAY, DAILY)) {
      List<AccountClaim> log =
          List.of(users("weekly", WEEKLY, "window", 2), users("other", other, "window", 2));
      for (List<AccountClaim> order : List.of(log, reversed(log))) {
        assertThatThrownBy(() -> Accounts.require(order.get(1), order.subList(0, 1)))
            .hasMessageContaining("field 'budget.account'")
            .hasMessageContaining("does not fit account 'patients'")
            .hasMessageContaining("window.origin");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    // A week touches two of the others, in part: each is emptied, and put back in part.
    "size: 7d; clock: ticks; begin: 2026-11-05; origin: 2026-11-05, window, 5",
    // A week holds seven days; a day is a part of a week.
    "size: 1d; clock: ticks; begin: 2026-11-02, window, 8",
    // The same windows, by other words.
    "size: 7d; clock: ticks; begin: 2026-11-02, 7d, 2",
    // 28 days from 1970-01-05 on hold four weeks, of which the share affords all, or one.
    "size: 7d; clock: ticks; begin: 2026-11-02, 28d, 5",
  })
  void shouldGrantWhatTheAccountCoversAndNothingLess(String window, String period, int epsilon)
      throws Exception {
    String others = window.replace(';', ',');
    List<AccountClaim> fits =
        List.of(
            users("weekly", WEEKLY, "window", epsilon), users("other", others, period, epsilon));
    for (List<AccountClaim> order : List.of(fits, reversed(fits))) {
      Accounts.require(order.get(1), order.subList(0, 1));
    }
    BigDecimal less = BigDecimal.valueOf(epsilon).subtract(new BigDecimal("1e-9"));
    List<AccountClaim> short1 =
        List.of(
            users("weekly", WEEKLY, "window", less, "1"),
            users("other", others, period, less, "1"));
    for (List<AccountClaim> order : List.of(short1, reversed(short1))) {
      assertThatThrownBy(() -> Accounts.require(order.get(1), order.subList(0, 1)))
          .hasMessageContaining("does not fit");
    }
  }

  /** How many periods of local days a stretch touches is not worked out: nothing is granted. */
  @Test
  void shouldGrantNothingBesideWindowsOfAZone() throws Exception {
    AccountClaim local = users("local", DAILY + ", zone: Europe/Berlin", "window", 1);
    assertThat(local.windows()).isEmpty();
    assertThat(AccountPeriods.of(local)).isEmpty();
    AccountClaim elsewhere = users("local", DAILY + ", zone: Europe/Paris", "window", 1);
    assertThat(elsewhere.isOfSamePeriods(local)).as("windows of another zone").isFalse();
    assertThatThrownBy(() -> Accounts.require(users("weekly", WEEKLY, "window", 1), List.of(local)))
        .hasMessageContaining("account 'patients'");
  }

  @Test
  void shouldCountAPartlyTouchedPeriodTwiceWhereItsShareAffordsFewerWindows() throws Exception {
    // A week is one of four in a period: where it is emptied, another one may count in its place.
    AccountClaim weekly = users("weekly", WEEKLY, "window", 9);
    assertThat(steps(users("monthly", WEEKLY, "28d", BigDecimal.valueOf(9), "4"), weekly))
        .isEqualTo(1);
    assertThat(steps(users("monthly", WEEKLY, "28d", BigDecimal.valueOf(9), "3"), weekly))
        .isEqualTo(2);
  }

  @Test
  void shouldRefuseALifetimeBesideAPeriod() throws Exception {
    List<AccountClaim> order =
        List.of(users("weekly", WEEKLY, "window", 1000), users("ever", WEEKLY, "lifetime", 1000));
    for (List<AccountClaim> log : List.of(order, reversed(order))) {
      assertThatThrownBy(() -> Accounts.require(log.get(1), log.subList(0, 1)))
          .hasMessageContaining("budget 'ever' has 'period: lifetime'")
          .hasMessageContaining("in all files of the account, or in none");
    }
    List<AccountClaim> both =
        List.of(users("ever", WEEKLY, "lifetime", 2), users("days", DAILY, "lifetime", 2));
    Accounts.require(both.get(1), both.subList(0, 1));
  }

  /** A claim with windows may be forged: it says nothing of the one without. */
  @Test
  void shouldNotGrantBesideAClaimThatDoesNotSayItsWindowsWhateverIsSaidLater() throws Exception {
    AccountClaim weekly = users("weekly", WEEKLY, "window", 9);
    AccountClaim silent = weekly.with(Optional.empty());
    AccountClaim thursday = users("thursday", THURSDAY, "window", 9);
    for (List<AccountClaim> log :
        List.of(List.of(silent), List.of(silent, weekly), List.of(weekly, silent))) {
      assertThatThrownBy(() -> Accounts.require(thursday, log))
          .hasMessageContaining("claim of budget 'weekly' does not state its windows");
    }
  }

  @Test
  void shouldKeepTheCostOfABudgetWhoseNextVersionAffordsFewerWindows() throws Exception {
    AccountClaim every = users("monthly", WEEKLY, "28d", BigDecimal.valueOf(9), "4");
    AccountClaim fewer = users("monthly", WEEKLY, "28d", BigDecimal.valueOf(9), "3");
    assertThat(every.covers(fewer)).isFalse();
    assertThat(fewer.covers(every)).isTrue();
    assertThat(every.larger(fewer)).isEqualTo(fewer);
    Accounts.requireSame(fewer, every);
  }

  @Test
  void shouldRefuseAFileWhoseWindowsAreOthersThanThoseGranted() throws Exception {
    AccountClaim weekly = users("weekly", WEEKLY, "window", 5);
    AccountClaim moved = users("weekly", THURSDAY, "window", 5);
    assertThatThrownBy(() -> Accounts.requireSame(moved, weekly))
        .hasMessageContaining("windows of another size or origin");
  }

  @Test
  void shouldCountALedgerThatGoesOnWithOtherWindowsBesideTheFormer() throws Exception {
    AccountClaim old = users("old", WEEKLY, "window", 2);
    AccountClaim third = users("third", WEEKLY, "window", 2);
    AccountClaim same = users("heir", WEEKLY, "window", 2).of(old.share());
    Accounts.require(same, List.of(old, third));
    Accounts.require(third, List.of(old, same));
    AccountClaim other = users("heir", THURSDAY, "window", 2).of(old.share());
    assertThatThrownBy(() -> Accounts.require(other, List.of(old)))
        .hasMessageContaining("does not fit");
  }

  @Test
  void shouldCountALedgerThatGoesOnWithFewerWindowsAtWhatItCostsThen() throws Exception {
    BigDecimal account = new BigDecimal("1.7");
    AccountClaim every = users("monthly", WEEKLY, "28d", account, "4");
    AccountClaim fewer = users("heir", WEEKLY, "28d", account, "3").of(every.share());
    AccountClaim weekly = losing("0.1", users("weekly", WEEKLY, "window", account, "4"));
    Accounts.require(weekly, List.of(every));
    assertThatThrownBy(() -> Accounts.require(fewer, List.of(every, weekly)))
        .hasMessageContaining("can lose epsilon 2.1")
        .hasMessageContaining("heir 2 x");
    assertThatThrownBy(() -> Accounts.require(weekly, List.of(every, fewer)))
        .hasMessageContaining("can lose epsilon 2.1");
  }

  private static AccountClaim losing(String epsilon, AccountClaim claim) {
    return new AccountClaim(
        claim.account(),
        claim.budget(),
        claim.unit(),
        claim.period(),
        Epsilon.of(epsilon),
        claim.delta(),
        claim.windows(),
        claim.share());
  }

  @Test
  void shouldReadTheWindowsThatAClaimWrites() throws Exception {
    AccountClaim claim = users("weekly", THURSDAY, "28d", 5);
    assertThat(AccountClaim.read(claim.json())).contains(claim);
    assertThat(claim.windows().orElseThrow().origin()).as("1970-01-01 was a Thursday").isZero();
    for (String size :
        List.of(
            "0",
            "-1",
            "1e99",
            "18446744073709551617",
            "18446744074314351616",
            "\"7d\"",
            "99999999999999999",
            "null")) {
      String json = claim.json().toString().replace("604800000", size);
      assertThat(AccountClaim.read(new ObjectMapper().readTree(json)))
          .as(size)
          .contains(claim.with(Optional.empty()));
    }
  }

  @Test
  void shouldAddDeltasOfPeriodsAndChainThoseOfOne() {
    Steps twoInPart = new Steps(0, 1, 2, 2);
    Epsilon one = Epsilon.of("1");
    BigDecimal delta = twoInPart.delta(one, Delta.of("1e-6"));
    assertThat(delta.doubleValue()).isBetween(2e-6 * (1 + Math.E), 2e-6 * (1 + Math.E) * 1.000001);
    assertThat(new Steps(7, 1, 0, 1).delta(one, Delta.of("1e-6"))).isEqualByComparingTo("7e-6");
    assertThat(Steps.chain(1_000_000_000L).delta(one, Delta.of("1e-300")))
        .isGreaterThan(BigDecimal.ONE);
    assertThat(Steps.chain(1_000_000_000L).delta(one, Delta.of("0"))).isZero();
  }

  private static long steps(AccountClaim claim, AccountClaim protectedOne) {
    return AccountPeriods.of(claim)
        .orElseThrow()
        .stepsFor(AccountPeriods.of(protectedOne).orElseThrow())
        .stream()
        .mapToLong(Steps::total)
        .max()
        .getAsLong();
  }

  private static List<AccountClaim> reversed(List<AccountClaim> claims) {
    List<AccountClaim> reversed = new ArrayList<>(claims);
    Collections.reverse(reversed);
    return reversed;
  }

  private static AccountClaim users(String name, String window, String period, int account)
      throws Exception {
    return users(name, window, period, BigDecimal.valueOf(account), "4");
  }

  private static AccountClaim users(
      String name, String window, String period, BigDecimal account, String windows)
      throws Exception {
    String yaml =
        """
        pipeline: NAME
        version: 1
        input: { topic: visits, subject: ward, user: patient, time: at, category: kind, categories: [a, b] }
        contributions: { per-window: 1 }
        subjects: [n, s]
        window: { WINDOW }
        budget: { name: NAME, unit: user, epsilon: 1, delta: 1e-6, period: PERIOD, account: { name: patients, epsilon: ACCOUNT, delta: 1e-3 } }
        releases:
          - count: { name: NAME-counts, method: laplace, share: { epsilon: 1, delta: 1e-6 }, windows: MANY }
        """
            .replace("NAME", name)
            .replace("WINDOW", window)
            .replace("PERIOD", period)
            .replace("ACCOUNT", account.toPlainString())
            .replace(
                ", windows: MANY",
                List.of("window", "7d").contains(period) ? "" : ", windows: " + windows);
    return AccountClaim.of(
            Plan.of("test.yaml", PipelineFile.parse("test.yaml", yaml)), "of " + name)
        .orElseThrow();
  }
}
