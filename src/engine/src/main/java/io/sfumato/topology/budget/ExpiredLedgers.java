// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.budget;

import io.sfumato.accounting.Period;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.version.LedgerFloor;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.SealState;
import java.time.Instant;

/**
 * Deletes the ledgers of budget periods that are over, a slice at a time, so that there are as many
 * as live periods have. A period is over once no window of it can be charged again, or handed back.
 * The state remembers how far periods are over from the very transaction in which they end: whoever
 * came to one of them later would find it unspent, and is stopped. Where every span of a length is
 * a period, each window is over by itself, whether it has ledgers or not; these stay as long as a
 * window can come that a span holds with them.
 *
 * <p>Rows are deleted after that transaction only: what is charged stands in the changelog before
 * it goes.
 */
public final class ExpiredLedgers {
  /** Ledgers that are deleted at once: a millisecond or two. */
  private static final int STEP_LEDGERS = 1_000;

  private final Period period;
  private final LedgerStore ledgers;
  private final MetaStore meta;

  /** Number of the first period that is not over. */
  private long live;

  /** The same, as it was committed. */
  private long committed;

  /** Up to which period nothing is left to delete. */
  private long cleared = Long.MIN_VALUE;

  /**
   * @param floor no window that starts before it is ever released: of an imported ledger
   */
  public ExpiredLedgers(Period period, LedgerStore ledgers, MetaStore meta, LedgerFloor floor) {
    this.period = period;
    this.ledgers = ledgers;
    this.meta = meta;
    long known = meta.livePeriod().orElse(Long.MIN_VALUE);
    this.live = floor.isKnown() ? Math.max(known, firstLive(floor.time())) : known;
    this.committed = live;
  }

  /** Number of the first period that is not over. */
  public long live() {
    return live;
  }

  /** No window that starts before this time can be charged again. */
  public void over(long windowStart) {
    long next = firstLive(windowStart);
    if (next > live) {
      live = next;
      meta.putLivePeriod(next);
    }
  }

  /** A lifetime is never over. */
  private long firstLive(long windowStart) {
    return period instanceof Period.Lifetime ? Long.MIN_VALUE : period.indexOf(windowStart);
  }

  /**
   * The number of the period of a window that is charged.
   *
   * @throws PipelineStopException if the period is over
   */
  public long chargeable(long windowStart) {
    long index = period.indexOf(windowStart);
    if (index < live) {
      throw new PipelineStopException(
          ("the window that starts %s %s. The journal or this partition's state was changed "
                  + "from outside; restore the changelogs, or start a new budget with "
                  + "--accept-added-loss")
              .formatted(
                  Instant.ofEpochMilli(windowStart),
                  period instanceof Period.Span
                      ? "was already decided, and charged if released: releasing it again would "
                          + "not be charged to any budget"
                      : "belongs to a past budget period: its ledgers were deleted, so charges "
                          + "would start from zero"));
    }
    return index;
  }

  /** Everything so far is about to be committed. */
  public void commit() {
    committed = live;
  }

  /** Number of the first period that is not over by what is committed. */
  public long committed() {
    return committed;
  }

  /** Whether a slice may find anything. */
  public boolean isPending() {
    return cleared < committed;
  }

  /** Deletes some ledgers, unless the state is drained: it is exported as it stands. */
  public void slice(SealState seal) {
    if (seal != SealState.DRAINED) {
      slice(STEP_LEDGERS);
    }
  }

  /** Deletes up to {@code most} ledgers. */
  public void slice(int most) {
    if (!isPending()) {
      return;
    }
    // What is over may still be added up with what is not.
    if (ledgers.deleteBefore(period.firstWith(committed), most) < most) {
      cleared = committed;
    }
  }
}
