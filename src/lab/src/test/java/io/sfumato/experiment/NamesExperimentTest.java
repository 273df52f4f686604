// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.workload.NameCounting;
import io.sfumato.workload.NameReport;
import io.sfumato.workload.NameTruth;
import io.sfumato.workload.NameWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("deep")
class NamesExperimentTest {
  @TempDir Path folder;

  private static NameWorkload.OfUser user(int[] names, int... windows) {
    return new NameWorkload.OfUser(names, windows);
  }

  /** At most k of a name and C in all, whatever else the user sends. */
  @Test
  void ofAUserSoManyRecordsCount() {
    NameTruth truth = new NameTruth(new RunningBounds.PerPeriod(3, 2), 4, NameTruth.First.ANY);
    truth.next(0, user(new int[] {7, 7, 7, 7}, 1, 2, 3, 4));
    assertThat(truth.all(7)).isEqualTo(4);
    assertThat(truth.counted(7)).isEqualTo(2);
    truth.next(1, user(new int[] {1, 2, 3, 4, 5}, 4, 4, 4, 4, 4));
    assertThat(Arrays.stream(new int[] {1, 2, 3, 4, 5}).map(truth::counted).sum()).isEqualTo(3);
    assertThat(Arrays.stream(new int[] {1, 2, 3, 4, 5}).map(name -> truth.counted(name, 4)).sum())
        .isEqualTo(3);
    assertThat(truth.records()).isEqualTo(9);
  }

  /** Where windows come one after another nobody knows yet what later ones bring. */
  @Test
  void theEarliestOfAUserMayCountFirst() {
    NameTruth truth = new NameTruth(new RunningBounds.PerPeriod(3, 1), 4, NameTruth.First.EARLIEST);
    truth.next(0, user(new int[] {7, 8, 7, 9, 6}, 1, 1, 2, 3, 4));
    assertThat(truth.counted(7, 1)).isOne();
    assertThat(truth.counted(7, 2)).isZero();
    assertThat(truth.counted(8, 1)).isOne();
    assertThat(truth.counted(9, 3)).isOne();
    assertThat(truth.counted(6)).isZero();
  }

  /** Names that were not found are off by all that they have. */
  @Test
  void errorsAreOfAllNames() {
    NameReport report = new NameReport();
    report.add(10, 8, Optional.empty(), 2);
    NameReport other = new NameReport();
    other.add(
        20,
        19,
        Optional.of(
            new NameCounting.Kept(
                17,
                new io.sfumato.estimate.partitionselection.RunningNameBars.Interval(12, 21),
                2)),
        2);
    report.add(other);
    assertThat(report.kept()).isOne();
    assertThat(report.foundEarly()).isOne();
    assertThat(report.covered()).isOne();
    assertThat(report.mostOfAll()).isEqualTo(10);
    assertThat(report.normOfAll()).isCloseTo(Math.sqrt(109), within(1e-12));
    assertThat(report.mostOfCounted()).isEqualTo(8);
    assertThat(report.normOfCounted()).isCloseTo(Math.sqrt(68), within(1e-12));
  }

  /** A thousandth of the users; 0.3% of the names that are found have the most of records. */
  @Test
  void shouldFindNamesAndSayHowFarTheirCountsAreOff() throws Exception {
    int[] steps = new int[1];
    NamesExperiment experiment = new NamesExperiment(folder, 50_000, 1, 10);
    List<String> told = experiment.run(() -> steps[0]++);
    assertThat((long) steps[0]).isEqualTo(experiment.steps());
    assertThat(told).anyMatch(line -> line.contains("32,146 names, L-infinity 1,094, L2 44,538"));
    List<String> lines = Files.readAllLines(folder.resolve("names.csv"));
    assertThat(lines).hasSize(2);
    String[] header = lines.get(0).split(",");
    String[] row = lines.get(1).split(",");
    assertThat(row).hasSameSizeAs(header);
    assertThat(cell(header, row, "records")).isBetween(290_000.0, 320_000.0);
    assertThat(cell(header, row, "threshold")).isEqualTo(73);
    assertThat(cell(header, row, "names")).isBetween(300.0, 900.0);
    assertThat(cell(header, row, "coverage")).isGreaterThan(0.945);
    assertThat(cell(header, row, "linf_counted")).isLessThan(150);
    assertThat(cell(header, row, "l2")).isGreaterThan(cell(header, row, "l2_counted"));
  }

  private static double cell(String[] header, String[] row, String name) {
    return Double.parseDouble(row[Arrays.asList(header).indexOf(name)]);
  }
}
