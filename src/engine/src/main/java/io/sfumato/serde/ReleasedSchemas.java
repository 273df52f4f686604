// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * The public schemas as they were last released: what was written with them stays readable, and a
 * test compares every change with them.
 */
final class ReleasedSchemas {
  /** What others refer to comes first. */
  private static final List<String> NAMES =
      Stream.concat(
              Stream.of("Guarantee"),
              PublicSchemas.all().stream().map(Schema::getName).filter(ReleasedSchemas::isThere))
          .toList();

  /** Written between releases: a second schema of a name that was released already. */
  private static final List<String> BETWEEN =
      List.of(
          "Guarantee",
          "DirichletRelease-error-bars",
          "Refusal-no-bounds",
          "CountRelease-left-out",
          "MeanRelease-one-window",
          "QuantileRelease-of-all");

  /** Third ones. */
  private static final List<String> BEFORE_MARKS =
      List.of(
          "Guarantee",
          "Estimate-plain",
          "MeanRelease-cut-at-0",
          "QuantileRelease-cut-at-0",
          "TableRelease-unmarked",
          "NamesRelease-no-example",
          "TopRelease-no-example");

  private static final List<Schema> ALL =
      Stream.of(
              read(NAMES).stream(),
              read(BETWEEN).stream().skip(1),
              read(BEFORE_MARKS).stream().skip(2))
          .flatMap(schemas -> schemas)
          .toList();

  private ReleasedSchemas() {}

  /** A schema that was never released has no earlier one. */
  private static boolean isThere(String name) {
    return ReleasedSchemas.class.getResource("released/" + name + ".avsc") != null;
  }

  private static List<Schema> read(List<String> names) {
    Schema.Parser parser = new Schema.Parser();
    List<Schema> schemas = new ArrayList<>();
    for (String name : names) {
      try (InputStream in =
          ReleasedSchemas.class.getResourceAsStream("released/" + name + ".avsc")) {
        schemas.add(parser.parse(in));
      } catch (IOException e) {
        throw new IllegalStateException("the program lacks its schema " + name, e);
      }
    }
    return List.copyOf(schemas);
  }

  static List<Schema> all() {
    return ALL;
  }

  /** Writers' schemas of a public record, now and before, by their fingerprints. */
  static Map<Long, Schema> writers(Schema now) {
    return Stream.concat(
            ALL.stream().filter(schema -> schema.getFullName().equals(now.getFullName())),
            Stream.of(now))
        .collect(
            Collectors.toUnmodifiableMap(
                SchemaNormalization::parsingFingerprint64,
                Function.identity(),
                (before, same) -> same));
  }
}
