// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.rows.OutputHead;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * The kinds of this program and of libraries on the class path. What cannot work is left out and
 * told, before anything of it is charged.
 *
 * @param kinds that can be used, the program's own first
 * @param problems with others, in words
 */
record ReleaseKindRegistry(List<ReleaseKind> kinds, List<String> problems) {
  /** Names of schemas that are no kind's. */
  private static final Set<String> OTHERS =
      Set.of("AbcCandidate", "ControlEntry", "DeadLetter", "Guarantee", "Refusal", "UserRecord");

  /** With those that libraries bring. */
  static ReleaseKindRegistry beside(List<ReleaseKind> own) {
    List<ReleaseKind> kinds = new ArrayList<>(own);
    List<String> problems = new ArrayList<>();
    var providers = ServiceLoader.load(ReleaseKind.class).stream().iterator();
    while (true) {
      try {
        if (!providers.hasNext()) {
          return new ReleaseKindRegistry(List.copyOf(kinds), List.copyOf(problems));
        }
        ReleaseKind kind = providers.next().get();
        List<String> found = problems(kind, kinds);
        problems.addAll(found);
        if (found.isEmpty()) {
          kinds.add(kind);
        }
      } catch (ServiceConfigurationError e) {
        // Its message names the file of services, and what is wrong with it.
        problems.add("a library's kind of release cannot be loaded: " + e.getMessage());
      }
    }
  }

  /** What is wrong with a library's kind, beside those before it. */
  static List<String> problems(ReleaseKind kind, List<ReleaseKind> before) {
    List<String> problems = new ArrayList<>();
    String who = "kind of release '%s' (%s): ".formatted(kind.word(), kind.getClass().getName());
    Set<String> schemas = new HashSet<>(OTHERS);
    for (ReleaseKind other : before) {
      other.outputs().forEach(view -> schemas.add(view.schema().getName()));
      if (other.word().equals(kind.word())) {
        problems.add(who + "another kind has this word already: give it one of its own");
      }
    }
    if (kind.outputs().isEmpty()) {
      problems.add(who + "outputs() is empty: list a view for each schema that it publishes");
    }
    for (OutputView view : kind.outputs()) {
      String name = view.schema().getFullName();
      if (!schemas.add(view.schema().getName())) {
        problems.add(who + "another schema is named as " + name + " is: give it a name of its own");
      }
      if (!exists(name, kind.getClass().getClassLoader())) {
        problems.add(who + "no class is named " + name + ", as its schema is: generate it");
      }
      for (String field : missing(view.schema())) {
        problems.add(who + "the schema " + name + " lacks the field " + field);
      }
      for (String field : view.drawn()) {
        if (view.schema().getField(field) == null) {
          problems.add(
              who + "drawn() names '" + field + "', which the schema " + name + " does not have");
        }
      }
      if (view.drawn().isEmpty()) {
        problems.add(who + "drawn() is empty: name the fields of " + name + " that noise decides");
      }
    }
    return problems;
  }

  private static boolean exists(String name, ClassLoader loader) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static List<String> missing(Schema schema) {
    List<String> missing = new ArrayList<>();
    OutputHead.FIELDS.forEach(
        (name, type) -> {
          Schema.Field field = schema.getField(name);
          if (field == null || !type.equals(type(field.schema()))) {
            missing.add("'" + name + "' (" + type + "), which every output has");
          }
        });
    return missing;
  }

  private static String type(Schema schema) {
    if (schema.getLogicalType() instanceof LogicalTypes.TimestampMillis) {
      return "long of timestamp-millis";
    }
    return schema.getType() == Schema.Type.RECORD
        ? schema.getFullName()
        : schema.getType().getName();
  }
}
