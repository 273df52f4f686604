// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.store.StagedStore;

/** What is kept of queries, all in one store. */
public record QueryStores(QueryStore answers, WaitingStore waiting, CandidateFates fates) {
  /**
   * Of one partition.
   *
   * @param store of its own
   * @param meta what fates need to know of the journal
   */
  public static QueryStores of(
      StagedStore store, WindowSpec window, JournalReader journal, StagedStore meta) {
    WaitingStore waiting = new WaitingStore(store);
    return new QueryStores(
        new QueryStore(store),
        waiting,
        CandidateFates.of(window, journal.boundaries(), meta, waiting, journal.meta()::position));
  }
}
