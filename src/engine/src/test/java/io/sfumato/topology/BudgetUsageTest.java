// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Ledger;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.property.Size;
import io.sfumato.topology.budget.BudgetUsage;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.SpentShares;
import io.sfumato.topology.store.StagedWrites;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BudgetUsageTest {
  private static final int CAP = 4;

  /** What a test has heard. */
  private static final class Heard implements PipelineMeters {
    private final Map<String, SpentShares> spent = new HashMap<>();

    @Override
    public void spent(int partition, String share, SpentShares now) {
      spent.put(share, now);
    }
  }

  /** Alerts would say for ever that the budget is spent, of windows that are over. */
  @Test
  void shouldCountNobodyWhenThePeriodIsOver() {
    LedgerStore ledgers = new LedgerStore(new StagedWrites(MemoryStores.named("below")));
    long[] live = {0};
    BudgetUsage usage = new BudgetUsage(ledgers, () -> live[0]);
    usage.watch("mix", entry -> 1);
    usage.step(10);
    LedgerStore.Entry spent = new LedgerStore.Entry(Ledger.EMPTY.plus(0), LedgerStore.Status.OPEN);
    usage.changed(new LedgerStore.Key(0, "mix", "ann"), LedgerStore.Entry.EMPTY, spent);
    Heard heard = new Heard();
    usage.report(0, heard);
    assertThat(heard.spent.get("mix").atLeast(1)).isEqualTo(1);
    live[0] = 1;
    usage.report(0, heard);
    assertThat(heard.spent.get("mix").subjects()).isZero();
    assertThat(heard.spent.get("mix").atLeast(1)).isZero();
  }

  /**
   * Some ledgers are there before the usage starts, others are charged or handed back while it
   * counts, wherever it stands; in the end it has what a look at all of them finds.
   */
  @Property(tries = 300)
  void shouldFindWhatALookAtAllLedgersFinds(
      @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 59) Integer> before,
      @ForAll @Size(max = 60) List<@IntRange(min = -60, max = 59) Integer> during,
      @ForAll @IntRange(min = 1, max = 7) int step) {
    LedgerStore ledgers = new LedgerStore(new StagedWrites(MemoryStores.named("below")));
    Map<LedgerStore.Key, Long> truth = new HashMap<>();
    before.forEach(ledger -> change(ledgers, truth, ledger, 1));
    BudgetUsage usage = new BudgetUsage(ledgers, () -> Long.MIN_VALUE);
    for (String share : List.of("mix", "model")) {
      usage.watch(share, entry -> (double) entry.ledger().size() / CAP);
    }
    for (int i = 0; i < during.size(); i++) {
      int ledger = during.get(i);
      change(ledgers, truth, ledger < 0 ? -ledger - 1 : ledger, ledger < 0 ? -1 : 1);
      if (i % 3 == 0) {
        usage.step(step);
      }
    }
    while (!usage.isComplete()) {
      usage.step(step);
    }
    Heard heard = new Heard();
    usage.report(0, heard);
    long latest = truth.entrySet().stream().mapToLong(e -> e.getKey().period()).max().orElse(0);
    for (String share : List.of("mix", "model")) {
      List<Long> counts = new ArrayList<>();
      truth.forEach(
          (key, count) -> {
            if (key.share().equals(share) && key.period() == latest && count > 0) {
              counts.add(count);
            }
          });
      SpentShares found = heard.spent.get(share);
      assertThat(found.subjects()).isEqualTo(counts.size());
      for (double part : new double[] {0.5, 1}) {
        long reached = counts.stream().filter(c -> (double) c / CAP >= part).count();
        assertThat(found.atLeast(part)).isEqualTo((double) reached / Math.max(1, counts.size()));
      }
    }
  }

  /** Ledger numbers stand for two periods, two shares, fifteen subjects. */
  private static void change(
      LedgerStore ledgers, Map<LedgerStore.Key, Long> truth, int number, int by) {
    LedgerStore.Key key =
        new LedgerStore.Key(
            number / 30, number % 2 == 0 ? "mix" : "model", "subject-" + number % 30 / 2);
    LedgerStore.Entry entry = ledgers.entry(key);
    if (by < 0 && entry.isUnused()) {
      return;
    }
    Ledger next = by < 0 ? entry.ledger().minus(0) : entry.ledger().plus(0);
    ledgers.put(key, next);
    truth.put(key, next.size());
  }
}
