// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.RecordFilter.Condition;
import io.sfumato.record.TimeReader;
import io.sfumato.serde.AvroValue.As;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/** The conditions of a file on fields, in one writer's schema. A field that it lacks is missing. */
final class AvroFilter {
  private final List<Condition> conditions;
  private final List<Optional<AvroPlace>> places = new ArrayList<>();
  private final List<Boolean> isName = new ArrayList<>();

  /**
   * @throws RejectedRecordException with {@code SCHEMA_MISMATCH} if a field is in one of several
   *     records, so that its path does not say where
   */
  AvroFilter(Schema writer, InputSpec spec) throws RejectedRecordException {
    this.conditions = spec.where().onFields();
    for (Condition condition : conditions) {
      Optional<AvroPlace> place = AvroProjection.find(writer, condition.part());
      places.add(place);
      isName.add(place.filter(there -> there.canBe(As.NAME, TimeReader.auto())).isPresent());
    }
  }

  boolean isEmpty() {
    return conditions.isEmpty();
  }

  /** Where the fields are that the schema has. */
  List<AvroPlace> places() {
    return places.stream().flatMap(Optional::stream).toList();
  }

  /** The same by their names in the file. */
  Map<String, AvroPlace> named() {
    Map<String, AvroPlace> byName = new LinkedHashMap<>();
    for (int i = 0; i < places.size(); i++) {
      String name = conditions.get(i).part();
      places.get(i).ifPresent(place -> byName.put(name, place));
    }
    return byName;
  }

  /** Whether a record meets all conditions; what is no record has no fields. */
  boolean selects(Object record) {
    for (int i = 0; i < conditions.size(); i++) {
      Object found = places.get(i).isEmpty() ? null : places.get(i).get().in(record);
      String name = found != null && isName.get(i) ? places.get(i).get().name(record) : null;
      if (!conditions.get(i).accepts(found != null, name)) {
        return false;
      }
    }
    return true;
  }
}
