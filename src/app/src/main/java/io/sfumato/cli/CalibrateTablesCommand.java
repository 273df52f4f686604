// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.estimate.tables.TablesError;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.Columns;
import io.sfumato.pipeline.Crossing;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Hierarchy;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.release.table.PlannedTable;
import io.sfumato.release.table.TableShape;
import io.sfumato.release.table.TableSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "tables",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the least noise on consistent tables of one and two columns, or on all "
          + "levels of a path, for one charge.",
      "Prints the error of their cells in records, beside one release for each table, and "
          + "beside one release of all combinations."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate tables --sizes 8,16,7 --epsilon 1 --delta 1e-6",
      "  sfumato calibrate tables --tree 4,3,5 --per-window 3 --epsilon 1 --delta 1e-6 -o json"
    })
final class CalibrateTablesCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;
  @Mixin private NumbersCalibration numbers;

  @ArgGroup(multiplicity = "1")
  private Shape shape;

  @Option(
      names = "--ways",
      paramLabel = "N",
      description = "1 for single columns, 2 for pairs as well; by default 2.")
  private int ways = 2;

  /** Columns, or a path. */
  static final class Shape {
    @Option(
        names = "--sizes",
        required = true,
        split = ",",
        paramLabel = "N",
        description = "Number of values of each column; 1 to 8 columns.")
    private int[] sizes;

    @Option(
        names = "--tree",
        required = true,
        split = ",",
        paramLabel = "N",
        description = "Number of children of each node of a level, from the total down.")
    private int[] fanOuts;

    /** Columns and values that are numbered. */
    private TableShape of(int ways) {
      int count = sizes == null ? fanOuts.length : sizes.length;
      List<Integer> all = IntStream.range(0, count).boxed().toList();
      List<String> fields =
          all.stream().map(i -> (sizes == null ? "level " : "column ") + (i + 1)).toList();
      Columns columns =
          sizes == null
              ? new Hierarchy(fields, nodes(0), Optional.empty())
              : new Crossing(
                  all.stream()
                      .map(
                          i ->
                              new Crossing.Column(
                                  fields.get(i), values(sizes[i]), Optional.empty()))
                      .toList());
      return new TableShape(columns, all, ways);
    }

    private static List<String> values(int count) {
      return IntStream.rangeClosed(1, count).mapToObj(Integer::toString).toList();
    }

    private List<Hierarchy.Node> nodes(int level) {
      List<Hierarchy.Node> within = level + 1 < fanOuts.length ? nodes(level + 1) : List.of();
      return values(fanOuts[level]).stream()
          .map(value -> new Hierarchy.Node(value, within))
          .toList();
    }
  }

  @Override
  public Integer call() {
    if (numbers.isPure()) {
      throw output.bad("tables use Gaussian noise, which needs --delta, such as --delta 1e-6");
    }
    Tables tables =
        output.checked(
            () ->
                shape.sizes == null
                    ? LevelTables.even(shape.fanOuts)
                    : CrossTables.of(ways, shape.sizes));
    Optional<Population> population = numbers.population(output);
    TableSpec spec = new TableSpec(numbers.head(output), shape.of(ways), population);
    output.print(
        output.checked(
            () -> {
              PlannedRelease planned = OneRelease.planned(spec);
              return OneRelease.of(population)
                  .facts(planned)
                  .row("others")
                  .say("root mean square error of sums of a release of all combinations:")
                  .table(
                      "combinations",
                      combinations(tables, ((PlannedTable) planned).plan().mechanism()));
            }));
    return 0;
  }

  /** What the cells of each table would err by, added up from those of all combinations. */
  private List<Facts> combinations(Tables tables, GridMeasurement<TableQuery> mechanism) {
    TablesError separate = TablesError.ofSeparate(mechanism);
    TablesError all = TablesError.ofCategories(mechanism);
    return IntStream.range(0, tables.tables())
        .mapToObj(
            table ->
                Facts.of()
                    .number("of", "cells", tables.size(table), "cells")
                    .number("", "combinations_rms_error", all.rms()[table])
                    .number("as a release of its own", "separate_rms_error", separate.rms()[table]))
        .toList();
  }
}
