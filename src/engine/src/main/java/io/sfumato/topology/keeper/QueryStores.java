// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.keeper;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.topology.journal.JournalReader;
import io.sfumato.topology.query.CandidateFates;
import io.sfumato.topology.query.QueryStore;
import io.sfumato.topology.query.WaitingStore;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.store.StagedStore;

/** What a keeper has of queries, all in one store. */
record QueryStores(QueryStore answers, WaitingStore waiting, CandidateFates fates) {
  /**
   * Of one keeper.
   *
   * @param meta its store, which holds what fates need to know of the journal
   */
  static QueryStores of(
      KeeperStores stores, WindowSpec window, JournalReader journal, StagedStore meta) {
    StagedStore store = stores.staged(Names.QUERY_STORE);
    WaitingStore waiting = new WaitingStore(store);
    return new QueryStores(
        new QueryStore(store),
        waiting,
        CandidateFates.of(window, journal.boundaries(), meta, waiting, journal.meta()::position));
  }
}
