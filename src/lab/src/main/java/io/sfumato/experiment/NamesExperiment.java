// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.workload.NameCounting;
import io.sfumato.workload.NameReport;
import io.sfumato.workload.NameSetting;
import io.sfumato.workload.NameTruth;
import io.sfumato.workload.NameWorkload;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Names that nobody listed, found and counted over 100 windows at (6, 1e-9) with at most 32 records
 * a user in all of them, beside the published figures of DP-SQLP (PVLDB 2024, Table 1).
 *
 * @param out folder for the table
 * @param users how many; 10 million are those of the table
 * @param perName k: most records of a user for one name
 * @param every e: names are tested at the end of every e-th window
 */
public record NamesExperiment(Path out, int users, int perName, int every) implements Experiment {
  /** Names are worked on in so many pieces. */
  private static final int PIECES = 100;

  private static final int WINDOWS = NameSetting.WINDOWS;

  @Override
  public long steps() {
    return PIECES;
  }

  private NameSetting setting() {
    return new NameSetting(perName, every);
  }

  /** Writes {@code names.csv}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    long start = System.nanoTime();
    RunningDiscovery plan = setting().plan();
    NameTruth truth = new NameTruth(setting().bounds(), WINDOWS, NameTruth.First.ANY);
    new NameWorkload(users, WINDOWS).forEach(truth);
    NameCounting counting = new NameCounting(plan, new RunningNameBars(plan), truth);
    NameReport report = new NameReport();
    Parallel.all(PIECES, piece -> part(counting, piece), progress).forEach(report::add);
    double seconds = (System.nanoTime() - start) / 1e9;
    write(plan, truth, report, seconds);
    return told(plan, truth, report, seconds);
  }

  private static NameReport part(NameCounting counting, int piece) {
    NameReport report = new NameReport();
    NameTruth truth = counting.truth();
    int each = NameWorkload.NAMES / PIECES;
    for (int name = piece * each; name < (piece + 1) * each; name++) {
      report.add(truth.all(name), truth.counted(name), counting.of(name), WINDOWS / 2);
    }
    return report;
  }

  private void write(RunningDiscovery plan, NameTruth truth, NameReport report, double seconds)
      throws ExperimentException {
    ResultLines csv =
        new ResultLines(
            "users,records,per_name,test_every,threshold_first,threshold,sigma_coarse,sigma_fine,names,names_in_first_half,linf,l2,linf_counted,l2_counted,coverage,seconds");
    csv.add(
        "%d,%d,%d,%d,%d,%d,%.6g,%.6g,%d,%d,%.6g,%.6g,%.6g,%.6g,%.4f,%.1f",
        users,
        truth.records(),
        perName,
        every,
        first(plan),
        last(plan),
        plan.coarse().deviation(),
        plan.fine().deviation(),
        report.kept(),
        report.foundEarly(),
        report.mostOfAll(),
        report.normOfAll(),
        report.mostOfCounted(),
        report.normOfCounted(),
        report.covered(),
        seconds);
    csv.write(out.resolve("names.csv"));
  }

  private List<String> told(
      RunningDiscovery plan, NameTruth truth, NameReport report, double seconds) {
    ResultLines lines = new ResultLines();
    lines.add(
        "%,d users with %,d records, (6, 1e-9), %d records of a user, %d a name; %d windows, tested every %d",
        users, truth.records(), NameSetting.RECORDS, perName, WINDOWS, every);
    lines.add(
        "thresholds %d (first test) to %d (last), noise of rows %.2f (coarse) and %.2f (fine)",
        first(plan), last(plan), plan.coarse().deviation(), plan.fine().deviation());
    lines.add(
        "found: %,d names, %,d of them in the first half; 95%% intervals hold %.2f%%",
        report.kept(), report.foundEarly(), 100 * report.covered());
    lines.add(
        "against all records:  L-infinity %,.0f, L2 %,.0f", report.mostOfAll(), report.normOfAll());
    lines.add(
        "against what counted: L-infinity %,.0f, L2 %,.0f",
        report.mostOfCounted(), report.normOfCounted());
    lines.add(NameSetting.PUBLISHED);
    lines.add(String.format(Locale.ROOT, "%.1f seconds", seconds));
    return lines.all();
  }

  private static long first(RunningDiscovery plan) {
    return plan.thresholds().get(0).least();
  }

  private static long last(RunningDiscovery plan) {
    return plan.thresholds().get(plan.tests().count() - 1).least();
  }
}
