// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.OutputView;
import io.sfumato.release.Releases;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.ReleasedThrough;
import io.sfumato.schema.UserRecord;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/** The one list of public schemas: what every pipeline writes or reads, and what releases add. */
final class PublicSchemas {
  private static final List<Schema> ALL =
      Stream.concat(
              Stream.of(
                  AbcCandidate.getClassSchema(),
                  ControlEntry.getClassSchema(),
                  DeadLetter.getClassSchema(),
                  Refusal.getClassSchema(),
                  ReleasedThrough.getClassSchema(),
                  UserRecord.getClassSchema()),
              Releases.outputs().stream().map(OutputView::schema))
          .sorted(Comparator.comparing(Schema::getName))
          .toList();

  private PublicSchemas() {}

  /** By name. */
  static List<Schema> all() {
    return ALL;
  }

  /** The generated classes of all of them, and of the records and enums within them. */
  static Set<Class<?>> classes() {
    Set<Class<?>> classes = new LinkedHashSet<>();
    ALL.forEach(schema -> add(schema, classes));
    return classes;
  }

  private static void add(Schema schema, Set<Class<?>> classes) {
    switch (schema.getType()) {
      case RECORD -> {
        if (classes.add(generated(schema))) {
          schema.getFields().forEach(field -> add(field.schema(), classes));
        }
      }
      case ENUM -> classes.add(generated(schema));
      case UNION -> schema.getTypes().forEach(type -> add(type, classes));
      case ARRAY -> add(schema.getElementType(), classes);
      case MAP -> add(schema.getValueType(), classes);
      default -> {}
    }
  }

  /** Not by way of Avro, which trusts nothing yet. */
  private static Class<?> generated(Schema schema) {
    try {
      return Class.forName(schema.getFullName());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the program lacks the class of " + schema.getFullName(), e);
    }
  }
}
