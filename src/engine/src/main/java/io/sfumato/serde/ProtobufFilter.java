// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.RecordFilter.Condition;
import io.sfumato.record.TimeReader;
import io.sfumato.serde.AvroValue.As;
import java.util.List;
import java.util.Optional;

/** The conditions of a file on fields, in one message type. A field that it lacks is missing. */
final class ProtobufFilter {
  private final List<Condition> conditions;
  private final List<Optional<ProtobufPlace>> places;

  ProtobufFilter(Descriptor type, InputSpec spec) {
    this.conditions = spec.where().onFields();
    this.places =
        conditions.stream().map(condition -> ProtobufPlace.find(type, condition.part())).toList();
  }

  boolean isEmpty() {
    return conditions.isEmpty();
  }

  /** Where the fields are that the type has. */
  List<ProtobufPlace> places() {
    return places.stream().flatMap(Optional::stream).toList();
  }

  /** Whether a message meets all conditions. */
  boolean selects(ProtobufMessage message) throws RejectedRecordException {
    for (int i = 0; i < conditions.size(); i++) {
      Optional<ProtobufPlace> place = places.get(i);
      boolean found = place.isPresent() && place.get().isIn(message);
      boolean named = found && place.get().canBe(As.NAME, TimeReader.auto());
      String name = named ? place.get().name(message) : null;
      if (!conditions.get(i).accepts(found, name)) {
        return false;
      }
    }
    return true;
  }
}
