// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.combine.Combined;
import io.sfumato.combine.ExportedRows;
import io.sfumato.combine.FileRow;
import io.sfumato.combine.InvalidCombinationException;
import io.sfumato.combine.PooledMean;
import io.sfumato.combine.Ratio;
import io.sfumato.combine.RowSelection;
import io.sfumato.combine.WeightedSum;
import io.sfumato.rows.LocalTimes;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What clients/sfumato_rows.py does, in a shell. */
@Command(
    name = "combine",
    mixinStandardHelpOptions = true,
    description = {
      "Combines rows of exported files, with correct 95-percent intervals. Costs no budget.",
      "sum: adds up windows, subjects or categories. difference, ratio: of the rows that --first and "
          + "--second select, each added up. weighted-mean: with public weights. pooled-mean: the "
          + "mean of a number over windows, from all rows of a mean release.",
      "For the share of a category, select its rows by --second as well. Combinations without a "
          + "valid interval are refused, and the message says what to do instead."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato combine sum orders.csv --where subject=east --where measure=count",
      "  sfumato combine sum orders.csv --where measure=count --each window_start -o json",
      "  sfumato combine difference orders.csv --where measure=count \\",
      "      --first subject=east --second subject=west",
      "  sfumato combine ratio visits.jsonl --where measure=count \\",
      "      --first app=web --second app=web --second app=phone",
      "  sfumato combine weighted-mean visits.jsonl --where measure=users --each app",
      "  sfumato combine pooled-mean amounts.csv --from 2026-11-02 --until 2026-11-09 \\",
      "      --zone Europe/London"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "2:the arguments are wrong",
      "3:a file cannot be read, or the combination has no valid interval"
    })
final class CombineCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;

  @Parameters(
      index = "0",
      paramLabel = "HOW",
      description = "sum, difference, ratio, weighted-mean or pooled-mean.")
  private String how;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files ending in .csv or .jsonl, as 'sfumato export' writes them.")
  private List<Path> files;

  @Option(
      names = "--where",
      paramLabel = "COLUMN=TEXT",
      description =
          "Only rows that have this text in the column. Repeat it for other columns; of one column "
              + "any of the texts will do.")
  private List<String> where = List.of();

  @Option(
      names = "--first",
      paramLabel = "COLUMN=TEXT",
      description = "Of a difference or ratio: rows of the first sum, selected as by --where.")
  private List<String> first = List.of();

  @Option(
      names = "--second",
      paramLabel = "COLUMN=TEXT",
      description = "Of a difference or ratio: rows of the second sum, selected as by --where.")
  private List<String> second = List.of();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Only windows that start at this time or later: a day such as 2026-01-31, or ISO-8601 with"
              + " an offset. A day is one of --zone, else of UTC.")
  private Optional<GivenTime> from = Optional.empty();

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Only windows that start before this time.")
  private Optional<GivenTime> until = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "Zone of days in --from and --until and of printed times, such as Europe/London: the"
              + " window.zone of the pipeline file. By default UTC.")
  private Optional<ZoneId> zone = Optional.empty();

  @Option(
      names = "--each",
      paramLabel = "COLUMN",
      description = "A result for each text of the column, such as window_start or subject.")
  private List<String> each = List.of();

  @Option(
      names = "--weigh-by",
      paramLabel = "COLUMN",
      description = "Column whose texts --weight names; by default ${DEFAULT-VALUE}.")
  private String weighBy = "subject";

  @Option(
      names = "--weight",
      paramLabel = "TEXT=NUMBER",
      description = "Public weight of rows that have this text; by default all weigh the same.")
  private Map<String, Double> weights = new LinkedHashMap<>();

  @Override
  public Integer call() throws RefusedException {
    requireOptionsOfHow();
    List<FileRow> all = read();
    Map<List<String>, Combined> results = new LinkedHashMap<>();
    try {
      requireSelection(all);
      List<FileRow> rows = inTime(RowSelection.where(all, wanted(where)));
      if (rows.isEmpty()) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE, "no row meets all of the conditions: leave one out");
      }
      for (Map.Entry<List<String>, List<FileRow>> group : groups(rows).entrySet()) {
        results.put(group.getKey(), combined(group.getKey(), group.getValue()));
      }
    } catch (InvalidCombinationException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
    }
    output.print(() -> json(results), () -> text(results));
    return 0;
  }

  /** Every column and every text of the options is one that rows have. */
  private void requireSelection(List<FileRow> all) {
    each.forEach(column -> RowSelection.requireColumn(all, column));
    RowSelection.where(all, wanted(first));
    RowSelection.where(all, wanted(second));
    if (!weights.isEmpty()) {
      RowSelection.requireColumn(all, weighBy);
      weights.keySet().forEach(text -> RowSelection.requireText(all, weighBy, text));
    }
  }

  private Map<List<String>, List<FileRow>> groups(List<FileRow> rows) {
    Map<List<String>, List<FileRow>> groups = new LinkedHashMap<>();
    for (FileRow row : rows) {
      groups
          .computeIfAbsent(
              each.stream().map(column -> cell(row, column)).toList(), key -> new ArrayList<>())
          .add(row);
    }
    return groups;
  }

  private String cell(FileRow row, String column) {
    FileRow.Window window = row.place().window();
    return switch (column) {
      case "window_start" -> times().iso(window.start());
      case "window_end" -> times().iso(window.end());
      default -> row.cell(column);
    };
  }

  private LocalTimes times() {
    return new LocalTimes(zone.map(ZoneId::getRules));
  }

  private void requireOptionsOfHow() {
    if (!List.of("sum", "difference", "ratio", "weighted-mean", "pooled-mean").contains(how)) {
      throw output.bad(
          "found '%s', allowed are sum, difference, ratio, weighted-mean and pooled-mean"
              .formatted(how));
    }
    boolean isOfTwo = how.equals("difference") || how.equals("ratio");
    if (isOfTwo == (first.isEmpty() || second.isEmpty())) {
      throw output.bad(
          isOfTwo
              ? "a %s needs --first and --second, which select its rows".formatted(how)
              : "--first and --second are for a difference or ratio: take --where");
    }
    if (!weights.isEmpty() && !how.equals("weighted-mean")) {
      throw output.bad("--weight is for weighted-mean");
    }
  }

  private List<FileRow> read() throws RefusedException {
    List<FileRow> rows = new ArrayList<>();
    for (Path file : files) {
      if (!Files.exists(file)) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            file + ": there is no such file; 'sfumato export TOPIC --to rows.csv' writes one");
      }
      if (!Files.isReadable(file)) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            file + " cannot be read: 'sfumato export TOPIC --to rows.csv' writes such a file");
      }
      try {
        rows.addAll(ExportedRows.read(file));
      } catch (IllegalArgumentException e) {
        throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
      } catch (IOException e) {
        throw new RefusedException(ExitCode.FAILED, file + " cannot be read: " + e.getMessage());
      }
    }
    return rows;
  }

  private Map<String, Set<String>> wanted(List<String> conditions) {
    Map<String, Set<String>> wanted = new LinkedHashMap<>();
    for (String condition : conditions) {
      int equals = condition.indexOf('=');
      if (equals < 1) {
        throw output.bad("found '%s', allowed is COLUMN=TEXT".formatted(condition));
      }
      wanted
          .computeIfAbsent(condition.substring(0, equals), column -> new LinkedHashSet<>())
          .add(condition.substring(equals + 1));
    }
    return wanted;
  }

  private List<FileRow> inTime(List<FileRow> rows) throws RefusedException {
    List<FileRow> found =
        rows.stream().filter(row -> isInTime(row.place().window().start())).toList();
    if (found.isEmpty() && !rows.isEmpty()) {
      List<Instant> starts = rows.stream().map(row -> row.place().window().start()).toList();
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "no window of the selected rows is within --from and --until: windows start from %s to %s"
              .formatted(
                  times().iso(Collections.min(starts)), times().iso(Collections.max(starts))));
    }
    return found;
  }

  private boolean isInTime(Instant start) {
    ZoneId of = zone.orElse(ZoneOffset.UTC);
    return from.map(time -> !start.isBefore(time.in(of))).orElse(true)
        && until.map(time -> start.isBefore(time.in(of))).orElse(true);
  }

  private Combined combined(List<String> group, List<FileRow> rows) throws RefusedException {
    try {
      return switch (how) {
        case "sum" -> WeightedSum.sum(rows);
        case "difference" -> WeightedSum.difference(side(rows, first), side(rows, second));
        case "ratio" -> Ratio.of(side(rows, first), side(rows, second));
        case "weighted-mean" -> WeightedSum.mean(rows, rows.stream().map(this::weight).toList());
        default -> PooledMean.of(rows);
      };
    } catch (InvalidCombinationException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          (group.isEmpty() ? "" : String.join(" ", group) + ": ") + e.getMessage());
    }
  }

  /** Rows of one side; none where the selected rows do not have them, which is then refused. */
  private List<FileRow> side(List<FileRow> rows, List<String> conditions) {
    return RowSelection.matching(rows, wanted(conditions));
  }

  private double weight(FileRow row) {
    if (weights.isEmpty()) {
      return 1;
    }
    String text = row.cell(weighBy);
    if (!weights.containsKey(text)) {
      throw output.bad(
          "no weight for '%s': give --weight '%s=NUMBER', or leave its rows out"
              .formatted(text, text));
    }
    return weights.get(text);
  }

  private String json(Map<List<String>, Combined> results) {
    ObjectNode all = JsonOrText.object();
    ArrayNode list = all.putArray("results");
    results.forEach(
        (group, result) -> {
          ObjectNode node = list.addObject();
          for (int i = 0; i < each.size(); i++) {
            node.put(each.get(i), group.get(i));
          }
          put(node, "value", result.value());
          put(node, "low", result.low());
          put(node, "high", result.high());
          result.deviation().ifPresent(deviation -> node.put("deviation", deviation));
          node.put("window_start", times().iso(result.window().start()))
              .put("window_end", times().iso(result.window().end()))
              .put("rows", result.rows());
          result.leftOut().ifPresent(share -> node.put("left_out", share));
        });
    return all.toPrettyString();
  }

  private static void put(ObjectNode node, String name, Number number) {
    if (number instanceof Long whole) {
      node.put(name, whole);
    } else {
      node.put(name, number.doubleValue());
    }
  }

  private String text(Map<List<String>, Combined> results) {
    return results.entrySet().stream()
        .map(
            entry ->
                String.join(
                    "  ",
                    List.of(
                        ControlCharEscaper.of(String.join("  ", entry.getKey())),
                        number(entry.getValue().value(), entry.getValue(), RoundingMode.HALF_EVEN)
                            + " (%s to %s)"
                                .formatted(
                                    number(
                                        entry.getValue().low(),
                                        entry.getValue(),
                                        RoundingMode.FLOOR),
                                    number(
                                        entry.getValue().high(),
                                        entry.getValue(),
                                        RoundingMode.CEILING)))))
        .map(String::stripLeading)
        .collect(Collectors.joining(System.lineSeparator()));
  }

  /** As many digits as the interval leaves, and two more; ends are rounded outwards. */
  private static String number(Number number, Combined result, RoundingMode mode) {
    if (number instanceof Long whole) {
      return String.format(Locale.ROOT, "%,d", whole);
    }
    double half = (result.high().doubleValue() - result.low().doubleValue()) / 2;
    int places = half > 0 ? Math.max(0, Math.min(12, 2 - (int) Math.floor(Math.log10(half)))) : 4;
    return String.format(
        Locale.ROOT,
        "%,." + places + "f",
        BigDecimal.valueOf(number.doubleValue()).setScale(places, mode));
  }
}
