// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The same measurement through a pipeline as it runs: the records as events of one day, and the
 * pipeline file that publishes their tables.
 *
 * @param out folder for both
 * @param data a table, {@code NAME.csv.gz}; a made-up population where there is none
 * @param epsilon of the file's budget, at delta 1e-6
 */
public record TableEvents(Path out, Optional<Path> data, double epsilon) implements Experiment {
  private static final Instant DAY = Instant.parse("2026-05-31T00:00:00Z");
  private static final long LENGTH = Duration.ofDays(1).toMillis();

  @Override
  public long steps() {
    return 1;
  }

  /** Writes {@code NAME-events.csv} and {@code NAME.yaml}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    ResultLines lines = new ResultLines();
    for (TablePopulation people : TablePopulation.all(data)) {
      String name = name(people);
      Path events = out.resolve(name + "-events.csv");
      ResultTable.write(events, () -> Files.write(events, events(people)));
      Path file = out.resolve(name + ".yaml");
      ResultTable.write(file, () -> Files.writeString(file, yaml(people, name)));
      lines.add(
          "%s: %,d records of %,d people in %s",
          people.name(), people.records(), people.people().size(), events);
      lines.add("run %s, produce the events, tick, and consume %s-tables as JSON", file, name);
    }
    progress.run();
    return lines.all();
  }

  private static String name(TablePopulation people) {
    return people.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  private static List<String> events(TablePopulation people) {
    List<String> lines = new ArrayList<>();
    lines.add("who,data,at," + String.join(",", people.columns()));
    long records = people.records();
    for (int person = 0; person < people.people().size(); person++) {
      for (long category : people.people().get(person)) {
        Instant at = DAY.plusMillis((lines.size() - 1) * LENGTH / records);
        lines.add(
            "p%d,all,%s,%s"
                .formatted(
                    person,
                    at,
                    Arrays.stream(TableCells.values(people.tables(), category))
                        .mapToObj(TableCells::word)
                        .collect(Collectors.joining(","))));
      }
    }
    return lines;
  }

  private String yaml(TablePopulation people, String name) {
    return """
        pipeline: %1$s
        input:
          topic: %1$s
          subject: data
          user: who
          time: at
          category: [%2$s]
          categories:
        %3$s
        contributions: { per-window: %4$d, subjects: 1 }
        subjects: [all]
        window: { size: 1d, grace: 1h, clock: ticks, begin: 2026-05-31 }
        budget: { name: %1$s, unit: user, epsilon: %5$s, delta: %6$s, period: window }
        releases:
          - table: { name: %1$s-tables, share: { epsilon: %5$s, delta: %6$s } }
        format: json
        """
        .formatted(
            name,
            people.columns().stream().map(TableEvents::quoted).collect(Collectors.joining(", ")),
            IntStream.range(0, people.columns().size())
                .mapToObj(column -> "    " + list(people, column))
                .collect(Collectors.joining("\n")),
            people.most(),
            epsilon,
            TableTrials.DELTA);
  }

  private static String list(TablePopulation people, int column) {
    return IntStream.range(0, people.tables().values(column))
        .mapToObj(TableCells::word)
        .collect(Collectors.joining(", ", quoted(people.columns().get(column)) + ": [", "]"));
  }

  private static String quoted(String name) {
    return "'" + name.replace("'", "''") + "'";
  }
}
