// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.budget;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.StagedWrites;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * The number of charges in all ledgers of a partition, and of those ever made. They are kept in the
 * meta store, in the same transaction as the ledgers: a copy in which the two stores' changelogs
 * disagree is not of one moment. A state that began with an imported ledger is counted once, a step
 * at a time, while charges go on.
 */
public final class LedgerTotals implements LedgerStore.Listener {
  /** Where they lie in the meta store. */
  public static final Bytes KEY = Bytes.wrap(new byte[] {'q'});

  private static final int FORMAT = 1;

  private final StagedWrites meta;
  private Totals totals;

  /** Whether every ledger is counted. */
  private boolean complete;

  /** The last ledger that was counted; nothing before the first. */
  private Optional<LedgerStore.Key> reached = Optional.empty();

  private boolean changed;

  /**
   * Numbers of charges.
   *
   * @param held in the ledgers that are there, from 0
   * @param made ever, including those that were handed back or whose period is over; never falls
   */
  public record Totals(long held, long made) {
    static final Totals NONE = new Totals(0, 0);

    Totals plus(long before, long after) {
      long more = Math.max(0, Math.subtractExact(after, before));
      return new Totals(
          Math.addExact(held, Math.subtractExact(after, before)), Math.addExact(made, more));
    }

    /** As the meta store has them. */
    public byte[] encode() {
      return new ByteWriter().fixed8(FORMAT).unsigned(held).unsigned(made).toBytes();
    }

    /** Inverse of {@link #encode}. */
    public static Totals decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "the ledgers' totals");
      Totals totals = new Totals(in.unsigned(), in.unsigned());
      in.end();
      return totals;
    }
  }

  /**
   * @param meta store of the keeper whose ledgers they are
   */
  public LedgerTotals(StagedWrites meta) {
    this.meta = meta;
    Optional<Totals> known = Optional.ofNullable(meta.get(KEY)).map(Totals::decode);
    this.totals = known.orElse(Totals.NONE);
    this.complete = known.isPresent();
  }

  /** Nothing until all imported ledgers are counted. */
  public Optional<Totals> totals() {
    return complete ? Optional.of(totals) : Optional.empty();
  }

  /** Counts up to {@code most} more imported ledgers. */
  public void step(LedgerStore ledgers, int most) {
    if (complete) {
      return;
    }
    int[] seen = {0};
    ledgers.after(
        reached,
        most,
        (key, entry) -> {
          totals = totals.plus(0, entry.ledger().size());
          reached = Optional.of(key);
          seen[0]++;
        });
    complete = seen[0] < most;
    if (complete && changed) {
      write();
    }
  }

  @Override
  public void changed(LedgerStore.Key key, LedgerStore.Entry before, LedgerStore.Entry after) {
    long charges = before.ledger().size();
    long now = after.ledger().size();
    boolean counted = complete || reached.map(key::isUpTo).orElse(false);
    if (charges != now && counted) {
      totals = totals.plus(charges, now);
      changed = true;
      if (complete) {
        write();
      }
    }
  }

  private void write() {
    meta.put(KEY, totals.encode());
  }
}
