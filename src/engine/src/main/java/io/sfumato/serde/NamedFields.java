// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.record.RecordPart;
import io.sfumato.serde.AvroValue.As;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The fields of a record's value that a pipeline file names. */
final class NamedFields {
  private NamedFields() {}

  /** How each is read, in the order in which a problem with it is told. */
  static Map<String, As> of(InputSpec spec, Optional<String> user) {
    Map<String, As> named = new LinkedHashMap<>();
    named.put(spec.subject(), As.NAME);
    user.ifPresent(name -> named.put(name, As.NAME));
    spec.id().ifPresent(name -> named.put(name, As.NAME));
    if (spec.timePart() instanceof RecordPart.Field field) {
      named.put(field.name(), As.TIME);
    }
    spec.categoryFields().forEach(name -> named.put(name, As.NAME));
    spec.numbers().forEach(name -> named.put(name, As.NUMBER));
    named.keySet().removeIf(name -> !RecordPart.isField(name));
    return named;
  }
}
