// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.ContinuedShare.Terms;
import io.sfumato.accounting.PrivacyFilter.FixedCountFilter;
import io.sfumato.accounting.PrivacyFilter.PureDpFilter;
import io.sfumato.accounting.PrivacyFilter.RenyiFilter;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares that go on with other terms, against every number of charges that a ledger admits. */
class ContinuedShareTest {
  private static final Delta SMALL = Delta.of("1e-6");
  private static final double ORDER = 16;

  private static PrivacyCost gaussian(double mu) {
    return PrivacyCost.of(
        "gaussian " + mu, PrivacyUnit.USER, RenyiCurve.gaussian(mu), PrivacyProfile.gaussian(mu));
  }

  private static BudgetShare share(String epsilon, double order) {
    Epsilon all = Epsilon.of(epsilon);
    return new BudgetShare("visits", all, SMALL, RenyiFilter.of(all, SMALL, order));
  }

  private static Terms terms(BudgetShare share) {
    return new Terms(share.epsilon(), share.delta(), share.filter());
  }

  /** mu of the charge that a share affords so often. */
  private static PrivacyCost affordable(BudgetShare share, double order, int times) {
    double all = RenyiUnits.toNats(share.filter().cap());
    return gaussian(Math.sqrt(2 * all / times / order) * (1 - 1e-9));
  }

  /**
   * Most that a ledger admits in all, in nats: by trying every number of former charges.
   *
   * @param most former charges
   */
  private static double worst(
      long most, BudgetShare next, Map<Integer, Long> costs, PrivacyCost old, PrivacyCost now) {
    double worst = 0;
    for (long before = 0; before <= most; before++) {
      SortedMap<Integer, Long> counts = new TreeMap<>();
      if (before > 0) {
        counts.put(0, before);
      }
      Ledger ledger = new Ledger(counts);
      long after = 0;
      while (next.admits(ledger, costs, 1)) {
        ledger = ledger.plus(1);
        after++;
      }
      if (after > 0) {
        worst = Math.max(worst, before * old.curve().at(ORDER) + after * now.curve().at(ORDER));
      }
    }
    return worst;
  }

  /** C, noise, numbers of windows and epsilon change: no ledger holds more than is promised. */
  @ParameterizedTest
  @CsvSource({"1,10,1,10", "1,10,1,30", "1,30,1,10", "1,10,2,10", "2,10,1,10", "0.8,7,3,50"})
  void shouldPromiseWhatTheWorstLedgerLoses(
      String formerEpsilon, int formerTimes, String epsilon, int times) {
    for (double order : new double[] {ORDER, 24}) {
      BudgetShare former = share(formerEpsilon, ORDER);
      BudgetShare next = share(epsilon, order);
      PrivacyCost old = affordable(former, ORDER, formerTimes);
      PrivacyCost now = affordable(next, order, times);
      ContinuedShare both = ContinuedShare.of(List.of(terms(former)), next, now).orElseThrow();
      Map<Integer, Long> costs =
          Map.of(
              0,
              ContinuedShare.cost(former.cost(old), former.filter(), next.filter()),
              1,
              next.cost(now));
      double cap = RenyiUnits.toNats(RenyiFilter.of(both.epsilon(), both.delta(), ORDER).cap());
      assertThat(worst(former.affords(old), next, costs, old, now)).isLessThanOrEqualTo(cap);
      if (order == ORDER) {
        assertThat(both.epsilon())
            .as("one currency: the larger one is enough")
            .isEqualTo(
                former.epsilon().compareTo(next.epsilon()) > 0 ? former.epsilon() : next.epsilon());
      } else {
        assertThat(both.epsilon()).isGreaterThanOrEqualTo(next.epsilon());
        assertThat(both.epsilon().value().doubleValue())
            .as("less than both of them in full")
            .isLessThan(former.epsilon().value().add(next.epsilon().value()).doubleValue());
      }
    }
  }

  /** Ten releases, then thirty of less cost: who counts them all alike loses 5/3 of the share. */
  @Test
  void shouldNotCountChargesOfOtherTermsAsOneEach() {
    BudgetShare former = share("1", ORDER);
    BudgetShare next = share("1", ORDER);
    PrivacyCost old = affordable(former, ORDER, 10);
    PrivacyCost now = affordable(next, ORDER, 30);
    double cap = RenyiUnits.toNats(next.filter().cap());
    Map<Integer, Long> alike = Map.of(0, next.cost(now), 1, next.cost(now));
    assertThat(worst(10, next, alike, old, now)).isGreaterThan(1.66 * cap);
    Map<Integer, Long> fractions =
        Map.of(
            0,
            ContinuedShare.cost(former.cost(old), former.filter(), next.filter()),
            1,
            next.cost(now));
    assertThat(worst(10, next, fractions, old, now)).isBetween(0.96 * cap, cap);
  }

  /** Every n + 1 windows in a row across the change, where nobody has a ledger. */
  @Test
  void shouldHoldForEveryMixOfWindowsOfASpan() {
    BudgetShare former = share("1", ORDER);
    BudgetShare next = share("2", ORDER);
    int span = 31;
    PrivacyCost old = affordable(former, ORDER, span);
    PrivacyCost now = affordable(next, ORDER, span);
    ContinuedShare both = ContinuedShare.of(List.of(terms(former)), next, now).orElseThrow();
    assertThat(both.epsilon()).isEqualTo(Epsilon.of("2"));
    for (int before = 0; before <= span; before++) {
      double all = before * old.curve().at(ORDER) + (span - before) * now.curve().at(ORDER);
      assertThat(all).isLessThanOrEqualTo(RenyiUnits.toNats(next.filter().cap()));
    }
  }

  @Test
  void shouldAddPureEpsilons() {
    Epsilon one = Epsilon.of("1");
    Epsilon two = Epsilon.of("2");
    Delta none = Delta.of("0");
    Terms former = new Terms(one, none, PureDpFilter.of(one));
    BudgetShare next = new BudgetShare("visits", two, none, PureDpFilter.of(two));
    PrivacyCost charge = PrivacyCost.pure("laplace", PrivacyUnit.USER, 0.2);
    assertThat(ContinuedShare.of(List.of(former), next, charge))
        .contains(new ContinuedShare(two, none));
  }

  /** Half of each: nothing is known of what two profiles lose together. */
  @Test
  void shouldHaveNoCommonCurrencyOfTwoCountedMechanisms() {
    Epsilon one = Epsilon.of("1");
    Terms former = new Terms(one, SMALL, new FixedCountFilter("gaussian 0.1", 10));
    BudgetShare next =
        new BudgetShare("visits", one, SMALL, new FixedCountFilter("gaussian 0.2", 5));
    assertThat(ContinuedShare.of(List.of(former), next, gaussian(0.2))).isEmpty();
    BudgetShare same =
        new BudgetShare(
            "visits", Epsilon.of("0.5"), SMALL, new FixedCountFilter("gaussian 0.1", 5));
    assertThat(ContinuedShare.of(List.of(former), same, gaussian(0.1)))
        .as("of one mechanism no more than the larger number")
        .contains(new ContinuedShare(one, SMALL));
    assertThat(ContinuedShare.cost(1, former.filter(), same.filter())).isEqualTo(1);
  }

  /** Of charges at one order nobody knows any more what they cost at another one. */
  @Test
  void shouldNotAddCostsOfTwoOrders() {
    List<Terms> former = List.of(terms(share("1", 16)), terms(share("1", 24)));
    assertThat(ContinuedShare.of(former, share("1", 16), gaussian(0.1))).isEmpty();
  }

  @Test
  void shouldReadFiltersThatItWrote() {
    for (PrivacyFilter filter :
        List.of(
            new RenyiFilter(1.1, 7),
            new PureDpFilter(8),
            new FixedCountFilter("discrete-gaussian add-or-remove-3 root-1 in-10, cap=3]", 9))) {
      assertThat(PrivacyFilter.parse(filter.canonical())).contains(filter);
      assertThat(PrivacyFilter.parse(filter.canonical() + ", EveryWindow[size=P1D, origin=PT0S]"))
          .contains(filter);
    }
    assertThat(PrivacyFilter.parse("nothing of the kind")).isEmpty();
  }
}
