// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.start;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Ledger;
import io.sfumato.accounting.Period;
import io.sfumato.gate.LedgerRule;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.topology.budget.BudgetUsage;
import io.sfumato.topology.budget.Charger;
import io.sfumato.topology.budget.Charger.Verdict;
import io.sfumato.topology.budget.ExpiredLedgers;
import io.sfumato.topology.budget.LedgerCharger;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.budget.LedgerStore.Status;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SpentShares;
import io.sfumato.topology.contributions.UserLedgers;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.GrantedShare;
import io.sfumato.topology.version.LedgerFloor;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.SealState;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** Charges up to the share, one by one, and not one more. */
class ChargersTest {
  private static final String SPANS =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: { any: 30s } }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 5e-7 }, windows: 2 }
      """;

  private final StagedWrites rows = new StagedWrites(MemoryStores.named("below"));
  private final LedgerStore ledgers = new LedgerStore(rows);
  private final MetaStore meta = new MetaStore(new StagedWrites(MemoryStores.named("below")));

  /** What was said of charges, and what is spent. */
  private final List<String> charged = new ArrayList<>();

  private SpentShares spent;

  private final PipelineMeters meters =
      new PipelineMeters() {
        @Override
        public void charged(String share, String mechanism) {
          charged.add(share);
        }

        @Override
        public void spent(int partition, String share, SpentShares now) {
          spent = now;
        }
      };

  private ExpiredLedgers past(Plan plan) {
    return new ExpiredLedgers(plan.pipeline().budget().period(), ledgers, meta, LedgerFloor.NONE);
  }

  private static PlannedRelease mix(Plan plan) {
    return plan.releases().get(0);
  }

  private LedgerCharger ledgerCharger(String yaml) {
    Plan plan = Fixture.plan(yaml);
    return new LedgerCharger(mix(plan), BudgetTerms.of(plan), ledgers, past(plan), meters);
  }

  private UserLedgers userLedgers() {
    Plan plan = Fixture.plan(Fixture.YAML);
    return new UserLedgers("mix", BudgetTerms.of(plan).rule(mix(plan)), ledgers, past(plan));
  }

  /** Watches the first share of a plan. */
  private BudgetUsage usage(String yaml) {
    Plan plan = Fixture.plan(yaml);
    LedgerRule rule = BudgetTerms.of(plan).rule(mix(plan));
    BudgetUsage usage = new BudgetUsage(ledgers, () -> Long.MIN_VALUE);
    usage.watch("mix", entry -> rule.spent(entry.ledger()));
    return usage;
  }

  private LedgerCharger spanCharger(Plan plan, PlannedRelease release, BudgetTerms terms) {
    return new LedgerCharger(
        release, terms, ledgers, past(plan), meters, plan.pipeline().calendar());
  }

  private LedgerCharger spanCharger() {
    Plan plan = Fixture.plan(SPANS);
    return spanCharger(plan, mix(plan), BudgetTerms.of(plan));
  }

  private LedgerStore.Entry entry(String subject) {
    return ledgers.entry(new LedgerStore.Key(0, "mix", subject));
  }

  /** Charges a draw of a subject's window; the permit is for this very draw. */
  private static Verdict verdict(Charger charger, String subject, long windowStart) {
    ReleaseId id = new ReleaseId("b", new StateEpoch(1, 1), 1, "mix", subject, windowStart, 0);
    Charger.Outcome outcome = charger.charge(id);
    assertThat(outcome.permit().map(Permit::id))
        .isEqualTo(outcome.verdict() == Verdict.CHARGED ? Optional.of(id) : Optional.empty());
    return outcome.verdict();
  }

  @Test
  void aLedgerTakesWhatTheShareAffordsAndNotOneMore() {
    LedgerCharger charger = ledgerCharger(Fixture.YAML);
    UserLedgers users = userLedgers();
    assertThat(users.admits("ann", NOW, 5)).isEqualTo(2);
    assertThat(users.admits("ann", NOW, 1)).isEqualTo(1);
    assertThat(users.admits("ann", NOW, 0)).isZero();
    assertThat(verdict(charger, "ann", NOW)).isEqualTo(Verdict.CHARGED);
    assertThat(users.charges("ann", NOW)).isEqualTo(1);
    assertThat(users.admits("ann", NOW, 5)).isEqualTo(1);
    assertThat(verdict(charger, "ann", start(1))).isEqualTo(Verdict.CHARGED);
    assertThat(users.admits("ann", NOW, 1)).isZero();
    assertThat(users.admits("ann", NOW, 5)).isZero();
    assertThat(verdict(charger, "ann", start(2))).isEqualTo(Verdict.SPENT);
    assertThat(users.charges("ann", NOW)).as("a refusal costs nothing").isEqualTo(2);
    assertThat(verdict(charger, "bob", NOW)).as("others have their own").isEqualTo(Verdict.CHARGED);
    assertThat(charged).containsExactly("mix", "mix", "mix");
  }

  /** Of queries, whose draws come later. */
  @Test
  void shouldReserveUpToTheShareAndNoFurther() {
    LedgerCharger charger = ledgerCharger(Fixture.YAML);
    assertThat(charger.reserve("ann", NOW)).isTrue();
    assertThat(charger.reserve("ann", start(1))).isTrue();
    assertThat(charger.reserve("ann", start(2))).isFalse();
    assertThat(charged).containsExactly("mix", "mix");
    assertThat(verdict(charger, "ann", NOW)).isEqualTo(Verdict.SPENT);
    charger.announced("ann", NOW);
    charger.handBack("ann", NOW);
    assertThat(charger.reserve("ann", NOW)).as("its end was announced").isFalse();
    Plan spans = Fixture.plan(SPANS.replace(", windows: 2", ""));
    assertThat(Charger.ofCalendar(mix(spans), past(spans), meters).reserve("ann", NOW)).isTrue();
    assertThat(Charger.ofContributors(mix(spans)).reserve("ann", NOW)).isTrue();
  }

  @Test
  void severalChargesAtOnceAreAllMadeOrNone() {
    UserLedgers users = userLedgers();
    assertThatThrownBy(() -> users.charge("ann", NOW, 3)).isInstanceOf(IllegalStateException.class);
    assertThat(users.charges("ann", NOW)).isZero();
    users.charge("ann", NOW, 2);
    assertThat(users.charges("ann", NOW)).isEqualTo(2);
    assertThat(verdict(ledgerCharger(Fixture.YAML), "ann", NOW)).isEqualTo(Verdict.SPENT);
  }

  @Test
  void whatIsHandedBackIsThereAgainAndAnEndThatWasAnnouncedStays() {
    LedgerCharger charger = ledgerCharger(Fixture.YAML);
    UserLedgers users = userLedgers();
    users.charge("ann", NOW, 2);
    charger.handBack("ann", NOW);
    assertThat(users.charges("ann", NOW)).isEqualTo(1);
    assertThat(verdict(charger, "ann", NOW)).isEqualTo(Verdict.CHARGED);
    assertThat(verdict(charger, "ann", NOW)).isEqualTo(Verdict.SPENT);
    charger.announced("ann", NOW);
    assertThat(verdict(charger, "ann", NOW)).isEqualTo(Verdict.EXHAUSTED);
    assertThat(users.charges("ann", NOW)).as("what was charged stays").isEqualTo(2);
    charger.handBack("ann", NOW);
    assertThat(entry("ann").status()).as("said once and for all").isEqualTo(Status.EXHAUSTED);
    rows.flush();
    assertThat(new LedgerStore(rows).entry(new LedgerStore.Key(0, "mix", "ann")))
        .as("as it is read again")
        .isEqualTo(new LedgerStore.Entry(Ledger.EMPTY.plus(0), Status.EXHAUSTED));
  }

  @Test
  void aChargeOfUnknownCostLeavesNothing() {
    ledgers.put(
        new LedgerStore.Key(0, "mix", "ann"),
        new LedgerStore.Entry(Ledger.EMPTY.plus(9), Status.OPEN));
    BudgetUsage usage = usage(Fixture.YAML);
    assertThat(userLedgers().admits("ann", NOW, 1)).isZero();
    assertThat(verdict(ledgerCharger(Fixture.YAML), "ann", NOW)).isEqualTo(Verdict.SPENT);
    usage.step(10);
    usage.report(0, meters);
    assertThat(spent.atLeast(1)).isEqualTo(1);
  }

  @Test
  void theUsageCountsEveryChange() {
    BudgetUsage usage = usage(Fixture.YAML);
    LedgerCharger charger = ledgerCharger(Fixture.YAML);
    usage.step(1);
    verdict(charger, "ann", NOW);
    userLedgers().charge("bob", NOW, 2);
    usage.report(0, meters);
    assertThat(spent.subjects()).isEqualTo(2);
    assertThat(spent.atLeast(1)).isEqualTo(0.5);
    assertThat(spent.atLeast(0.5)).isEqualTo(1);
    charger.handBack("ann", NOW);
    charger.handBack("bob", NOW);
    usage.report(0, meters);
    assertThat(spent.subjects()).isEqualTo(1);
    assertThat(spent.atLeast(1)).isZero();
  }

  /** Spans of three windows touch four: two of any four in a row. */
  @Test
  void everySpanThatHoldsAWindowHasRoomForIt() {
    LedgerCharger charger = spanCharger();
    assertThat(verdict(charger, "ann", start(0))).isEqualTo(Verdict.CHARGED);
    assertThat(verdict(charger, "ann", start(1))).isEqualTo(Verdict.CHARGED);
    assertThat(verdict(charger, "ann", start(2))).isEqualTo(Verdict.SPENT);
    assertThat(verdict(charger, "ann", start(3))).isEqualTo(Verdict.SPENT);
    assertThat(verdict(charger, "ann", start(4))).as("0 has left").isEqualTo(Verdict.CHARGED);
    assertThat(verdict(charger, "ann", start(5))).as("1 has left").isEqualTo(Verdict.CHARGED);
    assertThat(verdict(charger, "ann", start(6))).isEqualTo(Verdict.SPENT);
    assertThat(verdict(charger, "bob", start(6))).isEqualTo(Verdict.CHARGED);
    charger.handBack("ann", start(5));
    assertThat(verdict(charger, "ann", start(6))).isEqualTo(Verdict.CHARGED);
    assertThat(charged).hasSize(6).containsOnly("mix");
    assertThatThrownBy(() -> charger.announced("ann", NOW))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSpanWithAChargeOfUnknownCostLeavesNothing() {
    LedgerCharger charger = spanCharger();
    Plan plan = Fixture.plan(SPANS);
    ledgers.put(
        new LedgerStore.Key(past(plan).chargeable(start(3)), "mix", "ann"),
        new LedgerStore.Entry(Ledger.EMPTY.plus(9), Status.OPEN));
    assertThat(verdict(charger, "ann", start(6))).isEqualTo(Verdict.SPENT);
    assertThat(verdict(charger, "ann", start(7))).isEqualTo(Verdict.CHARGED);
  }

  @Test
  void aCalendarChargesEveryWindowOnceAndStopsAtThoseThatAreOver() {
    Plan plan = Fixture.plan(SPANS.replace(", windows: 2", ""));
    ExpiredLedgers past = past(plan);
    Charger charger = Charger.ofCalendar(mix(plan), past, meters);
    assertThat(verdict(charger, "ann", start(1))).isEqualTo(Verdict.CHARGED);
    assertThat(charged).containsExactly("mix");
    past.over(start(2));
    assertThatThrownBy(() -> verdict(charger, "ann", start(1)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("would not be charged to any budget");
    assertThat(verdict(charger, "ann", start(2))).isEqualTo(Verdict.CHARGED);
    assertThatThrownBy(() -> charger.handBack("ann", start(2)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> charger.announced("ann", start(2)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void whatContributorsPaidIsNeitherChargedAgainNorHandedBack() {
    Charger charger = Charger.ofContributors(mix(Fixture.plan(Fixture.YAML)));
    assertThat(verdict(charger, "west", NOW)).isEqualTo(Verdict.CHARGED);
    assertThatThrownBy(() -> charger.handBack("west", NOW))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> charger.announced("west", NOW))
        .isInstanceOf(IllegalStateException.class);
    assertThat(charged).isEmpty();
  }

  /** A period that is over is never charged again, by whoever goes on with the state. */
  @Test
  void aPeriodThatIsOverIsOverForWhoeverGoesOn() {
    String yaml =
        Fixture.YAML
            .replace("period: lifetime", "period: window")
            .replace("windows: 2", "windows: 1");
    Plan plan = Fixture.plan(yaml);
    LedgerCharger charger = ledgerCharger(yaml);
    verdict(charger, "ann", start(0));
    verdict(charger, "ann", start(1));
    past(plan).over(start(1));
    ExpiredLedgers next = past(plan);
    assertThatThrownBy(() -> next.chargeable(start(0)))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("a past budget period");
    assertThat(next.chargeable(start(1))).isEqualTo(next.live());
    assertThat(next.committed()).isEqualTo(next.live());
    next.slice(SealState.DRAINED);
    assertThat(next.isPending()).as("a drained state is exported as it stands").isTrue();
    next.slice(SealState.OPEN);
    assertThat(next.isPending()).isFalse();
    rows.flush();
    List<LedgerStore.Key> left = new ArrayList<>();
    ledgers.after(Optional.empty(), 10, (key, kept) -> left.add(key));
    assertThat(left).as("the ledger of the first is deleted").hasSize(1);
    assertThat(left.get(0).period()).isEqualTo(next.live());
    next.over(start(0));
    assertThat(next.live()).as("time does not go back").isEqualTo(past(plan).live());
  }

  /**
   * Who goes on with an imported ledger charges nothing below its floor, whatever the state says.
   */
  @Test
  void nothingBelowTheFloorIsChargeable() {
    Plan plan =
        Fixture.plan(
            Fixture.YAML
                .replace("period: lifetime", "period: window")
                .replace("windows: 2", "windows: 1"));
    Period period = plan.pipeline().budget().period();
    ExpiredLedgers floored = new ExpiredLedgers(period, ledgers, meta, new LedgerFloor(start(2)));
    assertThatThrownBy(() -> floored.chargeable(start(1)))
        .isInstanceOf(PipelineStopException.class);
    assertThat(floored.chargeable(start(2))).isEqualTo(floored.live());
    past(plan).over(start(4));
    ExpiredLedgers next = new ExpiredLedgers(period, ledgers, meta, new LedgerFloor(start(2)));
    assertThatThrownBy(() -> next.chargeable(start(3)))
        .as("the state knows more")
        .isInstanceOf(PipelineStopException.class);
    assertThat(next.chargeable(start(4))).isEqualTo(next.live());
  }

  /** What asks of any window may have charged a later one already. */
  @Test
  void whereQueriesAreAskedOfAnyWindowLaterChargesCountToo() {
    Plan plan =
        Fixture.plan(
"""
pipeline: test
version: 1
input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
window: { size: 10s }
budget: { name: test, unit: record, epsilon: 4, delta: 1e-5, period: { any: 30s } }
releases:
  - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 } }
  - abc: { name: coin, threshold: 0.3, share: { epsilon: 1, delta: 2e-7 }, queries: 1, keep: 1 }
""");
    PlannedRelease coin = plan.releases().get(1);
    LedgerCharger charger = spanCharger(plan, coin, BudgetTerms.of(plan));
    assertThat(verdict(charger, "ann", start(4))).isEqualTo(Verdict.CHARGED);
    for (int window = 1; window < 8; window++) {
      assertThat(verdict(charger, "ann", start(window))).isEqualTo(Verdict.SPENT);
    }
    assertThat(verdict(charger, "ann", start(8))).isEqualTo(Verdict.CHARGED);
    assertThat(verdict(charger, "ann", start(0))).isEqualTo(Verdict.CHARGED);
  }

  /** A usage that begins in a period that ends meanwhile begins with the next one. */
  @Test
  void theUsageLeavesOutWhatIsOver() {
    long[] live = {1};
    BudgetUsage usage = new BudgetUsage(ledgers, () -> live[0]);
    usage.watch("mix", kept -> 1);
    for (int period = 0; period < 4; period++) {
      for (String subject : List.of("ann", "bob")) {
        ledgers.put(
            new LedgerStore.Key(period, "mix", subject),
            new LedgerStore.Entry(Ledger.EMPTY.plus(0), Status.OPEN));
      }
    }
    usage.step(1);
    live[0] = 3;
    usage.step(10);
    usage.report(0, meters);
    assertThat(spent.subjects()).isEqualTo(2);
    assertThat(usage.isComplete()).isTrue();
  }

  @Test
  void ledgersThatAreOverGoAFewAtATime() {
    Plan plan =
        Fixture.plan(
            Fixture.YAML
                .replace("period: lifetime", "period: window")
                .replace("windows: 2", "windows: 1"));
    for (String subject : List.of("ann", "bob", "eve")) {
      ledgers.put(
          new LedgerStore.Key(start(0), "mix", subject),
          new LedgerStore.Entry(Ledger.EMPTY.plus(0), Status.OPEN));
    }
    ExpiredLedgers past = past(plan);
    past.over(start(1));
    past.commit();
    List<Integer> left = new ArrayList<>();
    for (int slice = 0; slice < 4; slice++) {
      past.slice(1);
      List<LedgerStore.Key> keys = new ArrayList<>();
      ledgers.after(Optional.empty(), 10, (key, kept) -> keys.add(key));
      left.add(keys.size());
    }
    assertThat(left).containsExactly(2, 1, 0, 0);
    assertThat(past.isPending()).isFalse();
  }

  /** A share that goes on with charges of another mechanism may have been asked of any window. */
  @Test
  void whereAShareHasChargesOfItsPastLaterOnesCountToo() {
    Plan plan = Fixture.plan(SPANS);
    BudgetTerms terms = BudgetTerms.of(plan);
    GrantedShare share = terms.share("mix");
    Map<Integer, Long> costs = Map.of(0, share.costs().get(0), 1, share.costs().get(0));
    BudgetTerms past =
        new BudgetTerms(
            terms.unit(),
            terms.epsilon(),
            terms.delta(),
            terms.period(),
            List.of(terms.charges().get(0), "an earlier one"),
            List.of(
                new GrantedShare(
                    share.ledger(),
                    share.epsilon(),
                    share.delta(),
                    share.filter(),
                    share.until(),
                    new TreeMap<>(costs))));
    LedgerCharger charger = spanCharger(plan, mix(plan), past);
    for (int window = 4; window <= 5; window++) {
      ledgers.put(
          new LedgerStore.Key(start(window), "mix", "ann"),
          new LedgerStore.Entry(Ledger.EMPTY.plus(1), Status.OPEN));
    }
    for (int window = 2; window <= 7; window++) {
      assertThat(verdict(charger, "ann", start(window))).isEqualTo(Verdict.SPENT);
    }
    assertThat(verdict(charger, "ann", start(1))).isEqualTo(Verdict.CHARGED);
  }

  /** Windows are decided in their order, so none after the one that is charged has charges. */
  @Test
  void whereWindowsAreChargedInTheirOrderNoLaterLedgerIsRead() {
    Plan plan = Fixture.plan(SPANS);
    List<Long> read = new ArrayList<>();
    LedgerStore watched = new LedgerStore(new StagedWrites(watched(read)));
    LedgerCharger charger =
        new LedgerCharger(
            mix(plan),
            BudgetTerms.of(plan),
            watched,
            past(plan),
            meters,
            plan.pipeline().calendar());
    assertThat(verdict(charger, "ann", start(4))).isEqualTo(Verdict.CHARGED);
    assertThat(read).contains(start(1), start(4)).allMatch(period -> period <= start(4));
  }

  /** Says of which windows ledgers are read. */
  @SuppressWarnings("unchecked")
  private static KeyValueStore<Bytes, byte[]> watched(List<Long> read) {
    KeyValueStore<Bytes, byte[]> store = MemoryStores.named("watched");
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            ChargersTest.class.getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("get")) {
                read.add(LedgerStore.Key.decode(((Bytes) arguments[0]).get()).period());
              }
              return method.invoke(store, arguments);
            });
  }
}
