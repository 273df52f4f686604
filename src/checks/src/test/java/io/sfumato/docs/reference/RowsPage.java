// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs.reference;

import static io.sfumato.docs.reference.Markdown.code;

import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.RowColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** docs/reference/rows.md, from the declarations of columns. */
final class RowsPage {
  private RowsPage() {}

  static String text() {
    Markdown page =
        new Markdown(
            "Rows",
            "This page is for analysts who read releases as rows, and for developers who write"
                + " clients. It lists the columns, which are the same for every kind of release.",
            "RowColumn and NoiseScope");
    page.paragraph(
        "Rows are made of published records, so they cost no budget. These write them:"
            + " `sfumato export TOPIC... --to FILE`, `sfumato consume TOPIC -o csv`, and a pipeline"
            + " with `rows: true`, to the topic `NAME.rows`.");
    columns(page);
    categories(page);
    measures(page);
    scopes(page);
    forms(page);
    windows(page);
    topic(page);
    return page.toString();
  }

  private static void columns(Markdown page) {
    page.heading(2, "Columns");
    List<List<String>> rows = new ArrayList<>();
    RowColumn.first().forEach(column -> rows.add(row(column)));
    rows.add(
        List.of(
            "one for each category field",
            RowColumn.Type.TEXT.word(),
            "Value of the field: see [category fields](#category-fields).",
            "all values together"));
    RowColumn.rest().forEach(column -> rows.add(row(column)));
    page.table(List.of("column", "type", "meaning", "empty for"), rows);
    page.paragraph(
        "The key of a row is `output`, `subject`, `window_start`, `window_end`, all category"
            + " fields, and `measure`. No part of it is null. A later row of the same key replaces"
            + " an earlier one.");
  }

  private static List<String> row(RowColumn column) {
    return List.of(code(column.word()), column.type().word(), column.meaning(), column.emptyFor());
  }

  private static void categories(Markdown page) {
    page.heading(2, "Category fields")
        .paragraph(
            "A table has a column for each of its fields. Other kinds name categories without their"
                + " field, in the column `category`. Queries have `query` and `candidate`, synthetic"
                + " items `item`, found bounds `range`.")
        .paragraph(
            "Columns are in the order in which fields first occur. A field with the name of another"
                + " column, such as `value`, is called `category_value`. Of two names that differ in"
                + " case alone, the second ends in `_2`.");
  }

  private static void measures(Markdown page) {
    page.heading(2, "Measures")
        .table(
            List.of("measure", "what it is"),
            List.of(
                List.of("`count`", "number of records, or of users with `of: users`"),
                List.of(
                    "`mean of F`, `sum of F`, `variance of F`, `spread of F`", "of the field F"),
                List.of("`quantile Q of F`", "such as `quantile 0.5 of amount`, the median"),
                List.of("`share`", "part of the records that are of the category, 0 to 1"),
                List.of("`users`", "number of users of a subject"),
                List.of("`estimated count`, `noisy count`", "with and without earlier releases"),
                List.of(
                    "`running M`",
                    "the measure M of all windows since a first one. `running since` is the start of"
                        + " that window in seconds since 1970 (UTC), `running windows` their number"),
                List.of(
                    "`last M`",
                    "the measure M of the last few windows, with `last since` and `last windows`"),
                List.of(
                    "others",
                    "what a kind says beside, such as `records`, `threshold`, `rank`, `part 0 of F`:"
                        + " facts have no `noise`")))
        .paragraph(
            "Rows whose measure begins with `running` or `last` cover windows that overlap: do not"
                + " add them up. Subtract two `running` rows only with the noise of a moving sum"
                + " ([moving sums](../guides/moving-sums.md)).");
  }

  private static void scopes(Markdown page) {
    page.heading(2, "Noise scopes")
        .paragraph(
            "`noise_scope` says which other rows can share a row's noise. Rows that share noise are"
                + " not independent, so no interval of their sum follows from their intervals.")
        .table(
            List.of("word", "can share noise with"),
            Stream.of(NoiseScope.values())
                .map(scope -> List.of(code(scope.word()), scope.meaning()))
                .toList())
        .paragraph(
            "Two rows have independent noise unless they agree in all columns that both words name."
                + " For example, `row` and `row` of two categories are independent. `window` and"
                + " `window` are independent in different windows.")
        .paragraph(
            "`noise` is one of: "
                + Stream.of(
                        "discrete-laplace",
                        "discrete-gaussian",
                        "dirichlet",
                        "mollifier",
                        "clipped",
                        "projection",
                        "boosted",
                        "rejection-query",
                        "soft-query",
                        "sparse-vector-query")
                    .map(Markdown::code)
                    .collect(Collectors.joining(", "))
                + ", or the first word of a library's mechanism. The interval of a sum of independent"
                + " rows with additive noise (`discrete-laplace`, `discrete-gaussian`): add 1/2 to"
                + " each half width of whole numbers, add up the squares, and take the root.");
  }

  private static void forms(Markdown page) {
    page.heading(2, "Forms")
        .table(
            List.of("form", "text", "time", "number", "true or false", "empty"),
            List.of(
                List.of("CSV", "UTF-8", "ISO 8601, UTC", "decimal", "`true`, `false`", "no text"),
                List.of(
                    "JSON lines", "string", "string, ISO 8601, UTC", "number", "boolean", "`null`"),
                List.of("SQLite", "TEXT", "TEXT, ISO 8601, UTC", "NUMERIC", "0, 1", "NULL"),
                List.of("Parquet", "string", "timestamp, UTC", "double", "boolean", "null"),
                List.of("`NAME.rows`", "string", "timestamp, UTC", "double", "boolean", "null")))
        .paragraph(
            "Times have seconds, and milliseconds where there are any: `2026-11-02T00:00:00Z`. They"
                + " do not depend on `window.zone`. A category field that is empty is an empty text"
                + " in every form. A double holds whole numbers up to 2^53 exactly.")
        .paragraph(
            "CSV follows RFC 4180 with line feeds. A text that begins with `=`, `+`, `-`, `@`, a tab"
                + " or a carriage return has an apostrophe before it, so that no spreadsheet takes"
                + " it for a formula. So has a text that begins with an apostrophe: readers remove"
                + " one. In SQLite the table is `rows`.");
  }

  private static void windows(Markdown page) {
    page.heading(2, "Complete windows")
        .paragraph(
            "`sfumato export` writes a window when every partition of the pipeline has released it."
                + " The topic `NAME-released` says so ([ReleasedThrough](outputs.md#releasedthrough))."
                + " Windows are written in the order of their ends, and within a window by output"
                + " and subject. So the same topics give the same bytes of CSV and JSON lines.")
        .paragraph(
            "Without `--follow` a CSV or JSON lines file is replaced at once. With `--follow` rows"
                + " are added, and a new run goes on where the file ends. SQLite takes each window in"
                + " a transaction. Parquet is a folder with a file for each window; it needs the"
                + " folder `lib-parquet` of an installation.");
  }

  private static void topic(Markdown page) {
    page.heading(2, "The topic of rows")
        .paragraph(
            "With `rows: true` a pipeline writes the rows of all outputs to `NAME.rows`, in the"
                + " transaction of the release. Key and value are JSON with the schema of Kafka"
                + " Connect's JsonConverter (`schemas.enable=true`). With `schemas: registry` they"
                + " are Avro of the registry (`NAME.rows-key`, `NAME.rows-value`).")
        .paragraph(
            "The key has the columns of a row's key, none of them null. So a JDBC sink with"
                + " `insert.mode=upsert` and `primary.key.mode=record_key` (`pk.mode` in other sinks)"
                + " takes rows as they are. Set"
                + " `consumer.override.isolation.level=read_committed`: else the sink takes rows of"
                + " aborted transactions.");
  }
}
