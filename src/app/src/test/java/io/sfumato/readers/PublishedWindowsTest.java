// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sfumato.readers.OutputWindows.LineChoice;
import io.sfumato.release.Shown;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.Quantity;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import io.sfumato.schema.TopName;
import io.sfumato.schema.TopRelease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PublishedWindowsTest {
  private static final List<String> TWO = List.of("a", "b");

  private static PublishedWindows windows(long bytes) {
    return new PublishedWindows(List.of(Released.OUTPUT, "other"), bytes);
  }

  private static PublishedWindows windows() {
    return windows(PublishedWindows.MOST_BYTES);
  }

  private static List<OutputRow> rows(PublishedWindows windows) {
    return windows
        .read(
            Released.OUTPUT,
            output -> {
              List<OutputRow> rows = new ArrayList<>();
              Set<Integer> all =
                  Set.copyOf(output.choices(0).stream().map(LineChoice::number).toList());
              output.points(output.windows(), 0, all, (line, row, released) -> rows.add(row));
              return rows;
            })
        .orElseThrow();
  }

  @Test
  void shouldKeepNumbersExactlyAsTheyWerePublished() {
    PublishedWindows windows = windows();
    // A double has no room for the last digit.
    long large = (1L << 53) + 1;
    Released.add(windows, Released.counts("p", "north", 0, TWO, large, -3), 0);
    assertThat(rows(windows))
        .extracting(row -> row.quantity().value(), row -> row.quantity().interval())
        .containsExactly(
            tuple(Quantity.around(large, 4).value(), Quantity.around(large, 4).interval()),
            tuple(Quantity.around(-3, 4).value(), Quantity.around(-3, 4).interval()));
    assertThat(rows(windows))
        .extracting(row -> row.group().values())
        .containsExactly(List.of("a"), List.of("b"));
  }

  @Test
  void shouldKeepMarksAndRealNumbers() {
    MeanRelease mean = new MeanRelease();
    mean.setOutput(Released.OUTPUT);
    mean.setDeviation(2.5);
    Estimate unknown = new Estimate(0.1 + 0.2, 0.0, 10.0, true, true);
    Estimate known = new Estimate(5.0, 4.0, 6.0, false, false);
    mean.setRows(
        List.of(
            MeanRow.newBuilder()
                .setValue("minutes")
                .setCategory("a")
                .setLowest(0)
                .setHighest(10)
                .setMean(unknown)
                .setVariance(null)
                .setSpread(null)
                .setSum(known)
                .setCount(known)
                .setParts(List.of(1.0, 2.0))
                .build()));
    PublishedWindows windows = windows();
    assertThat(Released.add(windows, Shown.headed(mean), 0)).isTrue();
    assertThat(rows(windows)).extracting(OutputRow::quantity).containsExactly(Quantity.of(unknown));
    assertThat(windows.read(Released.OUTPUT, OutputWindows::measures).orElseThrow())
        .as("what people read, without the parts it is made of")
        .extracting(ChartMeasure::words)
        .containsExactly("mean of minutes", "sum of minutes", "count of minutes");
  }

  private static List<String> measures(PublishedWindows windows) {
    return windows
        .read(
            Released.OUTPUT, output -> output.measures().stream().map(ChartMeasure::words).toList())
        .orElseThrow();
  }

  @Test
  void shouldTellRunningCountsAndThoseOfTheLastWindowsApart() {
    CountRelease running = Released.counts("p", "north", 9, TWO, 100, 200);
    running.setSince(Released.BEGIN);
    running.setWindows(10L);
    running.setLastSince(Released.BEGIN.plusSeconds(7 * 86_400));
    running.setLastWindows(3L);
    running.setLastCounts(List.of(30L, 60L));
    running.setLastError95(2L);
    PublishedWindows windows = windows();
    Released.add(windows, running, 9);
    assertThat(measures(windows)).containsExactly("running count", "last count");
    assertThat(rows(windows)).extracting(row -> row.quantity().value()).containsExactly(100L, 200L);
  }

  @Test
  void shouldShowCountsOfListsOfNamesWithoutRanksAndMarks() {
    TopRelease top = new TopRelease();
    top.setOutput(Released.OUTPUT);
    top.setSince(Instant.EPOCH);
    top.setNames(2L);
    top.setRows(
        List.of(
            new TopName(1, "tea", 80L, 40L, 100L, true),
            new TopName(2, "rum", 20L, 15L, 25L, false)));
    PublishedWindows windows = windows();
    Released.add(windows, Shown.headed(top), 0);
    assertThat(measures(windows)).containsExactly("count");
    assertThat(rows(windows))
        .extracting(row -> row.group().values())
        .containsExactly(List.of("tea"), List.of("rum"));
  }

  @Test
  void shouldListTheLargestAverageFirst() {
    PublishedWindows windows = windows();
    Released.add(windows, Released.counts("p", "north", 0, List.of("a", "b", "c"), 1, 5, 2), 0);
    Released.add(windows, Released.counts("p", "north", 1, List.of("a", "b", "c"), 2, 6, 9), 1);
    Released.add(windows, Released.counts("p", "north", 2, TWO, 9, 1), 2);
    assertThat(windows.read(Released.OUTPUT, output -> output.choices(0)).orElseThrow())
        .as("the newest windows alone would put a before b")
        .extracting(
            choice -> choice.line().group().values().get(0),
            LineChoice::average,
            LineChoice::windows)
        .containsExactly(tuple("c", 5.5, 2), tuple("a", 4.0, 3), tuple("b", 4.0, 3));
  }

  @Test
  void shouldTakeTheLaterOfTwoReleasesOfOneWindow() {
    PublishedWindows windows = windows();
    Released.add(windows, Released.counts("p", "north", 0, TWO, 1, 2), 0);
    long before = windows.bytes();
    Released.add(windows, Released.counts("p", "north", 0, TWO, 3, 4), 0);
    assertThat(rows(windows)).extracting(row -> row.quantity().value()).containsExactly(3L, 4L);
    assertThat(windows.bytes()).isEqualTo(before);
  }

  @Test
  void shouldTakeReleasesOfItsOutputsAlone() {
    PublishedWindows windows = windows();
    CountRelease foreign = Released.counts("p", "north", 0, TWO, 1, 2);
    foreign.setOutput("unknown");
    assertThat(Released.add(windows, foreign, 0)).isFalse();
    assertThat(windows.changes()).isZero();
  }

  @Test
  void shouldDropTheOldestWindowsWhereMemoryIsShort() {
    long most = 100_000;
    PublishedWindows windows = windows(most);
    List<String> names = IntStream.range(0, 100).mapToObj(i -> "name " + i).toList();
    for (int day = 0; day < 200; day++) {
      long[] counts = LongStream.range(0, 100).toArray();
      Released.add(windows, Released.counts("p", "north", day, names, counts), day);
      assertThat(windows.bytes()).isLessThanOrEqualTo(most);
    }
    long newest = Released.BEGIN.toEpochMilli() + 199 * 86_400_000L;
    OutputWindows output = windows.read(Released.OUTPUT, kept -> kept).orElseThrow();
    assertThat(output.windows()).hasSizeBetween(10, 30).endsWith(newest);
    assertThat(output.droppedThrough().orElseThrow())
        .isEqualTo(output.windows().get(0) - 86_400_000L);
  }

  @Test
  void shouldForgetNamesThatNoWindowHas() {
    PublishedWindows windows = windows(100_000);
    for (int day = 0; day < 2_000; day++) {
      List<String> once = List.of("only on day " + day);
      Released.add(windows, Released.counts("p", "north", day, once, 7), day);
    }
    OutputWindows output = windows.read(Released.OUTPUT, kept -> kept).orElseThrow();
    assertThat(output.lines()).isEqualTo(output.windows().size());
    assertThat(windows.bytes()).isLessThanOrEqualTo(100_000);
  }

  @Test
  void shouldKeepTheLargestNumbersOfAVeryLongRelease() {
    int all = OutputWindows.MOST_ROWS + 5;
    List<String> names = IntStream.range(0, all).mapToObj(i -> "name " + i).toList();
    PublishedWindows windows = windows();
    Released.add(
        windows, Released.counts("p", "north", 0, names, LongStream.range(0, all).toArray()), 0);
    OutputWindows output = windows.read(Released.OUTPUT, kept -> kept).orElseThrow();
    assertThat(output.left()).isEqualTo(5);
    assertThat(output.choices(0)).hasSize(OutputWindows.MOST_ROWS);
    assertThat(output.choices(0).get(0).line().group().values())
        .containsExactly("name " + (all - 1));
  }

  @Test
  void shouldDropWhatDoesNotFitAtAll() {
    List<String> names = IntStream.range(0, 1_000).mapToObj(i -> "name " + i).toList();
    PublishedWindows windows = windows(10_000);
    Released.add(
        windows, Released.counts("p", "north", 0, names, LongStream.range(0, 1_000).toArray()), 0);
    OutputWindows output = windows.read(Released.OUTPUT, kept -> kept).orElseThrow();
    assertThat(windows.bytes()).isZero();
    assertThat(output.left()).isEqualTo(1_000);
    assertThat(output.windows()).isEmpty();
  }
}
