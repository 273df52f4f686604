// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.FieldPath;
import io.sfumato.record.TimeReader;
import io.sfumato.record.TimeReading;
import io.sfumato.serde.AvroValue.As;
import java.util.List;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
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

  /** The canonical name there; null if there is none. */
  String name(Object outer) {
    Object value = in(outer);
    return value == null ? null : of(value).name(value);
  }

  /** The number there; null if nothing is there, NaN if what is there is none. */
  Double number(Object outer) {
    Object value = in(outer);
    Double number = value == null ? null : of(value).number(value);
    return value != null && number == null ? (Double) Double.NaN : number;
  }

  /** Reads the time there; null if there is no value. */
  Function<Object, TimeReading> time(TimeReader times) {
    List<Function<Object, TimeReading>> ofTypes =
        types(schema).stream().map(type -> AvroTime.of(type, times).orElse(value -> null)).toList();
    return outer -> {
      Object value = in(outer);
      return value == null ? null : ofTypes.get(type(schema, value)).apply(value);
    };
  }

  /** The number there, rounded down; null if there is none. */
  Long floor(Object outer) {
    Object value = in(outer);
    return value == null ? null : of(value).floor(value);
  }

  /** Whether values there, null excepted, can be read so. */
  boolean canBe(As as, TimeReader times) {
    return branches(schema).stream().allMatch(branch -> new AvroValue(branch).canBe(as, times));
  }

  /** Of a union all but null; else the schema itself. */
  static List<Schema> branches(Schema schema) {
    return types(schema).stream().filter(type -> type.getType() != Schema.Type.NULL).toList();
  }

  private AvroValue of(Object value) {
    return new AvroValue(typeOf(schema, value));
  }

  /** The schema of a value; of a union the one that the value has. */
  static Schema typeOf(Schema schema, Object value) {
    return types(schema).get(type(schema, value));
  }

  private static List<Schema> types(Schema schema) {
    return schema.isUnion() ? schema.getTypes() : List.of(schema);
  }

  private static int type(Schema schema, Object value) {
    return schema.isUnion() ? GenericData.get().resolveUnion(schema, value) : 0;
  }

  /** Puts what is there, in every item of the array on the way. */
  void each(GenericRecord record, FoundItems found) {
    int each = steps.indexOf(FieldPath.EACH);
    if (new AvroPlace(steps.subList(0, each), schema).in(record) instanceof List<?> items) {
      AvroPlace within = new AvroPlace(steps.subList(each + 1, steps.size()), schema);
      for (int i = 0; i < items.size(); i++) {
        found.add(i, within.name(items.get(i)));
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
