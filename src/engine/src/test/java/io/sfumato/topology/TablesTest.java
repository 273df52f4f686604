// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.OutputView;
import io.sfumato.release.Releases;
import io.sfumato.release.Shown;
import io.sfumato.rows.Drawing;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.TableRelease;
import io.sfumato.serde.Outputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of what people did, from their records to what is published. */
class TablesTest {
  private static final String FILE =
      """
      pipeline: test
      %s
      input:
        topic: in
        subject: store
        user: who
        time: at
        category: %s
        categories: %s
      contributions: { per-window: 1 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: %s, delta: 1e-6, period: window }
      releases:
        - table: { name: tables, %s share: { epsilon: %s, delta: 1e-6 } }
      """;

  /** So much budget that noise is some 10^-3 of a record. */
  private static final String NO_NOISE = "900000";

  @TempDir Path state;

  private static String file(String category, String categories, String epsilon, String more) {
    return FILE.formatted("", category, categories, epsilon, more, epsilon);
  }

  private static void send(Fixture pipeline, int who, String store, String fields) {
    pipeline.sendJson(1, "'who':'user%d','store':'%s',%s", who, store, fields);
  }

  private static List<TableRelease> released(Fixture pipeline, String subject) {
    return pipeline.releases("tables", TableRelease.class).stream()
        .filter(release -> subject.isEmpty() || release.getSubject().equals(subject))
        .toList();
  }

  private static List<TableRelease> of(List<TableRelease> all, String subject) {
    return all.stream().filter(release -> release.getSubject().equals(subject)).toList();
  }

  private static TableRelease whole(List<TableRelease> parts) {
    OutputView view = Releases.viewOf(parts.get(0)).orElseThrow();
    assertThat(view.parts(parts.get(0))).isEqualTo(parts.size());
    return (TableRelease) view.together(new ArrayList<IndexedRecord>(parts));
  }

  /** Counts by values, of a table. */
  private static Map<List<String>, Long> counts(CountTable table) {
    return table.getRows().stream()
        .collect(Collectors.toMap(CountRow::getValues, CountRow::getCount));
  }

  private static Map<List<String>, CountTable> byColumns(TableRelease release) {
    return release.getTables().stream()
        .collect(Collectors.toMap(CountTable::getColumns, table -> table));
  }

  /** What two tables have in common is the same in both, nothing is below 0, intervals hold. */
  private static void assertAgree(TableRelease release) {
    Map<List<String>, CountTable> all = byColumns(release);
    all.forEach(
        (columns, table) -> {
          for (int drop = 0; drop < columns.size(); drop++) {
            List<String> fewer = without(columns, drop);
            if (all.containsKey(fewer)) {
              Map<List<String>, Long> sums = new HashMap<>();
              int at = drop;
              table
                  .getRows()
                  .forEach(
                      row -> sums.merge(without(row.getValues(), at), row.getCount(), Long::sum));
              assertThat(sums).as("%s of %s", fewer, columns).isEqualTo(counts(all.get(fewer)));
            }
          }
          assertThat(table.getRows())
              .allMatch(
                  row ->
                      0 <= row.getLow()
                          && row.getLow() <= row.getCount()
                          && row.getCount() <= row.getHigh());
        });
  }

  private static List<String> without(List<String> list, int place) {
    List<String> rest = new ArrayList<>(list);
    rest.remove(place);
    return rest;
  }

  private static final String COLUMNS =
      "{ region: [east, west], product: [tea, coffee, cake], channel: [web, shop] }";

  @Test
  void countsEveryTwoColumns() {
    String yaml = file("[region, product, channel]", COLUMNS, NO_NOISE, "");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      for (int i = 0; i < 30; i++) {
        send(
            pipeline,
            i,
            "north",
            "\"region\":\"%s\",\"product\":\"%s\",\"channel\":\"%s\""
                .formatted(
                    i < 10 ? "east" : "west",
                    i % 2 == 0 ? "tea" : "cake",
                    i % 3 == 0 ? "web" : "shop"));
      }
      pipeline.tick(12);
      List<TableRelease> all = released(pipeline, "");
      TableRelease north = whole(of(all, "north"));
      assertThat(north.getRecords()).as("private").isNull();
      assertThat(north.getTables())
          .extracting(CountTable::getColumns)
          .containsExactly(
              List.of(),
              List.of("region"),
              List.of("product"),
              List.of("channel"),
              List.of("region", "product"),
              List.of("region", "channel"),
              List.of("product", "channel"));
      Map<List<String>, CountTable> tables = byColumns(north);
      assertThat(counts(tables.get(List.of()))).isEqualTo(Map.of(List.of(), 30L));
      assertThat(counts(tables.get(List.of("product"))))
          .isEqualTo(Map.of(List.of("tea"), 15L, List.of("coffee"), 0L, List.of("cake"), 15L));
      assertThat(counts(tables.get(List.of("region", "channel"))))
          .isEqualTo(
              Map.of(
                  List.of("east", "web"), 4L,
                  List.of("east", "shop"), 6L,
                  List.of("west", "web"), 6L,
                  List.of("west", "shop"), 14L));
      assertAgree(north);
      List<String> lines = Shown.text(north).lines().toList();
      assertThat(lines.get(0)).endsWith("north        30 records");
      assertThat(lines.subList(1, lines.size()))
          .startsWith(
              "    region   east 10  west 20",
              "    product  tea 15  coffee 0  cake 15",
              "    channel  web 10  shop 20",
              "    region \\ product  tea  coffee  cake",
              "    east                5       0     5",
              "    west               10       0    10")
          .hasSize(13);
      assertThat(counts(byColumns(whole(of(all, "south"))).get(List.of())))
          .as("nobody was there, and that is told too")
          .isEqualTo(Map.of(List.of(), 0L));
    }
  }

  @Test
  void countsSomeColumnsOfMany() {
    String yaml =
        file(
            "[region, product, channel]",
            COLUMNS,
            NO_NOISE,
            "columns: [channel, region], ways: 1,");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      send(pipeline, 1, "north", "\"region\":\"west\",\"product\":\"cake\",\"channel\":\"shop\"");
      pipeline.tick(12);
      TableRelease north = whole(released(pipeline, "north"));
      assertThat(north.getTables())
          .extracting(CountTable::getColumns)
          .containsExactly(List.of(), List.of("region"), List.of("channel"));
      assertThat(counts(north.getTables().get(2)))
          .isEqualTo(Map.of(List.of("web"), 0L, List.of("shop"), 1L));
    }
  }

  @Test
  void countsEveryLevelOfAPath() {
    String yaml =
        file(
            "{ path: [land, region, town] }",
            "{ DE: { BY: [Ulm, Hof], BE: [Berlin] }, FR: { IF: [Paris] } }",
            NO_NOISE,
            "");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      List<String> towns = List.of("DE BY Ulm", "DE BY Ulm", "DE BE Berlin", "FR IF Paris");
      for (int i = 0; i < towns.size(); i++) {
        String[] path = towns.get(i).split(" ");
        send(
            pipeline,
            i,
            "north",
            "\"land\":\"%s\",\"region\":\"%s\",\"town\":\"%s\"".formatted((Object[]) path));
      }
      pipeline.tick(12);
      TableRelease north = whole(released(pipeline, "north"));
      assertThat(north.getTables()).hasSize(4);
      assertThat(counts(north.getTables().get(1)))
          .isEqualTo(Map.of(List.of("DE"), 3L, List.of("FR"), 1L));
      assertThat(counts(north.getTables().get(2)))
          .isEqualTo(
              Map.of(List.of("DE", "BY"), 2L, List.of("DE", "BE"), 1L, List.of("FR", "IF"), 1L));
      assertThat(counts(north.getTables().get(3)))
          .containsEntry(List.of("DE", "BY", "Ulm"), 2L)
          .containsEntry(List.of("DE", "BY", "Hof"), 0L);
      assertAgree(north);
    }
  }

  /** What lies within two nodes may have the same names in another order: no column holds both. */
  @Test
  void showsNoCellUnderAnotherOnesName() {
    String yaml =
        file("{ path: [land, town] }", "{ DE: [Ulm, Hof], FR: [Hof, Ulm] }", NO_NOISE, "");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      send(pipeline, 1, "north", "\"land\":\"DE\",\"town\":\"Ulm\"");
      send(pipeline, 2, "north", "\"land\":\"FR\",\"town\":\"Hof\"");
      pipeline.tick(12);
      TableRelease north = whole(released(pipeline, "north"));
      assertThat(Shown.text(north).lines().skip(1))
          .extracting(line -> line.strip().replaceAll(" +", " "))
          .containsExactly("land > town", "DE 1", "Ulm 1", "Hof 0", "FR 1", "Hof 1", "Ulm 0");
    }
  }

  /** A hundred times a hundred values, with noise: several records, and all sums agree. */
  @ParameterizedTest
  @ValueSource(strings = {"format: avro", "format: json"})
  void cutsLongTables(String format) {
    String values =
        IntStream.range(0, 100).mapToObj(i -> "v" + i).collect(Collectors.joining(", "));
    String yaml =
        FILE.formatted(
            format, "[a, b]", "{ a: [%s], b: [%s] }".formatted(values, values), "4", "", "4");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      for (int i = 0; i < 500; i++) {
        send(pipeline, i, "north", "\"a\":\"v%d\",\"b\":\"v%d\"".formatted(i % 7, i % 11));
      }
      pipeline.tick(12);
      List<TableRelease> parts = new ArrayList<>();
      for (var record : pipeline.records("tables")) {
        assertThat(record.value().length).isLessThanOrEqualTo(201_000);
        TableRelease part = (TableRelease) Outputs.decodeAny(record.value());
        if (part.getSubject().equals("north")) {
          parts.add(part);
        }
      }
      assertThat(parts).hasSizeGreaterThan(1);
      assertThat(parts)
          .extracting(TableRelease::getPart)
          .containsExactlyElementsOf(IntStream.range(0, parts.size()).boxed().toList());
      Set<String> ids = new HashSet<>();
      parts.forEach(part -> ids.add(part.getReleaseId()));
      assertThat(ids).hasSameSizeAs(parts);
      TableRelease north = whole(parts);
      assertThat(north.getTables())
          .extracting(table -> table.getRows().size())
          .containsExactly(1, 100, 100, 10_000);
      assertAgree(north);
      List<Drawing> drawings = Shown.card(north).drawings();
      assertThat(((Drawing.Grid) drawings.get(0)).cells())
          .as("what the page keeps of every subject")
          .hasSize(600);
      assertThat(drawings.subList(1, 3))
          .allMatch(bars -> ((Drawing.Bars) bars).bars().size() == 12);
    }
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> Fixture.plan(file("what", "[a, b]", "1", "")))
        .hasMessageContaining("only where 'input.category' is a list of fields");
    assertThatThrownBy(
            () ->
                Fixture.plan(file("[region, product, channel]", COLUMNS, "1", "columns: [town],")))
        .hasMessageContaining("found 'town', allowed is fields of 'input.category': region");
    assertThatThrownBy(
            () -> Fixture.plan(file("{ path: [a, b] }", "{ x: [y, z], w: [v] }", "1", "ways: 2,")))
        .hasMessageContaining("found with a path");
    String many = IntStream.range(0, 400).mapToObj(i -> "v" + i).collect(Collectors.joining(", "));
    String wide = "{ a: [%1$s], b: [%1$s] }".formatted(many);
    assertThatThrownBy(() -> Fixture.plan(file("[a, b]", wide, "1", "")))
        .hasMessageContaining("more than 100000 cells");
    assertThat(Fixture.plan(file("[a, b]", wide, "1", "ways: 1,")).releases()).hasSize(1);
    String named =
        IntStream.range(0, 2000)
            .mapToObj(i -> "v" + i + "x".repeat(110))
            .collect(Collectors.joining(", "));
    assertThatThrownBy(
            () ->
                Fixture.plan(
                    file("[a, b]", "{ a: [%1$s], b: [%1$s] }".formatted(named), "1", "ways: 1,")))
        .hasMessageContaining("a row of 'meta-store' may take")
        .hasMessageContaining("shorten 'input.categories', which takes");
    assertThatThrownBy(
            () ->
                Fixture.plan(
                    file(
                        "[a, b]",
                        "{ a: [x, " + "y".repeat(300) + "], b: [y, z] }",
                        "1",
                        "ways: 1,")))
        .hasMessageContaining("found a text that is no name");
  }
}
