// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Ledger;
import io.sfumato.accounting.Period;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.topology.budget.BudgetUsage;
import io.sfumato.topology.budget.ExpiredLedgers;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SpentShares;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.LedgerFloor;
import io.sfumato.topology.version.MetaStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/** How deletion is cut into slices, and what it reads. */
class ExpiredLedgersSlicesTest {
  private static final long LENGTH = 100;
  private static final Period PERIOD = new Period.Fixed(Duration.ofMillis(LENGTH));

  private final KeyValueStore<Bytes, byte[]> below = MemoryStores.named("below");
  private final KeyValueStore<Bytes, byte[]> metaBelow = MemoryStores.named("below");

  /** Where scans began. */
  private final List<Bytes> scans = new ArrayList<>();

  /** Rows that scans have shown. */
  private int shown;

  private void put(LedgerStore ledgers, long period, String subject) {
    ledgers.put(
        new LedgerStore.Key(period, "mix", subject),
        new LedgerStore.Entry(Ledger.EMPTY.plus(0), LedgerStore.Status.OPEN));
  }

  /**
   * Charges, ends of periods, slices, commits and restarts in any order: no live ledger goes, no
   * charge to a period that is over is let through, and in the end nothing but live ones is left.
   */
  @Property(tries = 300)
  void shouldDeleteWhatIsOverAndNothingElse(@ForAll Random random) {
    KeyValueStore<Bytes, byte[]> rows = MemoryStores.named("below");
    KeyValueStore<Bytes, byte[]> facts = MemoryStores.named("below");
    StagedWrites staged = new StagedWrites(rows);
    StagedWrites meta = new StagedWrites(facts);
    LedgerStore ledgers = new LedgerStore(staged);
    ExpiredLedgers past =
        new ExpiredLedgers(PERIOD, ledgers, new MetaStore(meta), LedgerFloor.NONE);
    TreeSet<String> live = new TreeSet<>();
    long now = 0;
    for (int step = 0; step < 200; step++) {
      switch (random.nextInt(7)) {
        case 0, 1, 2 -> {
          long window = random.nextInt(2_000);
          String subject = "s" + random.nextInt(5);
          if (window / LENGTH < now / LENGTH) {
            assertThatThrownBy(() -> past(ledgers, meta).chargeable(window))
                .isInstanceOf(PipelineStopException.class);
          } else {
            long period = past.chargeable(window);
            put(ledgers, period, subject);
            live.add(period + subject);
          }
        }
        case 3 -> {
          now = Math.max(now, random.nextInt(2_000));
          past.over(now);
          long first = now / LENGTH;
          live.removeIf(row -> Long.parseLong(row.substring(0, row.indexOf('s'))) < first);
        }
        case 4 -> {
          past.slice(1 + random.nextInt(4));
          staged.flush();
          assertThat(of(rows)).containsAll(live);
        }
        case 5 -> {
          past.commit();
          staged.flush();
          meta.flush();
        }
        default -> {
          past.commit();
          staged.flush();
          meta.flush();
          past = past(ledgers, meta);
        }
      }
    }
    past.commit();
    while (past.isPending()) {
      past.slice(3);
    }
    staged.flush();
    assertThat(of(rows)).isEqualTo(live);
  }

  private static ExpiredLedgers past(LedgerStore ledgers, StagedWrites meta) {
    return new ExpiredLedgers(PERIOD, ledgers, new MetaStore(meta), LedgerFloor.NONE);
  }

  private static TreeSet<String> of(KeyValueStore<Bytes, byte[]> rows) {
    return LedgerLines.of(rows).stream()
        .map(line -> line.period() + line.subject())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shouldGoOnWhereTheLastSliceEnded() {
    StagedWrites staged = new StagedWrites(watched());
    LedgerStore ledgers = new LedgerStore(staged);
    for (int row = 0; row < 100; row++) {
      put(ledgers, row / 10, "subject-" + row % 10);
    }
    ExpiredLedgers past = past(ledgers, new StagedWrites(metaBelow));
    for (long period = 1; period <= 10; period++) {
      past.over(period * LENGTH);
      past.commit();
      while (past.isPending()) {
        past.slice(4);
      }
    }
    staged.flush();
    assertThat(below.all().hasNext()).isFalse();
    assertThat(scans.stream().filter(LedgerStore.Key.first(Long.MIN_VALUE).encode()::equals))
        .as("rows that were deleted are looked at once, by the first scan")
        .hasSize(1);
    assertThat(shown).as("each, and where the scan before ended").isLessThanOrEqualTo(100 + 30);
    int done = scans.size();
    past.slice(4);
    assertThat(scans).as("nothing is pending, nothing is read").hasSize(done);
  }

  @Test
  void shouldNeverEndALifetime() {
    LedgerStore ledgers = new LedgerStore(new StagedWrites(watched()));
    ExpiredLedgers past =
        new ExpiredLedgers(
            new Period.Lifetime(),
            ledgers,
            new MetaStore(new StagedWrites(metaBelow)),
            new LedgerFloor(7_000));
    past.over(5_000);
    past.commit();
    past.slice(10);
    assertThat(past.isPending()).isFalse();
    assertThat(past.chargeable(-9)).isZero();
    assertThat(scans).isEmpty();
    assertThat(metaBelow.all().hasNext()).isFalse();
  }

  /** Watching budgets costs nothing for what is over. */
  @Test
  void shouldNotCountLedgersOfPastPeriods() {
    LedgerStore ledgers = new LedgerStore(new StagedWrites(watched()));
    for (int row = 0; row < 500; row++) {
      put(ledgers, row / 50, "subject-" + row % 50);
    }
    long[] live = {Long.MIN_VALUE};
    BudgetUsage usage = new BudgetUsage(ledgers, () -> live[0]);
    usage.watch("mix", entry -> 1);
    usage.step(10);
    live[0] = 9;
    usage.step(100);
    assertThat(usage.isComplete()).isTrue();
    assertThat(shown).isEqualTo(10 + 50);
    List<Long> subjects = new ArrayList<>();
    usage.report(
        0,
        new PipelineMeters() {
          @Override
          public void spent(int partition, String share, SpentShares now) {
            subjects.add(now.subjects());
          }
        });
    assertThat(subjects).containsExactly(50L);
  }

  /** The store, and what is read of it. */
  @SuppressWarnings("unchecked")
  private KeyValueStore<Bytes, byte[]> watched() {
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              try {
                Object answer = method.invoke(below, arguments);
                if (!method.getName().equals("range")) {
                  return answer;
                }
                scans.add((Bytes) arguments[0]);
                return counted((KeyValueIterator<Bytes, byte[]>) answer);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @SuppressWarnings("unchecked")
  private KeyValueIterator<Bytes, byte[]> counted(KeyValueIterator<Bytes, byte[]> rows) {
    return (KeyValueIterator<Bytes, byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {KeyValueIterator.class},
            (proxy, method, arguments) -> {
              shown += method.getName().equals("next") ? 1 : 0;
              return method.invoke(rows, arguments);
            });
  }
}
