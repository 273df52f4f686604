// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.pipeline.Columns;
import io.sfumato.pipeline.Crossing;
import io.sfumato.pipeline.Crossing.Column;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.Hierarchy;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Reads {@code table:} of a pipeline file. */
final class TableReader {
  private static final int MOST_WAYS = 2;

  /** So that the file's other problems can still be told. */
  private static final TableShape NONE =
      new TableShape(
          new Crossing(
              List.of(
                  Column.listed("x", List.of("a", "b"), Optional.empty()),
                  Column.listed("y", List.of("a", "b"), Optional.empty()))),
          List.of(0, 1),
          1);

  private static final FieldSpec<?> COLUMNS =
      FieldSpec.typed("columns", FieldTypes.texts(1, Crossing.MOST_COLUMNS))
          .optional("all")
          .means("Which fields of the list; all tables together have at most 100,000 cells.")
          .where("with a category that is a list of fields")
          .example("[region, product]");

  private static final FieldSpec<Integer> WAYS =
      FieldSpec.count("ways", 1, MOST_WAYS)
          .byDefault(MOST_WAYS)
          .means("1: the total and each field by itself. 2: each two of them as well.")
          .where("with a category that is a list of fields")
          .example("1");

  static final Section SECTION =
      Section.of(
          "Tables of several fields that agree, for one charge (`TableRelease`,"
              + " [guide](../guides/funnels.md)). All values of the fields are listed.",
          COLUMNS,
          WAYS);

  private TableReader() {}

  static TableSpec read(ReleaseFields release) {
    return new TableSpec(release.head(), shape(release).orElse(NONE), release.population());
  }

  private static Optional<TableShape> shape(ReleaseFields release) {
    Fields fields = release.fields();
    Optional<Columns> listed = release.input().columns().filter(Columns::isListed);
    if (listed.isEmpty()) {
      fields.has(COLUMNS);
      fields.has(WAYS);
      fields.conflict(
          "name",
          "found a table",
          "only where 'input.category' is a list of fields, [region, product], or a path of them,"
              + " and 'input.categories' lists what may stand in each");
      return Optional.empty();
    }
    Columns columns = listed.get();
    int count = columns.fields().size();
    List<Integer> chosen = IntStream.range(0, count).boxed().toList();
    int ways = MOST_WAYS;
    if (columns instanceof Hierarchy) {
      for (String field : List.of("columns", "ways")) {
        if (fields.has(field)) {
          fields.conflict(field, "found with a path", "without: every level has a table");
        }
      }
    } else {
      ways = fields.get(WAYS);
      List<String> names = fields.list(COLUMNS).optionalTexts(Crossing.MOST_COLUMNS);
      if (!names.isEmpty()) {
        List<String> unknown =
            names.stream().filter(name -> !columns.fields().contains(name)).toList();
        if (!unknown.isEmpty()) {
          fields.conflict(
              "columns",
              "found '" + unknown.get(0) + "'",
              "fields of 'input.category': " + String.join(", ", columns.fields()));
          return Optional.empty();
        }
        chosen = chosen.stream().filter(i -> names.contains(columns.fields().get(i))).toList();
      }
    }
    TableShape shape = new TableShape(columns, chosen, ways);
    try {
      shape.tables();
    } catch (IllegalArgumentException e) {
      fields.conflict(columns instanceof Hierarchy ? "name" : "columns", e.getMessage(), "fewer");
      return Optional.empty();
    }
    return Optional.of(shape);
  }
}
