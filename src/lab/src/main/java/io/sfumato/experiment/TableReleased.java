// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a pipeline published of the events of {@link TableEvents}, beside what the experiment finds
 * of the same tables at the same budget.
 *
 * @param data as of the events
 * @param epsilon likewise
 * @param released one window's tables, as {@code consume -o json} prints them
 * @param seeds of the noise beside it, at least 1
 */
public record TableReleased(Optional<Path> data, double epsilon, Path released, int seeds)
    implements Experiment {
  private static final int SHOWN = 3;

  @Override
  public long steps() {
    return seeds;
  }

  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    List<TablePopulation> all = TablePopulation.all(data);
    if (all.size() > 1) {
      throw new ExperimentException("--released: name one table, --data NAME.csv.gz");
    }
    TablePopulation people = all.get(0);
    long[] cells = TableCells.read(people, released);
    TableTrials trials = new TableTrials(people, epsilon);
    double[] errors = trials.errors(cells);
    List<MeasurementSummary> expected =
        trials.results(Parallel.all(seeds, trials::trial, progress)).get(0).metrics();
    ResultLines lines = new ResultLines();
    lines.add("root mean square errors of the total, of a column's cell, and of a pair's:");
    lines.add("published: %s", told(errors));
    lines.add(
        "experiment: %s; single releases lie around it by %s (%d seeds)",
        told(expected.stream().mapToDouble(MeasurementSummary::mean).toArray()),
        told(expected.stream().mapToDouble(MeasurementSummary::deviation).toArray()),
        seeds);
    return lines.all();
  }

  private static String told(double[] errors) {
    return IntStream.range(0, SHOWN)
        .mapToObj(metric -> String.format(Locale.ROOT, "%.1f", errors[metric]))
        .collect(Collectors.joining(" "));
  }
}
