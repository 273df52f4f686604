// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Ledger;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.budget.LedgerStore.Entry;
import io.sfumato.topology.budget.LedgerStore.Key;
import io.sfumato.topology.budget.LedgerStore.Status;
import io.sfumato.topology.budget.LedgerTotals;
import io.sfumato.topology.budget.LedgerTotals.Totals;
import io.sfumato.topology.store.StagedWrites;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How many charges a partition's ledgers hold, and how many were ever made. */
class LedgerTotalsTest {
  private static final Key ANN = new Key(0, "mix", "ann");
  private static final Key BOB = new Key(0, "mix", "bob");
  private static final Key EVE = new Key(1, "mix", "eve");

  private final StagedWrites rows = new StagedWrites(MemoryStores.named("ledgers"));
  private final StagedWrites meta = new StagedWrites(MemoryStores.named("meta"));
  private LedgerTotals totals;
  private LedgerStore ledgers;

  private void open() {
    totals = new LedgerTotals(meta);
    ledgers = new LedgerStore(rows);
    ledgers.addListener(totals);
  }

  private static Entry entry(int charges) {
    Ledger ledger = Ledger.EMPTY;
    for (int i = 0; i < charges; i++) {
      ledger = ledger.plus(0);
    }
    return new Entry(ledger, Status.OPEN);
  }

  /** What is kept in the meta store. */
  private Optional<Totals> kept() {
    return Optional.ofNullable(meta.get(LedgerTotals.KEY)).map(Totals::decode);
  }

  @Test
  void shouldCountWhatIsChargedHandedBackAndOver() {
    open();
    totals.step(ledgers, 10);
    assertThat(totals.totals()).contains(new Totals(0, 0));
    assertThat(kept()).as("nothing is written of nothing").isEmpty();
    ledgers.put(ANN, entry(1));
    ledgers.put(ANN, entry(3));
    ledgers.put(EVE, entry(2));
    assertThat(kept()).contains(new Totals(5, 5));
    ledgers.put(ANN, entry(2));
    assertThat(kept()).as("handed back, and still made").contains(new Totals(4, 5));
    ledgers.put(ANN, new Entry(entry(2).ledger(), Status.EXHAUSTED));
    assertThat(kept()).as("an announcement is no charge").contains(new Totals(4, 5));
    ledgers.deleteBefore(1, 10);
    assertThat(kept()).as("a period is over").contains(new Totals(2, 5));
  }

  @Test
  void shouldGoOnCountingAfterARestart() {
    open();
    totals.step(ledgers, 10);
    ledgers.put(ANN, entry(2));
    ledgers.put(ANN, entry(1));
    open();
    assertThat(totals.totals()).contains(new Totals(1, 2));
    ledgers.put(BOB, entry(1));
    assertThat(totals.totals()).contains(new Totals(2, 3));
  }

  /** Charges go on while imported ledgers are counted. */
  @Test
  void shouldCountEveryImportedLedgerOnce() {
    LedgerStore imported = new LedgerStore(rows);
    imported.put(ANN, entry(3));
    imported.put(BOB, entry(2));
    imported.put(EVE, entry(4));
    open();
    totals.step(ledgers, 1);
    assertThat(totals.totals()).as("not all are counted").isEmpty();
    ledgers.put(ANN, entry(4));
    ledgers.put(EVE, entry(6));
    ledgers.put(new Key(2, "mix", "ida"), entry(1));
    while (totals.totals().isEmpty()) {
      assertThat(kept()).as("whoever goes on would take a part for the whole").isEmpty();
      totals.step(ledgers, 1);
    }
    assertThat(totals.totals()).contains(new Totals(13, 13));
    assertThat(kept()).contains(new Totals(13, 13));
  }

  @Test
  void shouldCountNoLedgerThatIsDeletedBeforeItIsReached() {
    LedgerStore imported = new LedgerStore(rows);
    imported.put(ANN, entry(3));
    imported.put(BOB, entry(2));
    imported.put(EVE, entry(4));
    open();
    totals.step(ledgers, 1);
    ledgers.deleteBefore(1, 10);
    while (totals.totals().isEmpty()) {
      totals.step(ledgers, 1);
    }
    assertThat(totals.totals()).contains(new Totals(4, 7));
  }

  @Test
  void shouldRefuseTotalsWithMoreBehindThem() {
    byte[] encoded = new Totals(3, 4).encode();
    assertThat(Totals.decode(encoded)).isEqualTo(new Totals(3, 4));
    byte[] longer = Arrays.copyOf(encoded, encoded.length + 1);
    assertThatThrownBy(() -> Totals.decode(longer)).isInstanceOf(CorruptBytesException.class);
  }
}
