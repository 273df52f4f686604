// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Curves, charges, caps and periods, at their limits and against closed forms. */
class ChargesTest {
  private static final PrivacyCost CHARGE =
      PrivacyCost.renyi("noise", PrivacyUnit.RECORD, RenyiCurve.gaussian(0.5));

  @Test
  void theGaussianCurveIsItsClosedFormRoundedUp() {
    for (double mu : new double[] {0.01, 0.5, 3}) {
      RenyiCurve curve = RenyiCurve.gaussian(mu);
      for (double order : new double[] {1.1, 2, 9.5, 1024}) {
        double exact = order * mu * mu / 2;
        assertThat(curve.at(order)).isCloseTo(exact, within(1e-14 * exact));
        assertThat(new BigDecimal(curve.at(order)))
            .isGreaterThanOrEqualTo(
                new BigDecimal(order)
                    .multiply(new BigDecimal(mu).pow(2))
                    .divide(BigDecimal.valueOf(2)));
      }
    }
    assertThat(RenyiCurve.gaussian(0)).isEqualTo(RenyiCurve.zero());
  }

  /** Two answers, of odds e^epsilon to 1: the divergence is a sum of two terms. */
  @Test
  void thePureCurveIsThatOfRandomisedResponse() {
    for (double epsilon : new double[] {0.1, 1, 4}) {
      double truth = 1 / (1 + Math.exp(-epsilon));
      double lie = Math.exp(-epsilon) * truth;
      RenyiCurve curve = RenyiCurve.pure(epsilon);
      for (double order : new double[] {1.1, 1.5, 2, 8}) {
        double exact =
            Math.log(
                    Math.pow(truth, order) * Math.pow(lie, 1 - order)
                        + Math.pow(lie, order) * Math.pow(truth, 1 - order))
                / (order - 1);
        assertThat(curve.at(order)).isBetween(exact - 1e-15, exact + 1e-12);
      }
      assertThat(curve.at(1024)).as("never above epsilon").isLessThanOrEqualTo(epsilon);
      assertThat(curve.at(1024)).isGreaterThan(0.98 * epsilon);
    }
    // Where rounding weighs most the curve is above the truth by as much as it may be wrong.
    double tiny = 1e-9;
    assertThat(RenyiCurve.pure(tiny).at(1.5)).isGreaterThan(1.5 * tiny * tiny / 2);
    assertThat(RenyiCurve.pure(0).at(2)).isZero();
  }

  @Test
  void curvesAreDividedAndCutPointByPoint() {
    RenyiCurve curve = RenyiCurve.gaussian(1);
    assertThat(curve.over(1)).isEqualTo(curve);
    assertThat(curve.over(4).at(2)).isCloseTo(0.25, within(1e-15)).isGreaterThanOrEqualTo(0.25);
    assertThat(curve.atMost(1).at(1.5)).isCloseTo(0.75, within(1e-15));
    assertThat(curve.atMost(1).at(8)).isEqualTo(1);
    assertThat(curve.atLeast(1).at(1.5)).isEqualTo(1);
    assertThat(curve.atLeast(1).at(8)).isCloseTo(4, within(1e-14));
    assertThat(curve.plus(3, curve).at(2)).isCloseTo(4, within(1e-14)).isGreaterThan(4 - 1e-16);
    assertThatThrownBy(() -> curve.over(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> curve.plus(-1, curve)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void curvesAreEqualPointByPoint() {
    RenyiCurve curve = RenyiCurve.gaussian(1);
    assertThat(curve).isEqualTo(RenyiCurve.gaussian(1)).hasSameHashCodeAs(RenyiCurve.gaussian(1));
    assertThat(curve).isNotEqualTo(RenyiCurve.gaussian(2)).isNotEqualTo("curve");
    assertThat(curve.hashCode()).isNotEqualTo(RenyiCurve.gaussian(2).hashCode());
    assertThat(RenyiCurve.zero().toString()).startsWith("RenyiCurve[0.0, 0.0");
  }

  @Test
  void aChargeNamesItsMechanismAndHasNoNegativeEpsilon() {
    assertThatThrownBy(() -> PrivacyCost.renyi(" ", PrivacyUnit.RECORD, RenyiCurve.zero()))
        .hasMessageContaining("names its mechanism");
    for (double wrong : new double[] {-0.1, Double.NaN}) {
      assertThatThrownBy(
              () ->
                  new PrivacyCost(
                      "m",
                      PrivacyUnit.USER,
                      RenyiCurve.zero(),
                      OptionalDouble.of(wrong),
                      Optional.empty()))
          .hasMessageContaining("at least 0");
    }
    PrivacyCost free =
        new PrivacyCost(
            "m", PrivacyUnit.USER, RenyiCurve.zero(), OptionalDouble.of(0), Optional.empty());
    assertThat(free.pure()).hasValue(0);
    assertThat(PrivacyCost.pure("m", PrivacyUnit.USER, 1).profile().orElseThrow().delta(1))
        .isZero();
    assertThat(
            PrivacyCost.of("m", PrivacyUnit.USER, RenyiCurve.zero(), epsilon -> 0.25)
                .profile()
                .orElseThrow()
                .delta(1))
        .isEqualTo(0.25);
  }

  @Test
  void unitsRoundAgainstWhoeverSpendsThem() {
    assertThat(RenyiUnits.ofCharge(0)).isZero();
    assertThat(RenyiUnits.ofCharge(1)).isEqualTo(1L << 40);
    assertThat(RenyiUnits.ofCharge(Double.MIN_VALUE)).isEqualTo(1);
    assertThat(RenyiUnits.ofCharge(0x1.0p22)).isEqualTo(RenyiUnits.UNAFFORDABLE);
    assertThat(RenyiUnits.ofCharge(Math.nextDown(0x1.0p22)))
        .isLessThan(1L << 62)
        .isGreaterThan(1L << 61);
    assertThat(RenyiUnits.ofCharge(Double.POSITIVE_INFINITY)).isEqualTo(RenyiUnits.UNAFFORDABLE);
    assertThat(RenyiUnits.ofBudget(-1)).isZero();
    assertThat(RenyiUnits.ofBudget(0x1.0p-41)).isZero();
    assertThat(RenyiUnits.ofBudget(1)).isEqualTo(1L << 40);
    assertThat(RenyiUnits.ofBudget(Double.POSITIVE_INFINITY)).isEqualTo(1L << 61);
    assertThat(RenyiUnits.toNats(1L << 41)).isEqualTo(2);
    for (double wrong : new double[] {-Double.MIN_VALUE, Double.NaN}) {
      assertThatThrownBy(() -> RenyiUnits.ofCharge(wrong)).hasMessageContaining("at least 0");
    }
    assertThatThrownBy(() -> RenyiUnits.ofBudget(Double.NaN)).hasMessageContaining("a number");
  }

  @Test
  void capsSayHowTheyCount() {
    PrivacyFilter.RenyiFilter order = new PrivacyFilter.RenyiFilter(16, 5);
    assertThat(order.words()).isEqualTo("Renyi order 16");
    assertThat(new PrivacyFilter.RenyiFilter(9.5, 5).words()).isEqualTo("Renyi order 9.5");
    assertThat(order.canonical()).isEqualTo("AtOrder[order=16.0, cap=5]");
    assertThat(order.withCap(3)).isEqualTo(new PrivacyFilter.RenyiFilter(16, 3));
    assertThat(order.cost(CHARGE)).isEqualTo(RenyiUnits.ofCharge(CHARGE.curve().at(16)));
    Epsilon epsilon = Epsilon.of("1");
    Delta delta = Delta.of("1e-6");
    assertThat(PrivacyFilter.RenyiFilter.of(epsilon, delta, 16))
        .isEqualTo(
            new PrivacyFilter.RenyiFilter(
                16, RenyiUnits.ofBudget(Conversion.renyiBudget(epsilon, delta, 16))));
    assertThat(PrivacyUnit.RECORD.word()).isEqualTo("record");
    assertThat(PrivacyUnit.USER.canonical()).isEqualTo("USER");
    PrivacyFilter.FixedCountFilter most = new PrivacyFilter.FixedCountFilter("noise", 2);
    assertThat(most.words()).isEqualTo("at most 2 releases, privacy loss distribution");
    assertThat(most.withCap(1).words()).isEqualTo("at most 1 release, privacy loss distribution");
    assertThat(most.canonical()).isEqualTo("AtMost[mechanism=noise, cap=2]");
    assertThat(most.cost(CHARGE)).isEqualTo(1);
    assertThat(new PrivacyFilter.FixedCountFilter("other", 2).cost(CHARGE))
        .isEqualTo(RenyiUnits.UNAFFORDABLE);
    assertThat(new PrivacyFilter.PureDpFilter(7).canonical()).isEqualTo("PureSum[cap=7]");
    assertThat(new PrivacyFilter.FixedCountFilter("noise", 0).cap()).isZero();
    assertThatThrownBy(() -> new PrivacyFilter.FixedCountFilter("noise", -1))
        .hasMessageContaining("at least 0");
    assertThatThrownBy(() -> new PrivacyFilter.RenyiFilter(16, -1))
        .hasMessageContaining("at least 0");
    assertThatThrownBy(() -> new PrivacyFilter.RenyiFilter(16.3, 1)).hasMessageContaining("grid");
  }

  @Test
  void aShareTellsWhatItAffordsAndHowMuchIsSpent() {
    PrivacyFilter three = new PrivacyFilter.FixedCountFilter("noise", 3);
    BudgetShare share = new BudgetShare("s", Epsilon.of("1"), Delta.of("1e-6"), three);
    assertThat(share.affords(CHARGE)).isEqualTo(3);
    assertThat(share.cost(CHARGE)).isEqualTo(1);
    assertThat(share.canonical())
        .isEqualTo("Share[name=s, epsilon=1, delta=0.000001, counting=" + three.canonical() + "]");
    Map<Integer, Long> costs = Map.of(0, 1L);
    Ledger ledger = Ledger.EMPTY;
    assertThat(share.spent(ledger, costs, 0)).isZero();
    ledger = ledger.plus(0);
    assertThat(share.spent(ledger, costs, 0)).isEqualTo(1 / 3.0);
    ledger = ledger.plus(0).plus(0);
    assertThat(share.spent(ledger, costs, 0)).isEqualTo(1);
    assertThat(share.spent(ledger.plus(0), costs, 0)).as("never above").isEqualTo(1);
    Map<Integer, Long> dear = Map.of(0, 1L, 1, RenyiUnits.UNAFFORDABLE);
    assertThat(share.spent(Ledger.EMPTY.plus(1), dear, 0)).isEqualTo(1);
    assertThat(share.admits(Ledger.EMPTY.plus(1), dear, 0)).isFalse();
    // A charge of no cost is afforded as often as units fit.
    PrivacyCost free = PrivacyCost.renyi("noise", PrivacyUnit.RECORD, RenyiCurve.zero());
    BudgetShare atOrder =
        new BudgetShare(
            "s", Epsilon.of("1"), Delta.of("1e-6"), new PrivacyFilter.RenyiFilter(16, 40));
    assertThat(atOrder.affords(free)).isEqualTo(40);
    long cost = atOrder.cost(CHARGE);
    BudgetShare thrice =
        new BudgetShare(
            "s",
            Epsilon.of("1"),
            Delta.of("1e-6"),
            new PrivacyFilter.RenyiFilter(16, 4 * cost - 1));
    assertThat(thrice.affords(CHARGE)).isEqualTo(3);
    assertThat(atOrder.reportedOrder(CHARGE)).isEqualTo(16);
    assertThat(new BudgetShare("s", Epsilon.of("1"), Delta.of("0"), three).reportedOrder(CHARGE))
        .isEqualTo(1024);
    double delta = Delta.of("1e-6").roundedDown();
    RenyiCurve all = RenyiCurve.zero().plus(3, CHARGE.curve());
    assertThat(share.reportedOrder(CHARGE)).isEqualTo(Conversion.bestOrder(all, delta));
  }

  @Test
  void ledgersCountAndGiveBack() {
    Ledger ledger = Ledger.EMPTY.plus(1).plus(1).plus(3);
    assertThat(ledger.size()).isEqualTo(3);
    assertThat(ledger.minus(1)).isEqualTo(Ledger.EMPTY.plus(1).plus(3));
    assertThat(ledger.minus(3).counts()).containsOnlyKeys(1);
    assertThat(ledger.minus(Ledger.EMPTY)).isEqualTo(ledger);
    assertThatThrownBy(() -> ledger.minus(2)).hasMessageContaining("does not hold charge 2");
    assertThatThrownBy(() -> new Ledger(new TreeMap<>(Map.of(-1, 1L))))
        .hasMessageContaining("ids from 0");
    assertThatThrownBy(() -> new Ledger(new TreeMap<>(Map.of(0, 0L))))
        .hasMessageContaining("counts from 1");
  }

  @Test
  void periodsEndWhereTheNextOneBegins() {
    assertThat(new Period.Lifetime().endOf(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(new Period.Fixed(Duration.ofMillis(100)).endOf(2)).isEqualTo(300);
    assertThat(new Period.Window().endOf(77)).isEqualTo(78);
    assertThat(new Period.Any(Duration.ofMillis(30), OptionalInt.empty()).endOf(77)).isEqualTo(78);
    Period.Any any = new Period.Any(Duration.ofMillis(30), OptionalInt.empty());
    assertThat(any.firstWith(Long.MIN_VALUE + 30)).isEqualTo(Long.MIN_VALUE);
    assertThat(any.lastWith(Long.MAX_VALUE - 30)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void periodsAreToldAndReadInWords() {
    Map<String, Period> words =
        Map.of(
            "lifetime", new Period.Lifetime(),
            "window", new Period.Window(),
            "30d", new Period.Fixed(Duration.ofDays(30)),
            "PT36H", new Period.Fixed(Duration.ofHours(36)),
            "any 7d", new Period.Any(Duration.ofDays(7), OptionalInt.empty()));
    words.forEach(
        (word, period) -> {
          assertThat(Period.of(word)).isEqualTo(period);
          assertThat(period.word()).isEqualTo(word);
        });
    assertThat(new Period.Lifetime().during()).isEqualTo("at any time");
    assertThat(new Period.Window().during()).isEqualTo("in a window");
    assertThat(new Period.Fixed(Duration.ofDays(1)).during()).isEqualTo("in a period of 1 day");
    assertThat(new Period.Any(Duration.ofDays(7), OptionalInt.empty()).during())
        .isEqualTo("in 7 days, whichever you take,");
    assertThat(new Period.Any(Duration.ofDays(7), OptionalInt.of(2)).canonical())
        .isEqualTo("Any[length=PT168H, pace=2]");
    assertThat(new Period.Any(Duration.ofDays(7), OptionalInt.empty()).canonical())
        .isEqualTo("Any[length=PT168H]");
    assertThat(new Period.Any(Duration.ofDays(7), OptionalInt.empty()).whatever())
        .isEqualTo("whatever 7 days you take");
    assertThat(new Period.Fixed(Duration.ofDays(1)).canonical()).isEqualTo("Fixed[length=PT24H]");
    assertThat(new Period.Lifetime().canonical()).isEqualTo("Lifetime[]");
    assertThat(new Period.Window().canonical()).isEqualTo("Window[]");
    assertThat(Period.spoken(Duration.ZERO)).isEqualTo("PT0S");
    for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofMillis(-1)}) {
      assertThatThrownBy(() -> new Period.Fixed(wrong)).hasMessageContaining("longer than 0");
    }
  }

  @Test
  void decimalsAreKeptExactlyAndWithinTheirBounds() {
    assertThat(Epsilon.of("1000000").value()).isEqualByComparingTo("1000000");
    assertThatThrownBy(() -> Epsilon.of("1000000.1")).hasMessageContaining("at most 1000000");
    assertThat(Epsilon.of("1e1")).hasToString("10");
    assertThat(Epsilon.of("1")).isGreaterThan(Epsilon.of("0.5"));
    assertThat(Delta.of("0").value()).isZero();
    assertThatThrownBy(() -> Delta.of("-1e-9")).hasMessageContaining("at least 0");
    assertThat(Delta.of("1e-5")).isGreaterThan(Delta.of("1e-6")).hasToString("0.00001");
    assertThat(Delta.of("0.5").roundedDown()).isEqualTo(0.5);
    // The nearest double of 0.1 lies above it, that of 0.3 below.
    assertThat(Epsilon.of("0.1").roundedDown()).isEqualTo(Math.nextDown(0.1));
    assertThat(Epsilon.of("0.3").roundedDown()).isEqualTo(0.3);
  }
}
