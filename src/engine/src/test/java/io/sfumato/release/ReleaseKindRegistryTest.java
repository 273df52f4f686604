// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.examples.maximum.MaximumKind;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.release.histogram.HistogramKind;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.Reading;
import io.sfumato.schema.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.api.Test;

/** What a library forgot is told before anything is charged. */
class ReleaseKindRegistryTest {
  private static final List<ReleaseKind> OWN = List.of(new HistogramKind());

  private record Kind(String word, List<OutputView> outputs) implements ReleaseKind {
    @Override
    public ReleaseSpec read(ReleaseFields release) {
      throw new UnsupportedOperationException();
    }
  }

  private record View(Schema schema, Set<String> drawn) implements OutputView {
    @Override
    public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> release) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Reading reading(IndexedRecord output) {
      throw new UnsupportedOperationException();
    }
  }

  private static List<String> problems(String word, Schema schema, String... drawn) {
    return ReleaseKindRegistry.problems(
        new Kind(word, List.of(new View(schema, Set.of(drawn)))), OWN);
  }

  @Test
  void aWholeKindIsTaken() {
    assertThat(ReleaseKindRegistry.problems(new MaximumKind(), OWN)).isEmpty();
  }

  @Test
  void everyFieldOfTheHeadIsAskedFor() {
    Schema bare = SchemaBuilder.record("Bare").fields().requiredString("above").endRecord();
    assertThat(problems("share-above", bare, "above"))
        .hasSize(8)
        .contains(
            "kind of release 'share-above' (io.sfumato.release.ReleaseKindRegistryTest$Kind): the schema Bare"
                + " lacks the field 'window_end' (long of timestamp-millis), which every output has");
  }

  @Test
  void aFieldOfTheHeadHasItsType() {
    Schema plain = SchemaBuilder.record("Plain").fields().requiredLong("window_end").endRecord();
    assertThat(problems("share-above", plain, "window_end"))
        .anyMatch(problem -> problem.contains("'window_end' (long of timestamp-millis)"));
  }

  @Test
  void drawnNamesFieldsOfTheSchema() {
    Schema schema = new MaximumKind().outputs().get(0).schema();
    assertThat(problems("share-above", schema, "abuve"))
        .singleElement()
        .asString()
        .contains("drawn() names 'abuve', which the schema");
    assertThat(problems("share-above", schema)).singleElement().asString().contains("is empty");
  }

  @Test
  void wordsAndSchemasAreOnesOwn() {
    Schema schema = new MaximumKind().outputs().get(0).schema();
    assertThat(problems("histogram", schema, "category"))
        .singleElement()
        .asString()
        .contains("another kind has this word");
    assertThat(problems("no", Refusal.getClassSchema(), "code"))
        .anyMatch(problem -> problem.contains("another schema is named"));
    assertThat(ReleaseKindRegistry.problems(new Kind("bare", List.of()), OWN))
        .singleElement()
        .asString()
        .contains("outputs() is empty");
  }
}
