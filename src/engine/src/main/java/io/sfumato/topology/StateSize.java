// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.accounting.Ledger;
import io.sfumato.mechanism.Histogram;
import io.sfumato.release.Plan;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.ContentsCodec;
import io.sfumato.topology.dataset.DatasetStore;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What a subject weighs at rest, in bytes without its key. */
public final class StateSize {
  private StateSize() {}

  /**
   * One budget.
   *
   * @param charges number of them, at least 0, all of one kind
   */
  public static int ofLedger(long charges) {
    TreeMap<Integer, Long> counts = new TreeMap<>();
    counts.put(0, charges);
    return new LedgerStore.Entry(new Ledger(counts), LedgerStore.Status.OPEN).encode().length;
  }

  /** One open dataset. */
  public static int ofDataset(Histogram histogram) {
    return ContentsCodec.encode(
            new Contents(
                Optional.of(histogram),
                OptionalLong.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Collections.emptySortedMap(),
                Optional.empty(),
                Optional.empty()))
        .length;
  }

  /** Memory of one open dataset of a subject, bytes, about; without records of a sample. */
  public static long ofOpenDataset(Plan plan, String subject) {
    return new Contents.Layout(plan.pipeline()).heldBytes(new DatasetStore.Key(0, subject));
  }
}
