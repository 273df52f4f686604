// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.OutputView;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.Interval;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.RowColumn;
import io.sfumato.rows.Stretch;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Guarantee;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.HistoryCountRelease;
import io.sfumato.serde.RowDecoder;
import io.sfumato.serde.RowEncoder;
import io.sfumato.serde.RowText;
import io.sfumato.serde.SchemaSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.api.Test;

/** Rows in files and topics state what records state, of every kind. */
class PublishedRowsTest {
  private static final Instant RELEASED = Instant.parse("2026-11-03T00:05:06Z");
  private static final ObjectMapper JSON = new ObjectMapper();

  private static List<PublishedRow> rows(OutputView view, IndexedRecord output) {
    return PublishedRow.of(view.rows(output, Optional.empty()), RELEASED);
  }

  private static CategoryColumns categories(List<PublishedRow> rows) {
    CategoryColumns columns = new CategoryColumns();
    rows.forEach(columns::addAll);
    return columns;
  }

  private static Object field(IndexedRecord output, String name) {
    return output.get(output.getSchema().getField(name).pos());
  }

  /** Cells of CSV as RFC 4180 has them, without marks of text. */
  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean isQuoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        cell.append(line.charAt(++i));
      } else if (c == '"') {
        isQuoted = !isQuoted;
      } else if (c == ',' && !isQuoted) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else {
        cell.append(c);
      }
    }
    cells.add(cell.toString());
    return cells;
  }

  private static Map<String, String> parsed(String line, CategoryColumns categories) {
    List<String> names = RowText.names(categories);
    List<String> cells = cells(line);
    assertThat(cells).hasSameSizeAs(names);
    Map<String, String> parsed = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      String cell = cells.get(i);
      parsed.put(names.get(i), cell.startsWith("'") ? cell.substring(1) : cell);
    }
    return parsed;
  }

  private static Number exact(String text, Number like) {
    return like instanceof Long ? (Number) Long.valueOf(text) : Double.valueOf(text);
  }

  private static void checkNumber(String found, Optional<Number> expected) {
    if (expected.isEmpty()) {
      assertThat(found).isEmpty();
    } else {
      assertThat(exact(found, expected.get())).isEqualTo(expected.get());
    }
  }

  @Property
  void shouldStateInCsvWhatTheRecordStates(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      IndexedRecord output = new RandomOutputs(seed).of(view.schema());
      List<PublishedRow> rows = rows(view, output);
      CategoryColumns categories = categories(rows);
      for (PublishedRow published : rows) {
        Map<String, String> cells = parsed(RowText.csv(published, categories), categories);
        OutputRow row = published.row();
        assertThat(cells)
            .containsEntry("subject", (String) field(output, "subject"))
            .containsEntry("window_start", field(output, "window_start").toString())
            .containsEntry("window_end", field(output, "window_end").toString())
            .containsEntry("output", (String) field(output, "output"))
            .containsEntry("released", "2026-11-03T00:05:06Z")
            .containsEntry("version", "1")
            .containsEntry("unknown", Boolean.toString(row.quantity().unknown()))
            .containsEntry("clamped", Boolean.toString(row.quantity().clamped()));
        checkNumber(cells.get("value"), Optional.of(row.quantity().value()));
        checkNumber(cells.get("low"), row.quantity().interval().map(Interval::low));
        checkNumber(cells.get("high"), row.quantity().interval().map(Interval::high));
        assertThat(cells.get("measure"))
            .contains(row.measure().name())
            .endsWith(row.measure().of());
        assertThat(categories.names().stream().map(cells::get).toList())
            .containsAll(row.group().values());
      }
    }
  }

  @Property
  void shouldStateInJsonWhatCsvStates(@ForAll long seed) throws IOException {
    for (OutputView view : Releases.outputs()) {
      List<PublishedRow> rows = rows(view, new RandomOutputs(seed).of(view.schema()));
      CategoryColumns categories = categories(rows);
      for (PublishedRow row : rows) {
        JsonNode json = JSON.readTree(RowText.json(row, categories));
        Map<String, String> fields = new LinkedHashMap<>();
        json.properties()
            .forEach(
                field ->
                    fields.put(
                        field.getKey(),
                        field.getValue().isNull() ? "" : field.getValue().asText()));
        Map<String, String> cells = parsed(RowText.csv(row, categories), categories);
        assertThat(List.copyOf(fields.keySet())).isEqualTo(List.copyOf(cells.keySet()));
        assertThat(fields).isEqualTo(cells);
      }
    }
  }

  @Property
  void shouldWriteNoTextThatASpreadsheetTakesForAFormula(@ForAll long seed) {
    for (String text : List.of("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "'x", "x")) {
      CountRelease counts = counts(seed, List.of(text));
      CategoryColumns categories = CategoryColumns.of(List.of("category"));
      for (PublishedRow row : rows(Releases.viewOf(counts).orElseThrow(), counts)) {
        String line = RowText.csv(row, categories);
        int category = RowText.names(categories).indexOf("category");
        String raw = cells(line).get(category);
        assertThat(raw).doesNotMatch("(?s)[=+@\t\r-].*");
        if (!raw.isEmpty()) {
          assertThat(parsed(line, categories)).containsEntry("category", text);
        }
      }
    }
  }

  private static CountRelease counts(long seed, List<String> names) {
    CountRelease counts = (CountRelease) new RandomOutputs(seed).of(CountRelease.getClassSchema());
    counts.setCategories(names);
    counts.setCounts(names.stream().map(name -> -7L).toList());
    counts.setLastCounts(null);
    return counts;
  }

  @Property
  void shouldGiveEachRowAKeyWithoutEmptyParts(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      List<PublishedRow> rows = rows(view, new RandomOutputs(seed).of(view.schema()));
      CategoryColumns categories = categories(rows);
      assertThat(rows.stream().map(row -> List.of(categories.of(row), row.measure())))
          .doesNotHaveDuplicates();
      for (RowColumn column : RowColumn.values()) {
        if (column.emptyFor().isEmpty()) {
          assertThat(rows).allMatch(row -> column.of(row).isPresent());
        }
      }
    }
  }

  @Property
  void shouldMarkSumsOverWindowsAndSayWhatTheyCover(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      List<PublishedRow> rows = rows(view, new RandomOutputs(seed).of(view.schema()));
      Map<String, Number> facts =
          rows.stream()
              .filter(row -> row.noise().isEmpty() && row.row().group().isAll())
              .collect(
                  Collectors.toMap(PublishedRow::measure, row -> row.row().quantity().value()));
      for (PublishedRow row : rows) {
        Stretch about = row.row().about();
        if (about.kind() == Stretch.Kind.OWN) {
          assertThat(row.measure()).doesNotStartWith("running ").doesNotStartWith("last ");
          continue;
        }
        String mark = about.kind() == Stretch.Kind.RUNNING ? "running " : "last ";
        assertThat(row.measure()).startsWith(mark);
        assertThat(facts).containsEntry(mark + "since", about.since().getEpochSecond());
        if (about.windows() > 0) {
          assertThat(facts).containsEntry(mark + "windows", about.windows());
        }
        if (row.row().drawn()) {
          assertThat(row.row().scope().keys()).doesNotContain(NoiseScope.Key.WINDOW);
        }
      }
    }
  }

  @Test
  void shouldSayHowFarNoiseIsShared() {
    CountRelease counts = counts(1, List.of("tea", "coffee"));
    counts.setSince(counts.getWindowStart());
    counts.setWindows(null);
    counts.setGuarantee(
        Guarantees.any().setMechanism("discrete-laplace add-or-remove-4 1/b=260427/2^20").build());
    assertThat(drawn(counts)).extracting(PublishedRow::noiseScope).containsOnly("row");
    assertThat(drawn(counts)).extracting(PublishedRow::noise).containsOnly("discrete-laplace");
    counts.setWindows(3L);
    assertThat(drawn(counts)).extracting(PublishedRow::noiseScope).containsOnly("series");
    assertThat(drawn(counts))
        .allMatch(row -> RowColumn.DEVIATION.of(row).isEmpty(), "no deviation of one window");
    counts.setWindows(null);
    counts.setGuarantee(
        Guarantees.any()
            .setMechanism("discrete-laplace 1/b=1048576/2^20 + discrete-gaussian sigma^2=9216/2^10")
            .build());
    assertThat(drawn(counts)).extracting(PublishedRow::noiseScope).containsOnly("pipeline");
    assertThat(drawn(counts))
        .extracting(PublishedRow::noise)
        .containsOnly("discrete-laplace + discrete-gaussian");
    // Var of a discrete Laplace of scale 1: 2 p / (1 - p)^2 with p = 1 / e.
    double p = Math.exp(-1);
    assertThat((double) RowColumn.DEVIATION.of(drawn(counts).get(0)).orElseThrow())
        .isCloseTo(
            Math.sqrt(9 + 2 * p / ((1 - p) * (1 - p))),
            org.assertj.core.api.Assertions.within(1e-12));
  }

  /** Users do not add up over windows as records do, so their rows say what they are. */
  @Test
  void shouldSayWhetherUsersAreCounted() {
    CountRelease counts = counts(1, List.of("tea", "coffee"));
    counts.setSince(counts.getWindowStart());
    counts.setWindows(null);
    HistoryCountRelease history =
        (HistoryCountRelease) new RandomOutputs(2).of(HistoryCountRelease.getClassSchema());
    for (String unit :
        List.of("user-in-1-cell", "user-in-6-cells", "user-in-9-counts-of-2-windows")) {
      Guarantee ofUsers =
          Guarantees.any()
              .setMechanism("discrete-laplace add-or-remove-" + unit + " 1/b=260427/2^20")
              .build();
      counts.setGuarantee(ofUsers);
      history.setGuarantee(ofUsers);
      assertThat(drawn(counts)).extracting(PublishedRow::measure).containsOnly("users");
      assertThat(drawn(counts)).allMatch(row -> RowColumn.DEVIATION.of(row).isPresent());
      assertThat(drawn(history))
          .extracting(PublishedRow::measure)
          .containsOnly("estimated users", "noisy users");
    }
    counts.setWindows(3L);
    assertThat(drawn(counts)).extracting(PublishedRow::measure).containsOnly("running users");
    counts.setGuarantee(
        Guarantees.any().setMechanism("discrete-laplace add-or-remove-4 1/b=260427/2^20").build());
    assertThat(drawn(counts)).extracting(PublishedRow::measure).containsOnly("running count");
  }

  private static List<PublishedRow> drawn(IndexedRecord counts) {
    return rows(Releases.viewOf(counts).orElseThrow(), counts).stream()
        .filter(row -> row.row().drawn())
        .toList();
  }

  @Test
  void shouldGiveFieldsColumnsOfTheirOwn() {
    CategoryColumns columns =
        CategoryColumns.of(
            List.of("kind", "value", "category_value", "Kind", "", "category", "NOISE"));
    assertThat(columns.names())
        .containsExactly(
            "kind",
            "category_value",
            "category_category_value",
            "Kind_2",
            "category_",
            "category",
            "category_NOISE");
    assertThat(RowText.names(columns).stream().map(String::toLowerCase)).doesNotHaveDuplicates();
  }

  @Test
  void shouldKeepTheColumnsThatClientsRely() {
    assertThat(RowText.csvHead(CategoryColumns.of(List.of("kind", "region"))))
        .isEqualTo(
            "subject,window_start,window_end,output,kind,region,measure,value,low,high,deviation,"
                + "noise,unknown,clamped,left_out,version,released,noise_scope");
    assertThat(Stream.of(NoiseScope.values()).map(NoiseScope::word))
        .containsExactly("row", "group", "series", "window", "output", "pipeline");
  }

  @Property
  void shouldReadRowsOfTheirTopicAsTheyWere(@ForAll long seed) {
    for (OutputView view : Releases.outputs()) {
      List<PublishedRow> rows = rows(view, new RandomOutputs(seed).of(view.schema()));
      CategoryColumns categories = categories(rows);
      RowEncoder encoder =
          RowEncoder.json(
              rows.stream()
                  .flatMap(row -> row.row().group().fields().stream())
                  .distinct()
                  .toList());
      for (PublishedRow row : rows) {
        PublishedRow read = RowDecoder.row(encoder.value(row), SchemaSource.none()).orElseThrow();
        CategoryColumns own = CategoryColumns.of(read.row().group().fields());
        assertThat(own.names()).hasSameSizeAs(categories.names());
        assertThat(RowText.csv(read, own)).isEqualTo(RowText.csv(row, categories));
      }
    }
  }

  @Test
  void shouldTakeNothingElseForARow() {
    for (String foreign :
        List.of("", "{}", "null", "[1]", "{\"schema\":{},\"payload\":{}}", "no")) {
      assertThat(RowDecoder.row(foreign.getBytes(StandardCharsets.UTF_8), SchemaSource.none()))
          .isEmpty();
    }
  }
}
