// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.schema.SubjectRelease;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Numbers of users, and whether a subject is new. */
final class SubjectsView implements OutputView {
  @Override
  public Schema schema() {
    return SubjectRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("users", "low", "high", "found");
  }

  @Override
  public String row(IndexedRecord output) {
    SubjectRelease release = (SubjectRelease) output;
    return "users " + told(release) + (release.getFound() ? "  found" : "");
  }

  private static String told(SubjectRelease release) {
    return String.format(
        Locale.ROOT, "%,.0f (%,d to %,d)", release.getUsers(), release.getLow(), release.getHigh());
  }

  @Override
  public boolean hasCourse() {
    return true;
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    SubjectRelease release = (SubjectRelease) output;
    return new Card(
        release.getWindowStart(),
        release.getWindowEnd(),
        List.of(
            new Card.Row(
                release.getFound() ? "users, found" : "users",
                release.getUsers(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.of(new Card.Spot(release.getUsers(), release.getLow(), release.getHigh())),
                told(release))));
  }
}
