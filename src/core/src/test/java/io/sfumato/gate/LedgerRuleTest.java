// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Ledger;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.gate.LedgerRule.Ledgers;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class LedgerRuleTest {
  private static final int CHARGE = 1;

  /** Verdicts about shares are remembered by their names. */
  private static final AtomicInteger FRESH = new AtomicInteger();

  /** Of which a share affords three. */
  private static final BudgetShare SHARE =
      new BudgetShare(
          "mix", Epsilon.of("3"), Delta.of("0"), new PrivacyFilter.FixedCountFilter("mix", 3));

  private static final Priced MIX = new Priced();
  private static final LedgerRule RULE =
      new LedgerRule(SHARE, MIX, CHARGE, Map.of(0, 2L, CHARGE, 1L));

  private final TreeMap<String, Ledger> kept = new TreeMap<>();
  private final List<String> writes = new ArrayList<>();
  private final Ledgers<String> ledgers =
      new Ledgers<>() {
        @Override
        public Ledger get(String key) {
          return kept.getOrDefault(key, Ledger.EMPTY);
        }

        @Override
        public void put(String key, Ledger ledger) {
          writes.add(key);
          kept.put(key, ledger);
        }
      };

  private record Priced() implements Mechanism<Histogram, NoisyVector> {
    @Override
    public String method() {
      return "mix";
    }

    @Override
    public PrivacyCost charge() {
      return PrivacyCost.pure("mix", PrivacyUnit.RECORD, 1);
    }

    @Override
    public Map<String, Double> parameters() {
      return Map.of();
    }

    @Override
    public OutputDistribution<NoisyVector> distribution(Histogram exact) {
      throw new AssertionError("nothing is drawn here");
    }
  }

  private static ReleaseId id(int window) {
    return new ReleaseId("b", new StateEpoch(1, 2), 1, "mix", "ann", window, 0);
  }

  private static Ledger of(int other, int own) {
    Ledger ledger = Ledger.EMPTY;
    for (int i = 0; i < other; i++) {
      ledger = ledger.plus(0);
    }
    for (int i = 0; i < own; i++) {
      ledger = ledger.plus(CHARGE);
    }
    return ledger;
  }

  @Test
  void shouldWriteEveryChargeThatItPermits() {
    for (int draw = 0; draw < 3; draw++) {
      assertThat(RULE.charge(ledgers, "ann", id(draw)))
          .hasValueSatisfying(permit -> permit.use(permit.id(), MIX))
          .map(Permit::id)
          .hasValue(id(draw));
      assertThat(kept).containsExactly(Map.entry("ann", of(0, draw + 1)));
    }
    assertThat(RULE.charge(ledgers, "ann", id(3))).isEmpty();
    assertThat(kept).as("a refusal costs nothing").containsExactly(Map.entry("ann", of(0, 3)));
    assertThat(writes).hasSize(3);
    assertThat(RULE.charge(ledgers, "bob", id(3))).isPresent();
  }

  @Test
  void shouldCountWhatOtherChargesCost() {
    assertThat(RULE.admits(of(1, 0))).isTrue();
    assertThat(RULE.admits(of(1, 1))).isFalse();
    assertThat(RULE.plus(of(1, 0))).isEqualTo(of(1, 1));
    assertThatThrownBy(() -> RULE.plus(of(1, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a charge does not fit");
    assertThat(RULE.minus(of(1, 1))).isEqualTo(of(1, 0));
    assertThatThrownBy(() -> RULE.minus(of(1, 0))).isInstanceOf(IllegalStateException.class);
    assertThat(RULE.spent(of(1, 0))).isEqualTo(2.0 / 3);
    assertThat(RULE.spent(of(0, 0))).isZero();
  }

  /** A query's charge stands in its ledger, and the permits of its draws come later. */
  @Test
  void shouldReserveWhatItWouldCharge() {
    for (int query = 0; query < 3; query++) {
      assertThat(RULE.reserve(ledgers, "ann")).isTrue();
      assertThat(kept).containsExactly(Map.entry("ann", of(0, query + 1)));
    }
    assertThat(RULE.reserve(ledgers, "ann")).isFalse();
    assertThat(RULE.reserve(ledgers, List.of("ann", "bob"), 2, "bob")).isFalse();
    assertThat(kept).containsExactly(Map.entry("ann", of(0, 3)));
    assertThat(RULE.reserve(ledgers, List.of("ann", "bob"), 1, "ann")).isFalse();
    assertThat(RULE.reserve(ledgers, "bob")).isTrue();
  }

  /** A span that is not whole says nothing of what it can bear. */
  @Test
  void shouldRefuseSpansThatAreNotWhole() {
    List<String> windows = List.of("a", "b", "c");
    assertThat(RULE.reserve(ledgers, windows, 2, "b")).isTrue();
    kept.clear();
    writes.clear();
    for (Executable wrong :
        List.<Executable>of(
            () -> RULE.reserve(ledgers, List.of(), 1, "a"),
            () -> RULE.reserve(ledgers, windows, 0, "b"),
            () -> RULE.reserve(ledgers, windows, 2, "a"),
            () -> RULE.reserve(ledgers, windows, 4, "c"),
            () -> RULE.reserve(ledgers, windows, 1, "d"))) {
      assertThrows(IllegalArgumentException.class, wrong);
    }
    assertThat(writes).isEmpty();
  }

  @Test
  void shouldRefuseAChargeThatIsStatedAsLessThanItCosts() {
    for (Map<Integer, Long> costs :
        List.of(Map.of(CHARGE, 0L), Map.of(0, 1L), Map.<Integer, Long>of())) {
      assertThatThrownBy(() -> new LedgerRule(SHARE, MIX, CHARGE, costs))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("charge 1 is stated as less than its mechanism costs");
    }
    assertThat(new LedgerRule(SHARE, MIX, CHARGE, Map.of(CHARGE, 1L)).admits(of(0, 2))).isTrue();
    assertThat(new LedgerRule(SHARE, MIX, CHARGE, Map.of(CHARGE, 2L)).admits(of(0, 1))).isFalse();
  }

  /** Whoever planned it: core checks that all that a share admits keeps its promise. */
  @Test
  void shouldRefuseAShareThatAdmitsTooMuch() {
    Map<Integer, Long> costs = Map.of(CHARGE, 1L);
    int fresh = FRESH.incrementAndGet();
    Delta none = Delta.of("0");
    BudgetShare kept =
        new BudgetShare(
            "kept " + fresh, Epsilon.of("3"), none, new PrivacyFilter.FixedCountFilter("mix", 3));
    assertThat(new LedgerRule(kept, MIX, CHARGE, costs).admits(of(0, 2))).isTrue();
    BudgetShare broken =
        new BudgetShare(
            "broken " + fresh, Epsilon.of("3"), none, new PrivacyFilter.FixedCountFilter("mix", 4));
    assertThatThrownBy(() -> new LedgerRule(broken, MIX, CHARGE, costs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the charges that share 'broken %d' admits exceed its epsilon and delta", fresh);
    BigDecimal besides = new BigDecimal("1e-9");
    assertThatThrownBy(() -> new LedgerRule(kept, MIX, besides, CHARGE, costs))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** What it cost is unknown. */
  @Test
  void shouldLeaveNothingOfALedgerWithAnUnknownCharge() {
    Ledger unknown = Ledger.EMPTY.plus(7);
    assertThat(RULE.admits(unknown)).isFalse();
    assertThat(RULE.spent(unknown)).isEqualTo(1);
    kept.put("ann", unknown);
    assertThat(RULE.charge(ledgers, "ann", id(0))).isEmpty();
    assertThat(RULE.charge(ledgers, List.of("ann"), 1, "ann", id(0))).isEmpty();
    assertThat(writes).isEmpty();
  }

  /** Compared with the definition: after it, no span of windows holds more than the share. */
  @Test
  void shouldAdmitExactlyWhatEverySpanCanBear() {
    Random random = new Random(11);
    int admitted = 0;
    for (int run = 0; run < 2_000; run++) {
      kept.clear();
      writes.clear();
      int length = 1 + random.nextInt(4);
      int before = length - 1;
      int ahead = random.nextBoolean() ? length - 1 : 0;
      List<String> around =
          IntStream.rangeClosed(-before, ahead).mapToObj(LedgerRuleTest::window).toList();
      around.forEach(key -> kept.put(key, of(0, random.nextInt(3))));
      Map<String, Ledger> then = new TreeMap<>(kept);
      then.merge(window(0), of(0, 1), Ledger::plus);
      boolean fits =
          IntStream.rangeClosed(0, around.size() - length)
              .allMatch(
                  first ->
                      around.subList(first, first + length).stream()
                              .mapToLong(key -> then.get(key).size())
                              .sum()
                          <= 3);
      // The rule asks of every span whether one more fits, those without the window too.
      assertThat(around.size() - length).isLessThan(length);
      assertThat(RULE.charge(ledgers, around, length, window(0), id(run)).isPresent())
          .as("%s of %d, %s", then, length, around)
          .isEqualTo(fits);
      assertThat(writes).isEqualTo(fits ? List.of(window(0)) : List.of());
      assertThat(kept.get(window(0)).size()).isEqualTo(then.get(window(0)).size() - (fits ? 0 : 1));
      admitted += fits ? 1 : 0;
    }
    assertThat(admitted).isBetween(200, 1_800);
  }

  private static String window(int place) {
    return "w" + (char) ('k' + place);
  }

  @Test
  void shouldKeepLedgersInAMap() {
    Ledgers<String> map = Ledgers.of(new TreeMap<>());
    assertThat(map.get("ann")).isEqualTo(Ledger.EMPTY);
    map.put("ann", of(1, 2));
    assertThat(map.get("ann")).isEqualTo(of(1, 2));
  }
}
