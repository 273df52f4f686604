// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.contributions.Contributions.Cell;
import io.sfumato.topology.dataset.Contents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A user's window as distinct users are counted: one entry for each cell in which the user is,
 * which says how many windows ago the user was there before.
 */
final class UserArrivals {
  private final CellPlaces places;
  private final int mostCategories;
  private final long first;
  private final Optional<CellStore> visits;

  /**
   * @param visits of users in the last windows, where these are counted together
   */
  private UserArrivals(
      CellPlaces places, int mostCategories, long first, Optional<CellStore> visits) {
    this.places = places;
    this.mostCategories = mostCategories;
    this.first = first;
    this.visits = visits;
  }

  /** Those of a pipeline; nothing where it counts no distinct users. */
  static Optional<UserArrivals> of(Pipeline pipeline, Optional<CellStore> visits) {
    return pipeline
        .cells()
        .map(
            places ->
                new UserArrivals(
                    places,
                    pipeline.population().orElseThrow().mostCells(places.categories()),
                    Contents.Layout.cells(pipeline),
                    visits));
  }

  /** What is passed on of a user's window that counts. */
  List<Observation> of(String user, long windowStart, Contributions records) {
    List<Cell> cells = records.cells(places, mostCategories);
    Optional<Map<Cell, Integer>> ago = visits.map(before -> before.visit(user, windowStart, cells));
    List<Observation> arrivals = new ArrayList<>();
    for (Cell cell : cells) {
      int before = ago.map(known -> known.get(cell)).orElse(places.last());
      int place =
          cell.category().isPresent()
              ? places.ofCategory(cell.category().getAsInt(), before)
              : places.ofSubject(before);
      arrivals.add(new Observation(cell.subject(), windowStart, first + place, List.of(), 0));
    }
    return arrivals;
  }
}
