// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.property.DoubleRange;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.LongRange;
import io.sfumato.property.Property;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class AccountingTest {
  private static final BudgetShare SHARE =
      new BudgetShare(
          "s",
          Epsilon.of("1"),
          Delta.of("1e-6"),
          PrivacyFilter.RenyiFilter.of(Epsilon.of("1"), Delta.of("1e-6"), 16));

  @Test
  void gridHasTheOrdersOfVersionOne() {
    assertThat(RenyiOrders.size()).isEqualTo(87);
    assertThat(RenyiOrders.at(0)).isEqualTo(1.1);
    assertThat(RenyiOrders.contains(1.1)).isTrue();
    assertThat(RenyiOrders.contains(9.5)).isTrue();
    assertThat(RenyiOrders.contains(10.5)).isFalse();
    assertThat(RenyiOrders.at(86)).isEqualTo(1024);
    assertThat(RenyiOrders.placeOf(1.1)).isZero();
    assertThat(RenyiOrders.placeOf(1024)).isEqualTo(86);
    assertThatThrownBy(() -> RenyiOrders.placeOf(70)).hasMessageContaining("not on the grid");
  }

  @Test
  void curveRefusesNanAndNegativeValuesInsteadOfTreatingThemAsFree() {
    assertThatThrownBy(() -> RenyiCurve.of(order -> Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> RenyiCurve.of(order -> -1e-300)).hasMessageContaining("at least 0");
  }

  @Test
  void zeroTimesInfinityCostsNothing() {
    RenyiCurve infinite = RenyiCurve.of(order -> Double.POSITIVE_INFINITY);
    assertThat(RenyiCurve.zero().plus(0, infinite)).isEqualTo(RenyiCurve.zero());
    assertThat(RenyiCurve.zero().plus(1, infinite).at(2)).isInfinite();
  }

  @Property
  void compositionRoundsUp(
      @ForAll @LongRange(min = 1, max = 100_000) long count,
      @ForAll @DoubleRange(min = 1e-9, max = 10) double value) {
    RenyiCurve sum = RenyiCurve.zero().plus(count, RenyiCurve.of(order -> value));
    assertThat(new BigDecimal(sum.at(2)))
        .isGreaterThanOrEqualTo(new BigDecimal(value).multiply(BigDecimal.valueOf(count)));
  }

  @Test
  void conversionMatchesTheFormulaOfCanonneKamathSteinke() {
    // eps(L) + ln((L-1)/L) - (ln delta + ln L)/(L-1) at L = 16, computed by hand.
    double expected = 0.5 + Math.log(15.0 / 16) - (Math.log(1e-6) + Math.log(16)) / 15;
    assertThat(Conversion.epsilon(0.5, 16, 1e-6)).isCloseTo(expected, within(1e-11));
    assertThat(Conversion.epsilon(0, 1024, 0.5)).isZero();
  }

  @Property
  void budgetIsTheInverseOfTheConversionAndNeverAboveIt(
      @ForAll @IntRange(min = 0, max = 86) int place,
      @ForAll @DoubleRange(min = 0.01, max = 20) double epsilon) {
    double order = RenyiOrders.at(place);
    double budget =
        Conversion.renyiBudget(new Epsilon(new BigDecimal(epsilon)), Delta.of("1e-6"), order);
    if (budget > 0) {
      double back = Conversion.epsilon(budget, order, 1e-6);
      assertThat(back).isCloseTo(epsilon, within(1e-10));
      assertThat(RenyiUnits.toNats(RenyiUnits.ofBudget(budget))).isLessThanOrEqualTo(budget);
    }
  }

  @Property
  void chargesRoundUpAndBudgetsDown(@ForAll @DoubleRange(min = 0, max = 1000) double nats) {
    BigDecimal exact = new BigDecimal(nats).multiply(new BigDecimal(RenyiUnits.PER_NAT));
    assertThat(BigDecimal.valueOf(RenyiUnits.ofCharge(nats))).isGreaterThanOrEqualTo(exact);
    assertThat(BigDecimal.valueOf(RenyiUnits.ofBudget(nats))).isLessThanOrEqualTo(exact);
  }

  @Test
  void decimalsRoundDown() {
    for (String text : new String[] {"0.1", "0.3", "1e-6", "2.5", "0.7"}) {
      assertThat(new BigDecimal(Epsilon.of(text).roundedDown()))
          .isLessThanOrEqualTo(new BigDecimal(text));
    }
    assertThatThrownBy(() -> Epsilon.of("0")).hasMessageContaining("above 0");
    assertThatThrownBy(() -> Delta.of("1")).hasMessageContaining("below 1");
  }

  @Property
  void shareAdmitsExactlyWhatItsCapCovers(
      @ForAll @LongRange(min = 1, max = 50) long fits,
      @ForAll @LongRange(min = 0, max = 1000) long rest) {
    // A cost of which exactly `fits` go into the cap.
    long cost = SHARE.filter().cap() / fits;
    long expected = SHARE.filter().cap() / cost;
    Map<Integer, Long> costs = Map.of(0, cost);
    Ledger ledger = Ledger.EMPTY;
    long admitted = 0;
    while (admitted < 2000 && SHARE.admits(ledger, costs, 0)) {
      ledger = ledger.plus(0);
      admitted++;
    }
    assertThat(admitted).isEqualTo(expected);
    // A smaller charge may still pass after a refusal, if it fits.
    long left = SHARE.filter().cap() - admitted * cost;
    assertThat(SHARE.admits(ledger, Map.of(0, cost, 1, rest), 1)).isEqualTo(rest <= left);
  }

  @Test
  void shareRefusesInfiniteAndOverflowingCharges() {
    assertThat(SHARE.admits(Ledger.EMPTY, Map.of(0, RenyiUnits.UNAFFORDABLE), 0)).isFalse();
    Ledger ledger = Ledger.EMPTY.plus(0).plus(0).plus(0);
    assertThat(SHARE.admits(ledger, Map.of(0, Long.MAX_VALUE / 2), 0)).isFalse();
    assertThatThrownBy(() -> SHARE.admits(ledger, Map.of(1, 1L), 1))
        .hasMessageContaining("cost is unknown");
  }

  @Test
  void pureEpsilonsAddUpToExactlyEpsilon() {
    PrivacyFilter.PureDpFilter third = PrivacyFilter.PureDpFilter.of(Epsilon.of("0.3"));
    assertThat(third.words()).isEqualTo("pure epsilon");
    assertThat(new BigDecimal(third.cap()))
        .as("rounded down")
        .isLessThanOrEqualTo(new BigDecimal("0.3").multiply(new BigDecimal(RenyiUnits.PER_NAT)));
    PrivacyCost tenth = PrivacyCost.pure("a tenth", PrivacyUnit.USER, 0.1);
    assertThat(new BigDecimal(third.cost(tenth)))
        .as("rounded up")
        .isGreaterThanOrEqualTo(new BigDecimal("0.1").multiply(new BigDecimal(RenyiUnits.PER_NAT)));
    assertThat(third.cap() - 3 * third.cost(tenth)).isBetween(-3L, 0L);
    assertThat(third.withCap(3 * third.cost(tenth)).cap() / third.cost(tenth)).isEqualTo(3);
    assertThat(
            third.cost(PrivacyCost.renyi("a curve", PrivacyUnit.USER, RenyiCurve.gaussian(0.001))))
        .as("what has no pure epsilon never enters")
        .isEqualTo(RenyiUnits.UNAFFORDABLE);
    BudgetShare share = new BudgetShare("s", Epsilon.of("0.3"), Delta.of("1e-6"), third);
    assertThat(share.reportedOrder(tenth)).as("nearest to the pure loss").isEqualTo(1024);
    assertThat(share.filter().canonical())
        .as("stands in live states")
        .isEqualTo("PureSum[cap=329853488332]");
    assertThatThrownBy(() -> new PrivacyFilter.PureDpFilter(-1)).hasMessageContaining("at least 0");
  }

  @Test
  void unitsImplyOnlyWhatIsProved() {
    assertThat(PrivacyUnit.DATASET.implies(PrivacyUnit.RECORD)).isTrue();
    assertThat(PrivacyUnit.DATASET.implies(PrivacyUnit.USER)).isTrue();
    assertThat(PrivacyUnit.RECORD.implies(PrivacyUnit.USER)).isFalse();
    assertThat(PrivacyUnit.RECORD.implies(PrivacyUnit.DATASET)).isFalse();
    assertThat(PrivacyUnit.USER.implies(PrivacyUnit.RECORD)).isFalse();
  }

  @Test
  void periodsNumberTheWindowStarts() {
    assertThat(new Period.Lifetime().indexOf(Long.MIN_VALUE)).isZero();
    assertThat(new Period.Fixed(Duration.ofDays(30)).indexOf(-1)).isEqualTo(-1);
    assertThat(new Period.Fixed(Duration.ofDays(30)).indexOf(Duration.ofDays(60).toMillis()))
        .isEqualTo(2);
    assertThat(new Period.Window().indexOf(77)).isEqualTo(77);
    assertThat(new Period.Fixed(Duration.ofDays(30)).word()).isEqualTo("30d");
    assertThat(new Period.Fixed(Duration.ofHours(36)).word()).isEqualTo("PT36H");
  }

  @Test
  void shouldAddUpTheWindowsThatASpanTouches() {
    Period.Any span = new Period.Any(Duration.ofMillis(30), OptionalInt.empty());
    assertThat(span.indexOf(77)).isEqualTo(77);
    assertThat(span.firstWith(77)).isEqualTo(47);
    assertThat(span.lastWith(77)).isEqualTo(107);
    assertThat(span.firstWith(Long.MIN_VALUE + 29)).isEqualTo(Long.MIN_VALUE);
    assertThat(span.firstWith(Long.MIN_VALUE + 31)).isEqualTo(Long.MIN_VALUE + 1);
    assertThat(span.lastWith(Long.MAX_VALUE - 29)).isEqualTo(Long.MAX_VALUE);
    assertThat(span.lastWith(Long.MAX_VALUE - 31)).isEqualTo(Long.MAX_VALUE - 1);
    for (Period alone :
        List.of(new Period.Lifetime(), new Period.Window(), new Period.Fixed(Duration.ofDays(1)))) {
      assertThat(alone.firstWith(5)).isEqualTo(5);
      assertThat(alone.lastWith(5)).isEqualTo(5);
    }
  }

  @Test
  void shouldSpeakOfSpansAsPeopleDo() {
    Map<String, String> spoken =
        Map.of(
            "P30D",
            "30 days",
            "P1D",
            "1 day",
            "PT36H",
            "36 hours",
            "PT90M",
            "90 minutes",
            "PT1S",
            "1 second",
            "PT0.1S",
            "PT0.1S");
    spoken.forEach(
        (length, words) -> {
          Period.Any span = new Period.Any(Duration.parse(length), OptionalInt.of(1));
          assertThat(span.spoken()).isEqualTo(words);
          assertThat(Period.of(span.word()))
              .as("the pace is not promised")
              .isEqualTo(new Period.Any(Duration.parse(length), OptionalInt.empty()));
        });
    assertThat(new Period.Any(Duration.ofDays(30), OptionalInt.empty()).word())
        .isEqualTo("any 30d");
    assertThatThrownBy(() -> Period.of("any day")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Period.Any(Duration.ZERO, OptionalInt.empty()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Period.Any(Duration.ofDays(1), OptionalInt.of(0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldAddAndTakeAwayWholeLedgers() {
    Ledger one = Ledger.EMPTY.plus(0).plus(2).plus(2);
    Ledger other = Ledger.EMPTY.plus(2).plus(3);
    assertThat(one.plus(other)).isEqualTo(one.plus(2).plus(3));
    assertThat(one.plus(other).minus(other)).isEqualTo(one);
    assertThat(one.plus(Ledger.EMPTY)).isEqualTo(one);
    assertThatThrownBy(() -> one.minus(other)).isInstanceOf(IllegalArgumentException.class);
  }
}
