// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.store.StagedWrites;

/** What is kept of queries, all in one store. */
public record QueryStores(QueryStore answers, WaitingStore waiting, CandidateFates statuses) {
  /**
   * Of one partition.
   *
   * @param store of its own
   * @param meta what fates need to know of the journal
   */
  public static QueryStores of(
      StagedWrites store, WindowSpec window, JournalReader journal, StagedWrites meta) {
    WaitingStore waiting = new WaitingStore(store);
    return new QueryStores(
        new QueryStore(store),
        waiting,
        CandidateFates.of(window, journal.watermarks(), meta, waiting, journal.meta()::position));
  }
}
