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
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Closed forms of intervals, and what is refused. The Python module's tests count coverage. */
class CombineTest {
  private static final double SQRT_2 = Math.sqrt(2);

  private static final String HEAD =
      "subject,window_start,window_end,output,app,measure,value,low,high,deviation,noise,unknown,"
          + "clamped,left_out,version,released,noise_scope\n";

  @TempDir Path folder;

  private static double half(CombinedNoise.Part... parts) {
    return new CombinedNoise(List.of(parts)).halfWidth();
  }

  @Test
  void shouldAddGaussiansInSquares() {
    assertThat(half(new CombinedNoise.Part(1, 3, false, 1), new CombinedNoise.Part(2, 2, false, 1)))
        .isCloseTo(5 * CombinedNoise.NORMAL, within(1e-12));
  }

  /** Of two: P(|sum| > t) = (1 + t / 2) exp(-t). */
  @Test
  void shouldKnowTheSumOfTwoLaplaces() {
    double t = half(new CombinedNoise.Part(1, SQRT_2, true, 2));
    assertThat((1 + t / 2) * Math.exp(-t)).isCloseTo(0.05, within(1e-6));
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1, 10", "3, 4"})
  void shouldKnowTheSumOfTwoScales(double a, double b) {
    double t =
        half(
            new CombinedNoise.Part(a, SQRT_2, true, 1),
            new CombinedNoise.Part(1, b * SQRT_2, true, 1));
    double tail = (a * a * Math.exp(-t / a) - b * b * Math.exp(-t / b)) / (a * a - b * b);
    assertThat(tail).isCloseTo(0.05, within(1e-6));
  }

  /** Of Gaussians (x - r y)^2 = 1.96^2 (a^2 + r^2 b^2). */
  @Test
  void shouldSolveFiellersEquation() throws IOException {
    List<FileRow> rows =
        rows(
            "east,1,,count,400.0,,,30,discrete-gaussian,row",
            "east,2,,count,900.0,,,50,discrete-gaussian,row");
    Combined ratio = Ratio.of(rows.subList(0, 1), rows.subList(1, 2));
    for (Number end : List.of(ratio.low(), ratio.high())) {
      double r = end.doubleValue();
      assertThat(Math.abs(400 - r * 900))
          .isCloseTo(CombinedNoise.NORMAL * Math.hypot(30, r * 50), within(1e-6));
    }
    assertThat(ratio.value()).isEqualTo(400 / 900.0);
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
            + ";counts different users",
        "east,1,,count,9,7,11,,discrete-laplace,row;east,2,,sum of a,9,7,11,,discrete-laplace,row"
            + ";measure different things",
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

  @Test
  void shouldRefuseARatioOfWhatMayBeNothing() throws IOException {
    List<FileRow> rows =
        rows(
            "east,1,,count,9,7,11,,discrete-laplace,row",
            "east,2,,count,3,-2,8,,discrete-laplace,row");
    assertThatThrownBy(() -> Ratio.of(rows.subList(0, 1), rows.subList(1, 2)))
        .hasMessageContaining("may be 0, so the ratio is unknown: add up more windows");
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
    assertThat(first.marks()).isEqualTo(new FileRow.Marks(false, true, OptionalDouble.of(0.25)));
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
