// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.Group;
import io.sfumato.rows.Measure;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Stretch;
import io.sfumato.serde.RowText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Closed forms of intervals, and what is refused. {@link CombinedCoverageTest} has the coverage.
 */
class CombineTest {
  private static final double SQRT_2 = Math.sqrt(2);

  private static final String HEAD =
      "subject,window_start,window_end,output,app,measure,value,low,high,deviation,noise,unknown,"
          + "clamped,left_out,version,released,noise_scope\n";

  @TempDir Path folder;

  private static double half(NoisePart... parts) {
    return new CombinedNoise(List.of(parts), CombinedNoise.SUM).halfWidth();
  }

  private static NoisePart gaussian(double deviation) {
    return new StatedNoise(deviation, StatedNoise.Law.GAUSSIAN, 0).times(1, 1);
  }

  private static NoisePart laplace(double scale, long times) {
    return new StatedNoise(scale * SQRT_2, StatedNoise.Law.LAPLACE, 0).times(1, times);
  }

  @Test
  void shouldAddGaussiansInSquares() {
    assertThat(half(gaussian(3), gaussian(4))).isCloseTo(5 * CombinedNoise.NORMAL, within(1e-12));
  }

  /** Of two: P(|sum| > t) = (1 + t / 2) exp(-t). */
  @Test
  void shouldKnowTheSumOfTwoLaplaces() {
    double t = half(laplace(1, 2));
    assertThat((1 + t / 2) * Math.exp(-t)).isCloseTo(0.05, within(1e-6));
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1, 10", "3, 4"})
  void shouldKnowTheSumOfTwoScales(double a, double b) {
    double t = half(laplace(a, 1), laplace(b, 1));
    double tail = (a * a * Math.exp(-t / a) - b * b * Math.exp(-t / b)) / (a * a - b * b);
    assertThat(tail).isCloseTo(0.05, within(1e-6));
  }

  /** Of Gaussians (x - r y)^2 = 1.96^2 (a^2 + r^2 b^2). */
  @Test
  void shouldSolveFiellersEquation() throws IOException {
    List<FileRow> rows =
        rows(
            "east,1,,count,400.5,,,30,discrete-gaussian,row",
            "east,2,,count,900.5,,,50,discrete-gaussian,row");
    Combined ratio = Ratio.of(rows.subList(0, 1), rows.subList(1, 2));
    for (Number end : List.of(ratio.low(), ratio.high())) {
      double r = end.doubleValue();
      assertThat(Math.abs(400.5 - r * 900.5))
          .isCloseTo(CombinedNoise.NORMAL * Math.hypot(30, r * 50), within(1e-6));
    }
    assertThat(ratio.value()).isEqualTo(400.5 / 900.5);
  }

  @Test
  void shouldRoundWholeSumsOutwards() throws IOException {
    Combined sum =
        WeightedSum.sum(
            rows(
                "east,1,,count,10,5,15,2.5,discrete-gaussian,row",
                "east,2,,count,20,15,25,2.5,discrete-gaussian,row"));
    assertThat(sum.value()).isEqualTo(30L);
    assertThat(sum.low()).isEqualTo(23L);
    assertThat(sum.high()).isEqualTo(37L);
  }

  /** A half width of 0 does not mean that there is no noise: up to 5 in 100 numbers are off. */
  @Test
  void shouldNotTakeRoundedHalfWidthsForExact() throws IOException {
    Combined sum =
        WeightedSum.sum(
            rows(
                "east,1,,count,10,10,10,,discrete-laplace,row",
                "east,2,,count,20,20,20,,discrete-laplace,row"));
    assertThat(sum.low()).isEqualTo(29L);
  }

  @Test
  void shouldKeepTheIntervalOfOneRow() throws IOException {
    Combined sum = WeightedSum.sum(rows("east,1,,count,10,5,15,2.5,discrete-laplace,row"));
    assertThat(List.of(sum.value(), sum.low(), sum.high())).containsExactly(10L, 5L, 15L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "east,1,,running count,9,7,11,,discrete-laplace,series"
            + ";east,2,,running count,9,7,11,,discrete-laplace,series"
            + ";share draws, as sums over windows do: take the last",
        "east,1,web,count,9,7,11,,discrete-gaussian,window"
            + ";east,1,phone,count,9,7,11,,discrete-gaussian,window"
            + ";share draws: take the row of their total",
        "east,1,,count,9,7,11,,discrete-laplace,row;east,1,,count,9,7,11,,discrete-laplace,row"
            + ";is there twice",
        "east,1,,users,9,7,11,,discrete-laplace,row;east,2,,users,9,7,11,,discrete-laplace,row"
            + ";counts distinct users",
        "east,1,,count,9,7,11,,discrete-laplace,row;east,2,,sum of a,9,7,11,,discrete-laplace,row"
            + ";have the measures count, 'sum of a': select one",
        "east,1,,mean of a,9,7,11,,discrete-laplace,group"
            + ";east,2,,mean of a,9,7,11,,discrete-laplace,group;take pooled-mean",
        "east,1,,count,9,2,11,,discrete-laplace,row;east,2,,count,9,7,11,,discrete-laplace,row"
            + ";not symmetric",
        "east,1,,count,9,,,,dirichlet,row;east,2,,count,9,,,,dirichlet,row"
            + ";neither interval nor deviation"
      })
  void shouldRefuseSumsWithoutAValidInterval(String both) throws IOException {
    String[] parts = both.split(";");
    List<FileRow> rows = rows(parts[0], parts[1]);
    assertThatThrownBy(() -> WeightedSum.sum(rows))
        .isInstanceOf(InvalidCombinationException.class)
        .hasMessageContaining(parts[2]);
  }

  /** Ends may be limits of what is possible: the truth of both rows may lie there every time. */
  @Test
  void shouldAddUpDistancesOfNumbersWithIntervalsAlone() throws IOException {
    List<FileRow> rows =
        rows(
            "even,1,,mean of a,97.5,80,100,,discrete-laplace,group",
            "odd,1,,mean of a,3.5,0,21,,discrete-laplace,group");
    Combined apart = WeightedSum.difference(rows.subList(0, 1), rows.subList(1, 2));
    assertThat(List.of(apart.value(), apart.low(), apart.high()))
        .containsExactly(94.0, 59.0, 100.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "t", "TRUE"})
  void shouldKnowUnknownRowsHoweverADatabaseWritesThem(String mark) throws IOException {
    Path file = folder.resolve("database.csv");
    String row = line("east,1,,count,9,7,11,2,discrete-laplace,row");
    Files.writeString(file, HEAD + row.replaceFirst("false", mark));
    List<FileRow> rows = ExportedRows.read(file);
    assertThatThrownBy(() -> WeightedSum.sum(rows)).hasMessageContaining("is unknown");
  }

  @Test
  void shouldRefuseRowsOfSeveralVersionsOrOutputs() throws IOException {
    String row = "east,1,,count,9,7,11,2,discrete-laplace,row";
    List<FileRow> both = rows(row, row.replace(",9,7,11,", ",8,6,10,"));
    assertThatThrownBy(() -> WeightedSum.sum(both)).hasMessageContaining("is there twice");
    Path file = folder.resolve("versions.csv");
    Files.writeString(file, HEAD + line(row) + line(row).replace(",,1,2026", ",,2,2026"));
    List<FileRow> versions = ExportedRows.read(file);
    assertThatThrownBy(() -> WeightedSum.sum(versions))
        .hasMessageContaining("in versions 1 and 2 of the file: select one with --where version=2");
    assertThatThrownBy(() -> Ratio.of(versions.subList(0, 1), versions))
        .hasMessageContaining("in versions 1 and 2");
    Files.writeString(
        file, HEAD + line(row) + line(row.replace("east,1", "east,2")).replace("orders", "visits"));
    List<FileRow> outputs = ExportedRows.read(file);
    assertThatThrownBy(() -> WeightedSum.sum(outputs))
        .hasMessageContaining("outputs orders, visits, which may count the same records");
  }

  @Test
  void shouldAddUpPublicFactsExactlyButNotBesideNoise() throws IOException {
    List<FileRow> rows =
        rows(
            "east,1,,records,9,,,,,",
            "east,2,,records,8,,,,,",
            "east,3,,records,7.5,6.5,8.5,0.5,discrete-gaussian,window");
    Combined sum = WeightedSum.sum(rows.subList(0, 2));
    assertThat(List.of(sum.value(), sum.low(), sum.high())).containsExactly(17L, 17L, 17L);
    assertThatThrownBy(() -> WeightedSum.sum(rows))
        .hasMessageContaining("orders east records at 2026-11-01T00:00:00Z is a public fact, and");
  }

  @Test
  void shouldRefuseTotalsBesideTheirCategories() throws IOException {
    List<FileRow> rows =
        rows(
            "east,1,web,count,30,25,35,2.5,discrete-laplace,row",
            "east,2,,count,90,85,95,2.5,discrete-laplace,row");
    assertThatThrownBy(() -> WeightedSum.sum(rows))
        .hasMessageContaining("have different category columns");
    assertThat(Ratio.of(rows.subList(0, 1), rows.subList(1, 2)).value()).isEqualTo(30 / 90.0);
  }

  /** A rounded difference of numbers without noise is beyond every interval. */
  @Test
  void shouldTakeTheInnerEndWhereNothingIsWithin() {
    assertThat(Root.between(x -> 0.05, 2, 5)).isEqualTo(2);
    assertThat(Root.between(x -> x - 3, 2, 5)).isCloseTo(3, within(1e-9));
  }

  /** Of Gaussians: the noise of a row of both sides has the weight 1 - r. */
  @Test
  void shouldWeighTheSharedRowsOfAShareOnce() throws IOException {
    List<FileRow> rows =
        rows(
            "east,1,web,count,400.5,,,30,discrete-gaussian,row",
            "east,1,phone,count,500.5,,,50,discrete-gaussian,row");
    Combined share = Ratio.of(rows.subList(0, 1), rows);
    for (Number end : List.of(share.low(), share.high())) {
      double r = end.doubleValue();
      assertThat(Math.abs(400.5 - r * 901))
          .isCloseTo(CombinedNoise.NORMAL * Math.hypot((1 - r) * 30, r * 50), within(1e-6));
    }
  }

  @Test
  void shouldRefuseColumnsAndTextsThatNoRowHas() throws IOException {
    List<FileRow> rows =
        rows(
            "east,1,web,count,30,25,35,2.5,discrete-laplace,row",
            "west,1,phone,count,90,85,95,2.5,discrete-laplace,row");
    assertThat(RowSelection.where(rows, Map.of("app", Set.of("web"), "version", Set.of("1"))))
        .containsExactly(rows.get(0));
    assertThatThrownBy(() -> RowSelection.where(rows, Map.of("ap", Set.of("web"))))
        .hasMessageStartingWith("no column ap. Did you mean app? The columns are subject, window_");
    assertThatThrownBy(() -> RowSelection.where(rows, Map.of("subject", Set.of("east", "wset"))))
        .hasMessage(
            "no row has wset in the column subject. Did you mean west? The values are east, west");
  }

  @Test
  void shouldRefuseARatioOfWhatMayBeNothing() throws IOException {
    List<FileRow> rows =
        rows(
            "east,1,,count,9,7,11,,discrete-laplace,row",
            "east,2,,count,3,-2,8,,discrete-laplace,row");
    assertThatThrownBy(() -> Ratio.of(rows.subList(0, 1), rows.subList(1, 2)))
        .hasMessageContaining("contains 0, so the ratio is unknown: add up more windows");
  }

  @Test
  void shouldSayWhichFilesItReads() throws IOException {
    Path other = Files.writeString(folder.resolve("rows.txt"), "");
    assertThatThrownBy(() -> ExportedRows.read(other))
        .hasMessageContaining("ending in .csv or .jsonl");
    Path foreign = Files.writeString(folder.resolve("rows.csv"), "subject,value\neast,3\n");
    assertThatThrownBy(() -> ExportedRows.read(foreign))
        .hasMessageContaining("no column clamped")
        .hasMessageContaining("sfumato export");
    Path broken =
        Files.writeString(
            folder.resolve("broken.csv"),
            HEAD + line("east,1,,count,nine,7,11,,discrete-laplace,row"));
    assertThatThrownBy(() -> ExportedRows.read(broken)).hasMessageContaining("line 2 has a number");
  }

  /** Both forms of one row, by the exporter's own writer. */
  @Test
  void shouldReadWhatIsExported() throws IOException {
    OutputHead head =
        new OutputHead(
            "-a \"b\", c",
            Instant.parse("2026-11-01T00:00:00Z"),
            Instant.parse("2026-11-02T00:00:00Z"),
            "orders",
            OptionalDouble.of(0.25),
            3,
            "discrete-gaussian add-or-remove-2 sigma^2=143817/2^10");
    OutputRow drawn =
        new OutputRow(
            head,
            Stretch.own(head.windowStart()),
            Group.category("=web"),
            Measure.of("count"),
            Quantity.around(-12L, 28L).withDeviation(11.5).asClamped(),
            true,
            NoiseScope.ROW);
    OutputRow fact =
        new OutputRow(
            head,
            Stretch.own(head.windowStart()),
            Group.ALL,
            Measure.of("records"),
            Quantity.of(40L),
            false,
            NoiseScope.ROW);
    CategoryColumns columns = CategoryColumns.of(List.of(Group.CATEGORY));
    StringBuilder csv = new StringBuilder(RowText.csvHead(columns)).append('\n');
    StringBuilder json = new StringBuilder();
    for (OutputRow row : List.of(drawn, fact)) {
      PublishedRow published = new PublishedRow(row, Instant.parse("2026-11-02T02:00:00Z"));
      csv.append(RowText.csv(published, columns)).append('\n');
      json.append(RowText.json(published, columns)).append('\n');
    }
    List<FileRow> rows = ExportedRows.read(Files.writeString(folder.resolve("rows.csv"), csv));
    assertThat(rows)
        .isEqualTo(ExportedRows.read(Files.writeString(folder.resolve("rows.jsonl"), json)));
    FileRow first = rows.get(0);
    assertThat(first.cell("subject")).isEqualTo(head.subject());
    assertThat(first.cell("category")).isEqualTo("=web");
    assertThat(first.value()).isEqualTo(-12L);
    assertThat(first.ends()).contains(new FileRow.Ends(-40L, 16L));
    assertThat(first.deviation()).hasValue(11.5);
    assertThat(first.marks())
        .isEqualTo(new FileRow.Marks(false, true, OptionalDouble.of(0.25), first.marks().cells()));
    assertThat(first.noise()).isEqualTo("discrete-gaussian");
    assertThat(first.scope()).contains(NoiseScope.ROW);
    assertThat(rows.get(1).isExact()).isTrue();
  }

  private List<FileRow> rows(String... lines) throws IOException {
    StringBuilder text = new StringBuilder(HEAD);
    for (String line : lines) {
      text.append(line(line));
    }
    return ExportedRows.read(Files.writeString(folder.resolve("rows.csv"), text));
  }

  /** Of subject, day, app, measure, value, low, high, deviation, noise and scope. */
  private static String line(String line) {
    String[] cells = line.split(",", -1);
    int day = Integer.parseInt(cells[1]);
    return "%s,2026-11-%02dT00:00:00Z,2026-11-%02dT00:00:00Z,orders,%s,%s,%s,%s,%s,%s,%s,false,false,,1,2026-12-01T00:00:00Z,%s%n"
        .formatted(
            cells[0], day, day + 1, cells[2], cells[3], cells[4], cells[5], cells[6], cells[7],
            cells[8], cells[9]);
  }
}
