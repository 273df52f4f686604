// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.estimate.additive.VectorPlanner;
import io.sfumato.estimate.tables.BestWeights;
import io.sfumato.estimate.tables.TablesError;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "tables",
    mixinStandardHelpOptions = true,
    description =
        "The least noise on all tables of one and two columns, or on all levels of a path, for one"
            + " charge, and by how many records their cells err; beside one release a table, and"
            + " one of all combinations.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate tables --sizes 8,16,7 --epsilon 1 --delta 1e-6",
      "  sfumato calibrate tables --tree 4,3,5 --per-window 3 --epsilon 1 --delta 1e-6 -o json"
    })
final class CalibrateTablesCommand implements Callable<Integer> {
  private static final String LINE = "%-14s %7d %8.4f %10.4g %10.4g %13.4g %13.4g";

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
        description = "How many values each column has; 1 to 8 columns.")
    private int[] sizes;

    @Option(
        names = "--tree",
        required = true,
        split = ",",
        paramLabel = "N",
        description = "How many children each node of a level has, that of the total first.")
    private int[] fanOuts;
  }

  @Override
  public Integer call() {
    if (numbers.isPure()) {
      throw output.bad("tables have Gaussian noise, which needs --delta, such as --delta 1e-6");
    }
    Tables tables =
        output.checked(
            () ->
                shape.sizes == null
                    ? LevelTables.even(shape.fanOuts)
                    : CrossTables.of(ways, shape.sizes));
    Optional<Integer> perWindow = numbers.perWindow(output);
    GridMeasurement<TableQuery> mechanism =
        output.checked(
            () -> {
              TableQuery query = BestWeights.query(tables, Tables.Total.of(perWindow.isEmpty()));
              GridSensitivity sensitivity =
                  perWindow
                      .map(query.weights()::addOrRemove)
                      .orElseGet(query.weights()::replaceOne);
              return VectorPlanner.gaussian(numbers.request(), query, sensitivity)
                  .orElseThrow(NumbersCalibration::notAffordable)
                  .mechanism();
            });
    ObjectNode found = found(mechanism);
    output.print(found, sentence(found));
    return 0;
  }

  private ObjectNode found(GridMeasurement<TableQuery> mechanism) {
    Tables tables = mechanism.query().tables();
    TablesError ours = TablesError.of(mechanism);
    TablesError separate = TablesError.ofSeparate(mechanism);
    TablesError categories = TablesError.ofCategories(mechanism);
    double[] precisions = mechanism.query().weights().precisions();
    ObjectNode found =
        numbers
            .terms(JsonOrText.object().put("sigma", mechanism.deviation()))
            .put("unit", mechanism.charge().unit().word());
    for (int table = 0; table < tables.tables(); table++) {
      found
          .withArray("tables")
          .addObject()
          .put("table", name(tables, table))
          .put("cells", tables.size(table))
          .put("share", precisions[table])
          .put("rms_error", ours.rms()[table])
          .put("error_95", ours.halfWidth()[table])
          .put("separate_rms_error", separate.rms()[table])
          .put("combinations_rms_error", categories.rms()[table]);
    }
    return found;
  }

  private static String name(Tables tables, int table) {
    if (table == 0) {
      return "total";
    }
    return tables instanceof CrossTables cross
        ? Arrays.stream(cross.columnsOf(table))
            .mapToObj(column -> "column " + (column + 1))
            .collect(Collectors.joining(" x "))
            .replace(" x column", " x")
        : "level " + table;
  }

  private static String sentence(ObjectNode found) {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%-14s %7s %8s %10s %10s %13s %13s",
                "table",
                "cells",
                "share",
                "rms_error",
                "error_95",
                "separate_rms",
                "combined_rms"));
    found
        .withArray("tables")
        .forEach(
            table ->
                text.append(System.lineSeparator())
                    .append(
                        String.format(
                            Locale.ROOT,
                            LINE,
                            table.get("table").asText(),
                            table.get("cells").asInt(),
                            table.get("share").asDouble(),
                            table.get("rms_error").asDouble(),
                            table.get("error_95").asDouble(),
                            table.get("separate_rms_error").asDouble(),
                            table.get("combinations_rms_error").asDouble())));
    return text.toString();
  }
}
