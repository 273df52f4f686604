// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.budget;

import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.SpentShares;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * How many of a partition's subjects have spent how much of each share, in the latest budget
 * period. Counts the ledgers of live periods once when a task starts, a step at a time, and follows
 * them from then on: a charge to a ledger that was not reached yet is counted when it is. For
 * watching only; no output depends on it.
 */
public final class BudgetUsage implements LedgerStore.Listener {
  private final LedgerStore ledgers;
  private final LongSupplier live;
  private final Map<String, Account> accounts = new HashMap<>();

  /** The last ledger that was counted; nothing before the first. */
  private Optional<LedgerStore.Key> reached = Optional.empty();

  private boolean complete;
  private long period = Long.MIN_VALUE;

  /** One share: what part of it a ledger has spent, and how many ledgers have. */
  private static final class Account {
    private final ToDoubleFunction<LedgerStore.Entry> spent;
    private final long[] counts = SpentShares.places();

    Account(ToDoubleFunction<LedgerStore.Entry> spent) {
      this.spent = spent;
    }

    private void add(LedgerStore.Entry entry, int subjects) {
      if (!entry.isUnused()) {
        counts[SpentShares.placeOf(spent.applyAsDouble(entry))] += subjects;
      }
    }
  }

  /**
   * @param ledgers that it follows from now on
   * @param live number of the first period that can be charged: those before are not looked at
   */
  public BudgetUsage(LedgerStore ledgers, LongSupplier live) {
    this.ledgers = ledgers;
    this.live = live;
    ledgers.addListener(this);
  }

  /**
   * Watches a share.
   *
   * @param spent part of the share that a ledger has spent, 0 to 1
   */
  public void watch(String share, ToDoubleFunction<LedgerStore.Entry> spent) {
    accounts.put(share, new Account(spent));
  }

  /** Whether all ledgers were counted. */
  public boolean isComplete() {
    return complete;
  }

  /** Counts up to {@code most} more ledgers that were there before. */
  public void step(int most) {
    if (complete) {
      return;
    }
    skipPast();
    int[] seen = {0};
    ledgers.after(
        reached,
        most,
        (key, entry) -> {
          count(key, LedgerStore.Entry.EMPTY, entry);
          reached = Optional.of(key);
          seen[0]++;
        });
    complete = seen[0] < most;
  }

  /** What is over may be on its way out: whatever was counted of it is not all there was. */
  private void skipPast() {
    LedgerStore.Key first = LedgerStore.Key.first(live.getAsLong());
    if (!reached.map(first::isUpTo).orElse(false)) {
      reached = Optional.of(first);
      if (period < first.period()) {
        clear();
      }
    }
  }

  private void clear() {
    accounts.values().forEach(account -> Arrays.fill(account.counts, 0));
  }

  @Override
  public void changed(LedgerStore.Key key, LedgerStore.Entry before, LedgerStore.Entry after) {
    boolean counted = complete || reached.map(key::isUpTo).orElse(false);
    if (counted && key.period() >= live.getAsLong()) {
      count(key, before, after);
    }
  }

  private void count(LedgerStore.Key key, LedgerStore.Entry before, LedgerStore.Entry after) {
    if (key.period() > period) {
      period = key.period();
      clear();
    }
    Account account = accounts.get(key.share());
    if (key.period() < period || account == null) {
      return;
    }
    account.add(before, -1);
    account.add(after, 1);
  }

  /** Tells of every share, once all ledgers are counted. */
  public void report(int partition, PipelineMeters meters) {
    if (complete) {
      if (period < live.getAsLong()) {
        // Its ledgers go: nobody has spent anything of a period that can still be charged.
        clear();
      }
      accounts.forEach(
          (share, account) -> meters.spent(partition, share, new SpentShares(account.counts)));
    }
  }
}
