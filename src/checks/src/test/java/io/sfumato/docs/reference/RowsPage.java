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
                + " clients. It lists the columns, which are the same for every kind of release but for"
                + " [category fields](#category-fields).",
            "RowColumn and NoiseScope");
    page.paragraph(
        "Rows are made of published records, so they cost no budget. There are four ways to get"
            + " them: `sfumato export TOPIC... --to FILE`, `sfumato consume TOPIC -o csv`, the"
            + " download of the [page for readers](../guides/read-in-a-browser.md), and the topic"
            + " `NAME.rows` of a pipeline with `rows: true`.");
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
            "A `table` release has a column for each of its fields. Most other kinds have one column,"
                + " `category`. Queries have the columns `query` and `candidate`, synthetic items"
                + " have `item`, and discovered bounds have `range`. A file whose releases are all of"
                + " whole subjects has no such column: those without `input.category`, or `by: total`.")
        .paragraph(
            "Category columns are in the order in which they first occur. If a field has the name of"
                + " another column, such as `value`, its column is `category_value`. If two names"
                + " differ only in case, the second ends in `_2`. If it is not clear which field a"
                + " column of a file belongs to (`Kind` and `kind_2`), the file is not continued:"
                + " write to a new one.");
  }

  private static void measures(Markdown page) {
    page.heading(2, "Measures")
        .table(
            List.of("measure", "what it is"),
            List.of(
                List.of("`count`", "number of records"),
                List.of(
                    "`mean of F`, `sum of F`, `variance of F`, `spread of F`", "of the field F"),
                List.of("`quantile Q of F`", "such as `quantile 0.5 of amount`, the median"),
                List.of("`share`", "share of the records that are in the category, 0 to 1"),
                List.of(
                    "`users`",
                    "number of distinct users, also of counts with `of: users` or `by: beyond`. A"
                        + " user of two windows is in both numbers, so they do not add up"),
                List.of(
                    "`estimated count`, `noisy count`, `estimated users`, `noisy users`",
                    "number of the window with and without the help of earlier releases"),
                List.of(
                    "`running M`",
                    "the measure M over all windows since a first one. `running since` is the start of"
                        + " that window in seconds since 1970 (UTC), and `running windows` the number"
                        + " of windows"),
                List.of(
                    "`last M`",
                    "the measure M over the last few windows, with `last since` and `last windows`"),
                List.of(
                    "others",
                    "what else a kind publishes, such as `records`, `threshold`, `rank` or `part 0 of"
                        + " F`. Public facts among them have no `noise`")))
        .paragraph(
            "Rows whose measure begins with `running` or `last` cover windows that overlap, so do not"
                + " add them up. The difference of two `running` rows has the noise of a moving sum,"
                + " not that of two independent rows ([moving sums](../guides/moving-sums.md)).");
  }

  private static void scopes(Markdown page) {
    page.heading(2, "Noise scopes")
        .paragraph(
            "`noise_scope` says which other rows can share noise with a row. The noise of such rows"
                + " is not independent, so their intervals do not give an interval of their sum.")
        .table(
            List.of("word", "can share noise with"),
            Stream.of(NoiseScope.values())
                .map(scope -> List.of(code(scope.word()), scope.meaning()))
                .toList())
        .paragraph(
            "Two rows have independent noise unless they agree in all columns that both words name."
                + " For example, two `row` rows of different categories are independent, and so are"
                + " two `window` rows of different windows.")
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
                + " rows with additive noise (`discrete-laplace`, `discrete-gaussian`):"
                + " [sums in SQL](../guides/analyse.md#sums-in-sql).");
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
            "Times have seconds, and milliseconds if they are not zero: `2026-11-02T00:00:00Z`. They"
                + " are in UTC, whatever `window.zone` is. A category field that is empty is an empty"
                + " text in every form. A double holds whole numbers up to 2^53 exactly.")
        .paragraph(
            "CSV follows RFC 4180, with line feeds. A text that begins with `=`, `+`, `-`, `@` or the"
                + " full-width form of one of these, with a tab or a carriage return has an"
                + " apostrophe in front, so that spreadsheets do not read it as a formula. A text that begins with an apostrophe has a second one. So a"
                + " program that reads such a file removes one apostrophe from the beginning of a"
                + " text. In SQLite the table is called `rows`.")
        .paragraph(
            "Spreadsheets read a time such as `2026-11-02T00:00:00Z` as text: `=LEFT(B2,10)` is its"
                + " day in UTC ([a plot in a spreadsheet](../guides/analyse.md#a-plot-in-a-spreadsheet))."
                + " Local days of a pipeline with `window.zone`:"
                + " [if the file has `window.zone`](../guides/analyse.md#if-the-file-has-windowzone).");
  }

  private static void windows(Markdown page) {
    page.heading(2, "Complete windows")
        .paragraph(
            "`sfumato export` writes a window when every partition of the pipeline has released it,"
                + " which the topic `NAME-released` states"
                + " ([ReleasedThrough](outputs.md#releasedthrough))."
                + " Windows are written in the order of their ends, and within a window by output"
                + " and subject. So the same topics give the same bytes of CSV and JSON lines.")
        .paragraph(
            "Topics of several pipelines have one order of windows in the file. So a window is"
                + " written when all pipelines have released it, and the slowest one sets the pace."
                + " `export` says on standard error which topic it waits for. With `--follow` it also"
                + " waits for the first release of an empty topic, because an empty topic does not"
                + " say which pipeline it is of. `--file PIPELINE` says it.")
        .paragraph(
            "Without `--follow`, an existing CSV or JSON lines file is replaced in one step. With"
                + " `--follow`, rows are added to it, and a later run continues where the file ends."
                + " It first compares the rows that are there with those of the topics. A file of other topics, with other columns or"
                + " with changed rows is refused, and stays as it is. A last line without an end is"
                + " cut off and written again. Rows whose records Kafka has deleted stay.")
        .paragraph(
            "SQLite takes each window in a transaction; a row replaces the one of the same key."
                + " Parquet is a folder with a file for each window, and `--follow` compares the"
                + " files that are there. It needs the folder `lib-parquet` of an installation.")
        .paragraph(
            "A release can come after its window was written if a pipeline begins again with a new"
                + " budget. Then `export --follow` names its topic and window and ends with exit code"
                + " 1, because the file lacks it. Run the command again: SQLite takes the release, and"
                + " a CSV or JSON lines file takes it if it belongs at the end. Otherwise export to a"
                + " new file.")
        .paragraph(
            "Answers to queries are no releases of windows, since a closed window can be asked"
                + " later. `export` refuses their topics. Print them with `sfumato consume TOPIC"
                + " -o csv`.");
  }

  private static void topic(Markdown page) {
    page.heading(2, "The topic of rows")
        .paragraph(
            "With `rows: true` a pipeline writes the rows of all outputs to `NAME.rows`, in the"
                + " transaction of the release. Key and value are JSON with the schema of Kafka"
                + " Connect's JsonConverter (`schemas.enable=true`). With `schemas: registry` they"
                + " are Avro of the registry (`NAME.rows-key`, `NAME.rows-value`). `sfumato consume"
                + " NAME.rows` prints these rows. `sfumato export` takes the outputs' topics, which"
                + " have the same rows.")
        .paragraph(
            "The record's key has the columns of the [row's key](#columns), and none of them is"
                + " null. So a JDBC sink with `insert.mode=upsert` and"
                + " `primary.key.mode=record_key` (`pk.mode` in other sinks) takes rows as they are."
                + " Set `consumer.override.isolation.level=read_committed`: otherwise the sink also"
                + " loads rows of aborted transactions. Complete recipes:"
                + " [sinks](../guides/sinks.md).");
  }
}
