// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.schema.SubjectRelease;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Numbers of users, and whether a subject is new. */
final class SubjectsView implements OutputView {
  private static final String USERS = "users";
  private static final String FOUND = "found";

  @Override
  public Schema schema() {
    return SubjectRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("users", "low", "high", "found");
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    SubjectRelease release = (SubjectRelease) output;
    return OutputRows.of(output)
        .sharing(NoiseScope.GROUP)
        .fact("threshold", Quantity.of(release.getThreshold()))
        .drawn(
            Group.ALL,
            USERS,
            Quantity.between(release.getUsers(), release.getLow(), release.getHigh()))
        .drawn(Group.ALL, FOUND, Quantity.of(release.getFound()))
        .all();
  }

  @Override
  public Reading reading(IndexedRecord output) {
    return Reading.of(Column.of(USERS, USERS, Style.INTERVAL), Column.mark(FOUND)).followed();
  }
}
