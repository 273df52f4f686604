// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.FieldPath;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/**
 * Where a named field is.
 *
 * @param steps the writer's names of fields, and places of items, from the record inwards
 * @param schema of what is there
 */
record AvroPlace(List<String> steps, Schema schema) {
  Object in(Object outer) {
    Object value = outer;
    for (String step : steps) {
      value = inside(value, step);
    }
    return value;
  }

  /** Puts what is there, in every item of the array on the way. */
  void each(GenericRecord record, FoundItems found) {
    int each = steps.indexOf(FieldPath.EACH);
    if (new AvroPlace(steps.subList(0, each), schema).in(record) instanceof List<?> items) {
      AvroPlace within = new AvroPlace(steps.subList(each + 1, steps.size()), schema);
      for (int i = 0; i < items.size(); i++) {
        found.add(i, AvroProjection.text(within.in(items.get(i))));
      }
    }
  }

  static Object inside(Object value, String step) {
    if (value instanceof GenericRecord record) {
      return record.hasField(step) ? record.get(step) : null;
    }
    if (value instanceof List<?> items) {
      int item = Integer.parseInt(step);
      return item < items.size() ? items.get(item) : null;
    }
    return null;
  }

  /** After the first step. */
  static List<String> rest(List<String> steps) {
    return steps.subList(1, steps.size());
  }
}
