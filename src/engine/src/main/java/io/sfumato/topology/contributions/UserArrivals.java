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
  private final int question;

  /**
   * @param visits of users in the last windows, where these are counted together
   * @param question of the file: its number, 0 for that of the file
   */
  private UserArrivals(
      CellPlaces places, int mostCategories, long first, Optional<CellStore> visits, int question) {
    this.places = places;
    this.mostCategories = mostCategories;
    this.first = first;
    this.visits = visits;
    this.question = question;
  }

  /**
   * Those of a pipeline; nothing where it counts no distinct users.
   *
   * @param pipeline as the question sees it
   */
  static Optional<UserArrivals> of(Pipeline pipeline, int question, Optional<CellStore> visits) {
    return pipeline
        .cells()
        .map(
            places ->
                new UserArrivals(
                    places,
                    pipeline.population().orElseThrow().mostCells(places.categories()),
                    Contents.Layout.cells(pipeline),
                    visits,
                    question));
  }

  /**
   * What is passed on of a user's window that counts.
   *
   * @param beyond subjects of which the user has more records than that; empty where nobody asks
   */
  List<Observation> of(String user, long windowStart, Contributions records, List<String> beyond) {
    List<Cell> cells = records.cells(places, mostCategories);
    Optional<Map<Cell, Integer>> ago = visits.map(before -> before.visit(user, windowStart, cells));
    List<Observation> arrivals = new ArrayList<>();
    for (Cell cell : cells) {
      int before = ago.map(known -> known.get(cell)).orElse(places.last());
      int place =
          cell.category().isPresent()
              ? places.ofCategory(cell.category().getAsInt(), before)
              : places.ofSubject(before);
      arrivals.add(
          new Observation(cell.subject(), windowStart, first + place, List.of(), 0, "", question));
    }
    for (String subject : beyond) {
      arrivals.add(
          new Observation(
              subject, windowStart, first + places.ofBeyond(), List.of(), 0, "", question));
    }
    return arrivals;
  }
}
